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
        let resolved = try await context.withService { service in
            let read = try await value(with: service)
            return try await service.resolveConflict(
                conflict, ConflictDecision(take: take, value: read, merge: merge))
        }
        try context.output.result(resolved, describe: Sentence.Conflicts.resolved)
    }

    /// What was typed, as the type of the field says. Of a conflict that is not there, and of a
    /// deletion, it stays a text: the agent says what is wrong.
    private func value(with service: any AgentService) async throws -> FieldValue? {
        guard let value else { return nil }
        let known = try await service.conflicts(ScopeFilter()).filter { $0.id.hasPrefix(conflict) }
        guard known.count == 1, let field = known[0].field else { return .text(value) }
        let schema = try await service.schema(ofSpace: known[0].trip?.id ?? "home")
        let type = schema.collection(known[0].collection)?.fields.first { $0.name == field }?.type
        return try TypedText().value(value, type ?? "text", of: field)
    }
}
