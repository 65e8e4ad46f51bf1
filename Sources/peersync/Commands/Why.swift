internal import ArgumentParser
internal import LocalAPI

/// Says where a record or file is, and why it is not everywhere.
struct Why: PeersyncCommand {
    static let configuration = CommandConfiguration("why", .why)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordOrFile, valueName: "record|file"),
        completion: .names(of: .memory))
    var thing: String

    @Option(
        help: ArgumentHelp(OptionHelp.inSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.agent.why, id: thing, WhyScope(space: space)) {
            WhyText.rendered($0)
        }
    }
}
