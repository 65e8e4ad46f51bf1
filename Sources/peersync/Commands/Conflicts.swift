internal import ArgumentParser
internal import LocalAPI

/// Lists the conflicts that wait for a decision.
struct Conflicts: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "conflicts", "List fields that were changed on several devices at once.",
        examples: ["peersync conflicts", "peersync conflicts --trip Arezzo"],
        remarks: """
            Every device keeps all versions until somebody decides. Each version is listed with \
            its author and time, by the clock of the device that wrote it.
            """,
        subcommands: [ConflictsResolve.command])

    @Option(
        name: [.customLong("space"), .customLong("trip")],
        help: .tr("Name of a trip or space, or the first letters of its id.", valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.show(\.conflicts.list, ScopeFilter(trip: space)) {
            conflicts in
            conflicts.isEmpty
                ? tr("No conflicts: of everything there is one version.")
                : conflicts.map { ConflictText.rendered($0, width: context.output.width) }
                    .joined(separator: "\n\n")
        }
        guard !conflicts.isEmpty else { return }
        context.output.remark(ConflictText.hint(conflicts))
    }
}

struct ConflictsResolve: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "resolve", "Resolve a conflict for everybody.",
        examples: [
            "peersync conflicts resolve 3f9a01c2 --take 1",
            "peersync conflicts resolve 3f9a01c2 --value \"Piazza Grande\"",
            "peersync conflicts resolve 3f9a01c2 --merge",
        ],
        remarks: """
            --take chooses a value by its number, --value writes a new one in the form of 'record \
            set', --merge keeps the merged value. If a new edit arrives in the meantime, the \
            conflict gets a new id: list the conflicts again before you decide.
            """)

    @Argument(help: .tr("The first letters of the conflict's id.", valueName: "id"))
    var conflict: String

    @Option(help: .tr("Choose the value with this number.", valueName: "number"))
    var take: Int?

    @Option(parsing: .unconditional, help: .tr("Write this value.", valueName: "text"))
    var value: String?

    @Flag(help: .tr("Keep the merged value."))
    var merge = false

    func validate() throws {
        let given = (take == nil ? 0 : 1) + (value == nil ? 0 : 1) + (merge ? 1 : 0)
        guard given == 1 else { throw ValidationError(APIError.oneDecision.sentence) }
    }

    func run(in context: CommandContext) async throws {
        let decision = ConflictDecision(
            take: take, value: value.map { .typed(TypedInput.text($0)) }, merge: merge)
        try await context.show(
            \.conflicts.resolve, id: conflict, decision, as: ConflictText.resolved)
    }
}
