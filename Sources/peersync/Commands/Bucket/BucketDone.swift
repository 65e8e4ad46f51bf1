internal import ArgumentParser
internal import LocalAPI

/// Marks an item of the bucket list as done.
struct BucketDone: PeersyncCommand {
    static let configuration = CommandConfiguration("done", .bucketDone)

    @Argument(help: ArgumentHelp(OptionHelp.bucketItem, valueName: "item")) var item: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let done = try await context.call(\.bucket.finish, id: item)
        try context.output.result(done, describe: Sentence.Lists.bucketDone)
    }
}
