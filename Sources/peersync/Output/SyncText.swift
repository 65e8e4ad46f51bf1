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
            let moved = Sentence.Sync.moved(sent: result.sent, received: result.received)
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
                run.device.name, Sentence.Sync.took(run.durationMilliseconds),
                Sentence.Sync.moved(sent: run.sent, received: run.received),
                Sentence.Sync.remarks(run) ?? "",
            ])
        }
        return table.rendered(width: width)
    }
}
