package import LocalAPI

/// The output of `service status`.
package enum ServiceText {
    /// `width` in columns; nil for no limit.
    package static func rendered(_ view: ServiceView, width: Int?) -> String {
        let since = view.since.map { "\(Formatting.time($0)) (\(Formatting.ago($0)))" }
        let state = Sentence.Service.state(view, since: since)
        var lines = ["\(Style.bold(view.unit))  \(symbol(view)) \(state)"]
        if let failure = view.failure { lines += ["  " + failure.sentence, "  " + failure.remedy] }
        var table = Table([.text(""), .wrapping("", shrinksTo: 30)])
        table.add([tr("starts"), Sentence.Service.starts(view)])
        if let program = view.program { table.add([tr("program"), program]) }
        table.add([tr("data"), view.home])
        if let file = view.unitFile { table.add([tr("unit"), file]) }
        if view.installed { table.add([tr("restarts"), Sentence.Service.restarts(view.restarts)]) }
        let process = view.processID.map { tr(" (process \($0))") } ?? ""
        table.add([tr("agent"), Sentence.Service.answers(view) + process])
        if let text = view.statusText { table.add([tr("says"), text]) }
        lines.append(table.rendered(width: width, indent: 2))
        return lines.joined(separator: "\n")
    }

    private static func symbol(_ view: ServiceView) -> String {
        switch view.state {
        case .running: Symbols.of(view.agentAnswers ? SyncState.synced : .error)
        case .starting, .stopping: Symbols.of(SyncState.syncing)
        case .retrying, .failed: Symbols.of(SyncState.error)
        case .stopped: Symbols.of(SyncState.offline)
        }
    }
}
