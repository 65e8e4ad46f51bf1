internal import ArgumentParser
internal import LocalAPI

/// Shows what happened since this person last looked, or since a time.
struct Log: PeersyncCommand {
    static let configuration = CommandConfiguration("log", .log)

    @Argument(
        help: ArgumentHelp(OptionHelp.logSpace, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: ArgumentHelp(OptionHelp.logSince, valueName: "time|all"),
        transform: SinceInput.init(typed:))
    var since: SinceInput?

    @Option(help: ArgumentHelp(OptionHelp.logLimit, valueName: "number")) var limit: Int?

    func run(in context: CommandContext) async throws {
        guard limit ?? 1 > 0 else { throw Sentence.Usage.badLimit }
        let filter = ChangeFilter(
            trip: trip, since: try await since?.moment(in: context), limit: limit)
        try await context.withService { service in
            let log = try await service.call(\.changes.list, filter)
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
                    Sentence.Changes.earlier(
                        than: log.lastLook.map { Formatting.time($0) },
                        shown: log.entries.count))
            }
            // A program that reads along is not the person, and who looks back saw nothing new.
            guard !context.output.json, since == nil else { return }
            _ = try await service.call(
                \.changes.look, ChangeLook(trip: trip, place: log.place))
        }
    }

    private func nothing(_ log: ChangeLog) -> String {
        if since != nil { return Sentence.Changes.noneThen }
        return log.lastLook.map { Sentence.Changes.nothingNew(since: Formatting.ago($0)) }
            ?? Sentence.Changes.none
    }
}
