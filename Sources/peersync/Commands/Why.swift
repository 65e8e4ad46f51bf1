internal import ArgumentParser
internal import LocalAPI

/// Says where a record or file is, and why it is not everywhere; or lists all that waits.
struct Why: PeersyncCommand {
    static let configuration = CommandConfiguration("why", .why)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordOrFile, valueName: "record|file"),
        completion: .names(of: .memory))
    var thing: String?

    @Flag(help: ArgumentHelp(OptionHelp.allThatWaits)) var all = false

    @Option(
        help: ArgumentHelp(OptionHelp.inSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    func validate() throws {
        guard all == (thing == nil) else { throw ValidationError(OptionHelp.thingOrAll) }
    }

    func run(in context: CommandContext) async throws {
        guard let thing else {
            try await context.show(\.agent.waiting, WhyScope(space: space)) {
                WaitingText.rendered($0)
            }
            return
        }
        try await context.show(\.agent.why, id: thing, WhyScope(space: space)) {
            WhyText.rendered($0)
        }
    }
}
