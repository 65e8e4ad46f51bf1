internal import ArgumentParser
internal import LocalAPI

/// Says where one record stands, or counts.
struct RecordStatusCommand: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .recordStatus)

    @Argument(help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space")) var space: String

    @Argument(help: ArgumentHelp(OptionHelp.anyCollection, valueName: "collection"))
    var collection: String?

    @Argument(help: ArgumentHelp(OptionHelp.anyRecord, valueName: "record")) var record: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let scope = StandingScope(collection: collection, record: record)
        let standing = try await context.call(\.spaces.standing, id: space, scope)
        try context.output.result(standing) {
            StandingText.rendered($0, width: context.output.width)
        }
    }
}
