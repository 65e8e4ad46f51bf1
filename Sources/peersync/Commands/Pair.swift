internal import ArgumentParser
internal import LocalAPI

/// The host's side of pairing: shows a code or link.
struct Pair: PeersyncCommand {
    static let configuration = CommandConfiguration("pair", .pair)

    @Flag(help: ArgumentHelp(OptionHelp.link)) var link = false

    func run(in context: CommandContext) async throws {
        try context.prompt.requireAnswer(to: Sentence.Pairing.confirmationWillBeAsked)
        try await context.withService(.network) { service in
            let me = try await service.call(\.agent.info)
            let view = try await service.call(\.pairing.open, PairingRequest(asLink: link))
            try await PairingDialogue(context: context, service: service, me: me).follow(view)
        }
    }
}
