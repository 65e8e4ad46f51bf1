package import LocalAPI

/// Everything that waits: the data that each device lacks with the reasons, then the decisions for
/// this person and the invitations without an answer.
package enum WaitingText {
    package static func rendered(_ waiting: WaitingView) -> String {
        guard !waiting.items.isEmpty || !waiting.decisions.isEmpty else {
            return tr("Nothing waits, as far as this device knows.")
        }
        let decisions = waiting.decisions.flatMap { ProblemText.lines($0) }
        return
            (waiting.items.map { item($0) }
            + (decisions.isEmpty ? [] : [decisions.joined(separator: "\n")]))
            .joined(separator: "\n\n")
    }

    private static func item(_ item: WaitingView.Item) -> String {
        let since = item.since.map { Formatting.time($0) }
        let heading = waits(item, since: since)
        var lines = ["\(Symbols.of(symbol(item))) \(Style.bold(heading))"]
        let reasons = item.reasons.map(\.sentence).joined(separator: "; ")
        if !reasons.isEmpty { lines.append("  \(Printable.line(reasons, isWhole: true))") }
        if let remedy = item.remedy { lines.append("  \(Printable.line(remedy, isWhole: true))") }
        lines += item.changes.map { change in
            let line = Sentence.Changes.line(change)
            return "    \(Formatting.time(change.written))  \(Printable.line(line, isWhole: true))"
        }
        let more = item.lacks.changes - item.changes.count
        if more > 0, !item.changes.isEmpty {
            lines.append("    \(tr(more, "and \(more) more change", "and \(more) more changes"))")
        }
        return lines.joined(separator: "\n")
    }

    private static func symbol(_ item: WaitingView.Item) -> SyncState {
        let kinds = item.reasons.map(\.kind)
        if kinds.contains(.moving) { return .syncing }
        return kinds.contains { [.notConnected, .noWay, .callFailed].contains($0) }
            ? .offline : .pending
    }

    /// The items that one device lacks of a space; `since` in words.
    private static func waits(_ item: WaitingView.Item, since: String?) -> String {
        let space = Sentence.name(item.space.name)
        let lacks = item.lacks == .nothing ? item.elsewhere : item.lacks
        let what = Sentence.waiting(lacks)
        let began = since.map { tr(", since \($0)") } ?? ""
        guard !item.here else { return tr("This device lacks \(what) of \(space)\(began)") }
        let device = "\(Sentence.plain(item.device.name)) (\(Sentence.plain(item.person.name)))"
        return tr("\(device) lacks \(what) of \(space)\(began)")
    }
}
