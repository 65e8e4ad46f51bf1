internal import LocalAPI

/// The transfers of a sync, one row per device.
enum SyncText {
    static func rendered(_ report: SyncReport, width: Int?) -> String {
        guard !report.devices.isEmpty else {
            return tr("There is no other device to sync with yet. Connect one: peersync pair")
        }
        var table = Table([.text(""), .text("", shrinksTo: 8), .wrapping("", shrinksTo: 20)])
        for result in report.devices {
            let state: SyncState =
                result.reached ? (result.lacking == .nothing ? .synced : .error) : .offline
            let moved = Self.moved(sent: result.sent, received: result.received)
            let isIdle = result.sent == .nothing && result.received == .nothing
            // A device that went away during the sync has also received something.
            let what =
                result.reached
                ? isIdle && result.lacking != .nothing
                    ? tr("\(Sentence.waiting(result.lacking)) to send") : moved
                : isIdle ? tr("not reached") : "\(moved); \(tr("went away"))"
            table.add([Symbols.of(state), result.device.name, what])
        }
        return table.rendered(width: width)
    }

    /// The last syncs, one row each.
    static func rendered(_ runs: [SyncRunView], width: Int?) -> String {
        guard !runs.isEmpty else { return tr("No sync has moved anything yet.") }
        var table = Table([
            .text(""), .text(tr("time")), .text(tr("device"), shrinksTo: 8),
            .text(tr("took", context: "time")),
            .text(tr("moved"), shrinksTo: 20), .wrapping("", shrinksTo: 12),
        ])
        for run in runs {
            let isSound = run.details.complete && run.conflicts == 0 && run.errors == 0
            table.add([
                Symbols.of(isSound ? SyncState.synced : .pending), Formatting.time(run.started),
                run.device.name, took(run.durationMilliseconds),
                moved(sent: run.sent, received: run.received),
                remarks(run) ?? "",
            ])
        }
        return table.rendered(width: width)
    }

    /// `2.4 s`, `35 seconds`, `3 minutes`.
    private static func took(_ milliseconds: Int64) -> String {
        guard milliseconds < 10_000 else {
            return Sentence.Status.duration(Int(clamping: milliseconds / 1000))
        }
        let tenths = (milliseconds + 50) / 100
        return "\(Language.current.decimal(tenths: Int(tenths))) s"
    }

    /// Remarks on a run, beside the amounts; nil when there are none.
    private static func remarks(_ run: SyncRunView) -> String? {
        let flaws = run.details.flaws.values.reduce(0, +)
        let parts = [
            run.details.complete ? nil : tr("ended early"),
            run.conflicts > 0 ? Sentence.count(run.conflicts, "conflict", "conflicts") : nil,
            run.errors > 0 ? Sentence.count(run.errors, "error", "errors") : nil,
            flaws > 0 ? tr("\(Sentence.count(flaws, "entry", "entries")) to check") : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func moved(sent: WaitingCount, received: WaitingCount) -> String {
        switch (sent == .nothing, received == .nothing) {
        case (true, true): tr("nothing to do")
        case (false, true): tr("sent \(Sentence.waiting(sent))")
        case (true, false): tr("got \(Sentence.waiting(received))")
        case (false, false):
            tr("sent \(Sentence.waiting(sent)), got \(Sentence.waiting(received))")
        }
    }

    static let stoppedWaiting = APIError(
        code: .failed, sentence: "Stopped waiting. A running agent goes on syncing by itself.")
}
