internal import ArgumentParser
internal import LocalAPI

/// Lists what somebody should decide.
struct Conflicts: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "conflicts", .conflicts, subcommands: [ConflictsResolve.command])

    @Option(
        name: [.customLong("space"), .customLong("trip")],
        help: ArgumentHelp(OptionHelp.conflictSpace, valueName: "space"),
        completion: .names(of: .space)) var space: String?

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.show(\.conflicts.list, ScopeFilter(trip: space)) {
            conflicts in
            conflicts.isEmpty
                ? Sentence.Conflicts.none
                : conflicts.map { ConflictText.rendered($0, width: context.output.width) }
                    .joined(separator: "\n\n")
        }
        guard !conflicts.isEmpty else { return }
        context.output.remark(
            conflicts.allSatisfy { $0.field == nil }
                ? Sentence.Conflicts.deletionDecide : Sentence.Conflicts.decide)
    }
}

struct ConflictsResolve: PeersyncCommand {
    static let configuration = CommandConfiguration("resolve", .conflictsResolve)

    @Argument(help: ArgumentHelp(OptionHelp.conflict, valueName: "id")) var conflict: String

    @Option(help: ArgumentHelp(OptionHelp.takenValue, valueName: "number")) var take: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.decidedValue, valueName: "text"))
    var value: String?

    @Flag(help: ArgumentHelp(OptionHelp.merge)) var merge = false

    func validate() throws {
        let given = (take == nil ? 0 : 1) + (value == nil ? 0 : 1) + (merge ? 1 : 0)
        guard given == 1 else { throw ValidationError(APIError.oneDecision.sentence) }
    }

    func run(in context: CommandContext) async throws {
        let decision = ConflictDecision(
            take: take, value: value.map { .typed(TypedInput.text($0)) }, merge: merge)
        try await context.show(
            \.conflicts.resolve, id: conflict, decision, as: Sentence.Conflicts.resolved)
    }
}
