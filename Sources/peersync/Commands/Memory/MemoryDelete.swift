internal import ArgumentParser
internal import LocalAPI

/// Deletes a memory for everybody.
struct MemoryDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .memoryDelete)

    @Argument(help: ArgumentHelp(OptionHelp.memory, valueName: "memory")) var memory: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let deleted = try await context.withService { service in
            let shown = try await service.call(\.memories.show, id: memory)
            try await context.prompt.insist(Sentence.Memory.askDelete(shown))
            return try await service.call(\.memories.delete, id: shown.id)
        }
        try context.output.result(deleted, describe: Sentence.Memory.deleted)
    }
}
