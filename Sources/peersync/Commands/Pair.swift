internal import ArgumentParser
internal import Device
internal import LocalAPI

/// The host's side of pairing: shows a code or link.
struct Pair: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "pair", "Show a code that lets another device connect.",
        examples: ["peersync pair", "peersync pair --link"],
        remarks: """
            On the other device, run 'peersync join' and type the code within two minutes. Then \
            both of you confirm the other's name. If the other device does not find this one, add \
            the address that is shown: peersync join --at ADDRESS. With --json, every step prints \
            one line of JSON; the first contains the code.
            """)

    @Flag(help: .tr("Show a link with address and secret instead of a code."))
    var link = false

    func run(in context: CommandContext) async throws {
        guard try context.home().isInitialised else { throw APIError.notInitialised }
        try context.prompt.requireAnswer(to: PairingDialogue.confirmationWillBeAsked)
        try await context.withService(.network) { service in
            let me = try await service.call(\.agent.info)
            let view = try await service.call(\.devices.pairing.open, PairingRequest(asLink: link))
            try await PairingDialogue(context: context, service: service, me: me).follow(view)
        }
    }
}
