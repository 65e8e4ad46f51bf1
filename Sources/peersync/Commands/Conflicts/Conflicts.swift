internal import ArgumentParser
internal import LocalAPI

/// Lists what somebody should decide.
struct Conflicts: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "conflicts", .conflicts,
        subcommands: [
            ConflictsResolve.self
        ])

    @Option(
        name: [.customLong("space"), .customLong("trip")],
        help: ArgumentHelp(OptionHelp.conflictSpace, valueName: "space"))
    var space: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.call(\.conflicts.list, ScopeFilter(trip: space))
        try context.output.result(conflicts) { conflicts in
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
