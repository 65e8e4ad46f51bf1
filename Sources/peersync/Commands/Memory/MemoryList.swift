internal import ArgumentParser
internal import LocalAPI

/// Lists memories that match.
struct MemoryList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .memoryList)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String?

    @Option(help: ArgumentHelp(OptionHelp.filterTag, valueName: "tag")) var tag: String?

    @Option(
        help: ArgumentHelp(OptionHelp.since, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(
        help: ArgumentHelp(OptionHelp.until, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var until: Moment?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.near, valueName: "lat,lon,distance"),
        transform: { typed in try TypedInput.argument { try NearInput(typed) } })
    var near: NearInput?

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.filterText, valueName: "text"))
    var text: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        var filter = MemoryFilter()
        filter.trip = trip
        filter.tag = tag
        filter.since = since
        filter.until = until
        filter.near = near?.near
        filter.text = text
        let memories = try await context.call(\.memories.list, filter)
        try context.output.result(memories) {
            MemoryTable.rendered($0, width: context.output.width)
        }
    }
}
