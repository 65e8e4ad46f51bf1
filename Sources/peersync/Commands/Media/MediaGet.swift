internal import ArgumentParser
internal import LocalAPI

/// Saves a copy of an original.
struct MediaGet: PeersyncCommand {
    static let configuration = CommandConfiguration("get", .mediaGet)

    @Argument(help: ArgumentHelp(OptionHelp.media, valueName: "media")) var media: String

    @Option(help: ArgumentHelp(OptionHelp.to, valueName: "path")) var to = "."

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let file = try await context.call(
            \.media.export, id: media, ExportTarget(path: InputPath.absolute(to)))
        try context.output.result(file, describe: Sentence.Memory.exported)
    }
}
