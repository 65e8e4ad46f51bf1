internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about devices that store data they cannot read.
struct Vault: ParsableCommand {
    static let configuration = CommandConfiguration(
        "vault", "Have other devices carry encrypted trips that they cannot read.",
        examples: ["peersync vault add nas --trip Arezzo", "peersync vault list"],
        remarks: """
            A vault stores, verifies and passes on an encrypted trip, and can read nothing of it: \
            two travellers who are never online together sync over it.
            """,
        subcommands: [VaultAdd.command, VaultRemove.command, VaultListing.command])
}

/// The device and the trips that it stores.
struct VaultArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(
        help: .tr("The trip or space that it carries.", valueName: "trip"),
        completion: .names(of: .trip))
    var trip: String?

    @Flag(help: .tr("Every encrypted trip and space that you are admin of."))
    var all = false

    /// Throws `unclear` unless either a trip or all of them are given.
    func draft(unclear: Message) throws -> VaultDraft {
        guard (trip != nil) != all else {
            throw APIError(
                code: .badInput, sentence: unclear,
                hint: "Name a trip or space with --trip, or take all of yours with --all.")
        }
        return VaultDraft(device: device, trip: trip)
    }
}

struct VaultAdd: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "add", "Make a paired device a vault.",
        examples: ["peersync vault add nas --trip Arezzo", "peersync vault add nas --all"],
        remarks: """
            It has to belong to another person than you: your own devices read what you read. Its \
            person accepts there. With --all, every encrypted trip and space that you are admin of \
            now.
            """)

    @OptionGroup var arguments: VaultArguments

    func run(in context: CommandContext) async throws {
        let change = try await context.show(
            \.vaults.add,
            arguments.draft(unclear: tr("It is not clear what the vault is to carry.")),
            as: VaultText.added)
        if let first = change.trips.first {
            let name = change.trips.count == 1 ? Sentence.quoted(first.name) : tr("NAME")
            context.output.remark(
                tr(
                    """
                    A vault keeps what others cannot read, also from you: should all devices that \
                    read it be lost, only the exported key opens what the vault has. Keep it \
                    somewhere else: peersync space key export \(name) --to FILE
                    """))
        }
    }
}

struct VaultRemove: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "remove", "Have a vault carry a trip or space no more.",
        examples: ["peersync vault remove nas --trip Arezzo"],
        remarks: "What it has it keeps, and cannot read; it gets nothing new.")

    @OptionGroup var arguments: VaultArguments

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.vaults.remove,
            arguments.draft(unclear: tr("It is not clear what the vault is to carry no more.")),
            as: VaultText.removed)
    }
}

struct VaultListing: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List who carries your trips, and what this device carries for others.",
        examples: ["peersync vault list"],
        remarks: """
            Of what this device carries it knows counts, sizes and ages: no name, no text. What \
            waits for your answer is accepted with: peersync space accept NAME
            """)

    func run(in context: CommandContext) async throws {
        try await context.show(\.vaults.list) {
            VaultTable.rendered($0, width: context.output.width)
        }
    }
}
