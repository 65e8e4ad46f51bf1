internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// Shows devices, trips and all waiting work.
struct Status: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "status", "Show devices, trips and pending changes.",
        examples: ["peersync status", "peersync status --watch", "peersync status --short"],
        remarks: """
            \u{2713} synced, \u{21BB} syncing, \u{2022} pending, \u{25CB} not reachable, ! needs \
            your attention. The line of --short begins with that sign; the exit code is 0, and 1 \
            when peersync is not set up or the agent does not answer within 2 seconds.
            """)

    @Flag(help: .tr("Keep showing it, with what moves, until Ctrl-C."))
    var watch = false

    @Flag(help: .tr("One line: the sign and what it stands for."))
    var short = false

    func run(in context: CommandContext) async throws {
        if short { return try await Self.showLine(in: context) }
        guard watch else { return try await Self.show(in: context) }
        try await StatusWatch(context: context).run()
    }

    /// On a computer that is not set up, the first step to take.
    static func show(in context: CommandContext) async throws {
        guard try context.home().isInitialised else {
            if context.output.json { throw APIError.notInitialised }
            return context.output.say(
                tr(
                    """
                    peersync keeps your trips, with photos, notes and tracks, the same on all your
                    devices and on those of your friends, directly over your own network.

                    It is not set up on this computer yet. \(APIError.firstSteps.text)
                    """))
        }
        try await context.show(\.agent.status) {
            StatusReport.rendered($0, width: context.output.width)
        }
    }

    /// The sign with its meaning, for a prompt or bar: does not wait for an agent that hangs.
    static func showLine(in context: CommandContext) async throws {
        guard try context.home().isInitialised else { throw APIError.notInitialised }
        let status = try await context.withService { service in
            guard let client = service as? LocalClient else {
                return try await service.call(\.agent.status)
            }
            return try await SilentAgent(client: client).answer(within: .seconds(2)) {
                try await client.call(\.agent.status)
            }
        }
        try context.output.result(status) { "\(Symbols.of($0.state)) \($0.verdict)" }
    }
}
