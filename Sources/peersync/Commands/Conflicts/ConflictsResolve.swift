internal import ArgumentParser
internal import LocalAPI

/// Decides one conflict.
struct ConflictsResolve: PeersyncCommand {
    static let configuration = CommandConfiguration("resolve", .conflictsResolve)

    @Argument(help: ArgumentHelp(OptionHelp.conflict, valueName: "id")) var conflict: String

    @Option(help: ArgumentHelp(OptionHelp.takenValue, valueName: "number")) var take: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.decidedValue, valueName: "text"))
    var value: String?

    @Flag(help: ArgumentHelp(OptionHelp.merge)) var merge = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func validate() throws {
        let given = (take == nil ? 0 : 1) + (value == nil ? 0 : 1) + (merge ? 1 : 0)
        guard given == 1 else { throw ValidationError(APIError.oneDecision.sentence) }
    }

    func run(in context: CommandContext) async throws {
        let decision = ConflictDecision(
            take: take, value: value.map { .typed(TypedInput.text($0)) }, merge: merge)
        let resolved = try await context.call(\.conflicts.resolve, id: conflict, decision)
        try context.output.result(resolved, describe: Sentence.Conflicts.resolved)
    }
}
