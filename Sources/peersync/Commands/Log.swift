internal import ArgumentParser
internal import LocalAPI

/// Shows the changes since this person last looked, or since a time.
struct Log: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "log", "Show what others changed since you last looked.",
        examples: [
            "peersync log", "peersync log Arezzo", tr("peersync log --since yesterday"),
            tr("peersync log --since all --limit 500"),
        ],
        remarks: """
            Each line is one change: when it was written, where, by whom; what came last is last. \
            What came from your other devices and from others counts as new until you look, \
            however long ago it was written; what you wrote on this device does not. With --since \
            it shows everything that came or was written from that time on, and what is new stays \
            new, as it does with --json. Above the list it says what a device brought that was \
            long away, or deleted in large numbers, and how to undo it.
            """)

    @Argument(
        help: .tr("A trip or space; by default everything.", valueName: "trip"),
        completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: .tr(
            "From this day or time on, or all; by default since you last looked.",
            valueName: "time|all"),
        transform: SinceInput.init(typed:))
    var since: SinceInput?

    @Option(help: ArgumentHelp(OptionHelp.logLimit, valueName: "number")) var limit: Int?

    static let badLimit = APIError(
        code: .badInput, sentence: "How many to show is a number from 1 on.",
        hint: "Without --limit it is 50.")

    func run(in context: CommandContext) async throws {
        guard limit ?? 1 > 0 else { throw Self.badLimit }
        let filter = ChangeFilter(
            trip: trip, since: try await since?.moment(in: context), limit: limit)
        try await context.withService { service in
            let log = try await context.showingProgress {
                try await service.call(\.changes.list, filter)
            }
            try context.output.result(log) { log in
                let list =
                    log.entries.isEmpty
                    ? nothing(log)
                    : ChangeTable.rendered(
                        log, ofOne: trip != nil, width: context.output.width)
                return (ChangeTable.arrivals(log) + [list]).joined(separator: "\n\n")
            }
            if log.hasEarlier {
                context.output.remark(
                    earlier(
                        than: log.lastLook.flatMap {
                            Formatting.isAhead($0) ? nil : Formatting.time($0)
                        },
                        shown: log.entries.count))
            }
            // A program's reading does not count as the person's, and a look at the past shows
            // nothing new.
            guard !context.output.json, since == nil else { return }
            do {
                _ = try await service.call(
                    \.changes.look, ChangeLook(trip: trip, place: log.place))
            } catch let error as APIError where error.code == .failed {
                // On a full disk, say: what was shown is true all the same.
                context.output.remark(
                    tr("What is shown here still counts as new: \(error.sentence)"))
            }
        }
    }

    private func nothing(_ log: ChangeLog) -> String {
        if since != nil { return ChangeTable.noneThen }
        guard let last = log.lastLook else { return tr("Nothing has happened yet.") }
        // The clock was ahead then, so the time says nothing.
        guard !Formatting.isAhead(last) else {
            return tr(
                """
                Nothing new from others since you last looked. All that happened: peersync log \
                --since all
                """)
        }
        return tr(
            """
            Nothing new from others since you last looked (\(Formatting.ago(last))). All that \
            happened: peersync log --since all
            """)
    }
}

private func earlier(than since: String?, shown: Int) -> String {
    tr(
        """
        Earlier ones are not shown: peersync log --since \(since.map(Sentence.quoted) ?? "all") \
        --limit \(shown * 10)
        """)
}
