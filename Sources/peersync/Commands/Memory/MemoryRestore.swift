internal import ArgumentParser
internal import LocalAPI

/// Takes the deletion of a memory back.
struct MemoryRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .memoryRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedMemory, valueName: "memory")) var memory: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let restored = try await context.withService { service in
            try await service.call(\.memories.restore, id: memory)
        }
        try context.output.result(restored, describe: Sentence.Memory.restored)
    }
}
