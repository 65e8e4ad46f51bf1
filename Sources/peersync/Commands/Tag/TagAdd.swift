internal import ArgumentParser
internal import LocalAPI

/// Adds a tag.
struct TagAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .tagAdd)

    @Argument(help: ArgumentHelp(OptionHelp.tagName, valueName: "name")) var name: String

    @Option(help: ArgumentHelp(OptionHelp.category, valueName: "name")) var category: String?

    @Option(help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip")) var trip: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let tag = try await context.call(
            \.tags.add, TagDraft(name: name, category: category, trip: trip))
        try context.output.result(tag, describe: Sentence.Lists.tagAdded)
    }
}
