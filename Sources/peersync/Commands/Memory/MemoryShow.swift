internal import ArgumentParser
internal import LocalAPI

/// Shows one memory whole.
struct MemoryShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .memoryShow)

    @Argument(help: ArgumentHelp(OptionHelp.memory, valueName: "memory")) var memory: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let shown = try await context.call(\.memories.show, id: memory)
        try context.output.result(shown) {
            MemoryDetails.rendered($0, width: context.output.width)
        }
    }
}
