internal import ArgumentParser
internal import LocalAPI

/// Shows where a record or file is stored, and why it is not everywhere; or lists everything that
/// waits.
struct Why: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "why", "Say where a record or file is, and why it is not everywhere.",
        examples: [
            tr("peersync why Beach"), "peersync why IMG_0042.jpg", "peersync why 3f2a9c01",
            tr("peersync why Milk --space Home"), "peersync why --all",
        ],
        remarks: """
            One line for each device that may have it, with the reason and what would help, by \
            what each device said last. Deleted records are found too. With --all it lists \
            everything that waits: for which device, since when and why, what waits for you, and \
            which invitations have no answer.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordOrFile, valueName: "record|file"),
        completion: .names(of: .memory))
    var thing: String?

    @Flag(help: .tr("List all that waits, for whom and since when."))
    var all = false

    @Option(
        help: ArgumentHelp(OptionHelp.inSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    func validate() throws {
        guard all == (thing == nil) else {
            throw ValidationError(tr("Name one record or file, or say --all."))
        }
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

extension OptionHelp {
    static var recordOrFile: String {
        tr("Name of a record, memory or file, or the first letters of its id.")
    }
    static var inSpace: String { tr("Only there: the name of a space; home for your own.") }
}
