internal import ArgumentParser
internal import LocalAPI

/// Lists photos, tracks and files.
struct MediaList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .mediaList)

    @Option(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String?

    @Option(help: ArgumentHelp(OptionHelp.memory, valueName: "memory")) var memory: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let media = try await context.call(\.media.list, MediaFilter(trip: trip, memory: memory))
        try context.output.result(media) {
            MediaTable.rendered($0, width: context.output.width, showsMemory: true)
        }
    }
}
