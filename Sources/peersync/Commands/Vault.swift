internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about devices that carry what they cannot read.
struct Vault: ParsableCommand {
    static let configuration = CommandConfiguration(
        "vault", .vault,
        subcommands: [VaultAdd.command, VaultRemove.command, VaultListing.command])
}

/// Which device, and what it carries.
struct VaultArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(
        help: ArgumentHelp(OptionHelp.vaultTrip, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    @Flag(help: ArgumentHelp(OptionHelp.vaultAll)) var all = false

    func draft() throws -> VaultDraft {
        guard (trip != nil) != all else { throw APIError.vaultWhat }
        return VaultDraft(device: device, trip: trip)
    }
}

struct VaultAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .vaultAdd)

    @OptionGroup var arguments: VaultArguments

    func run(in context: CommandContext) async throws {
        let change = try await context.show(
            \.vaults.add, arguments.draft(), as: Sentence.Vault.added)
        if !change.trips.isEmpty { context.output.remark(Sentence.Vault.addedNext) }
    }
}

struct VaultRemove: PeersyncCommand {
    static let configuration = CommandConfiguration("remove", .vaultRemove)

    @OptionGroup var arguments: VaultArguments

    func run(in context: CommandContext) async throws {
        try await context.show(\.vaults.remove, arguments.draft(), as: Sentence.Vault.removed)
    }
}

struct VaultListing: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .vaultList)

    func run(in context: CommandContext) async throws {
        try await context.show(\.vaults.list) {
            VaultTable.rendered($0, width: context.output.width)
        }
    }
}
