internal import ArgumentParser
internal import LocalAPI

/// Adds an item to the bucket list.
struct BucketAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .bucketAdd)

    @Argument(help: ArgumentHelp(OptionHelp.bucketTitle, valueName: "title")) var title: String

    @Option(help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip")) var trip: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let item = try await context.call(\.bucket.add, BucketItemDraft(title: title, trip: trip))
        try context.output.result(item, describe: Sentence.Lists.bucketAdded)
    }
}
