internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// The guest's side of pairing: enters the code.
struct Join: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "join", "Connect with a device that shows a code.",
        examples: [
            "peersync join", "peersync join 7-4827-1956 --mine",
            "echo 7-4827-1956 | peersync join --yes --at 192.168.1.20",
        ],
        remarks: """
            Without a code it asks for one, or reads it from standard input. Other users of this \
            computer can see arguments while the command runs; a code works once and for two \
            minutes. Put a link in quotes. --mine makes this computer another device of yours.
            """)

    /// Several words, as a code may be typed with spaces.
    @Argument(
        help: .tr(
            "The code or link that the other device shows; if missing, asked for.",
            valueName: "code"))
    var code: [String] = []

    @Flag(help: .tr("Make this computer another device of yours."))
    var mine = false

    @Option(
        help: .tr(
            "Address of the other device, if it is not found automatically.",
            valueName: "host[:port]"))
    var at: String?

    @Option(help: ArgumentHelp(OptionHelp.deviceName, valueName: "name")) var name: String?

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised || mine else { throw APIError.notInitialised }
        guard code.isEmpty || PairingCodeInput.isPlausible(typedCode) else {
            throw APIError.malformedCode
        }
        try context.prompt.requireAnswer(to: PairingDialogue.confirmationWillBeAsked)
        let code = try await code(context)
        let connection =
            home.isInitialised
            ? try await ServiceConnection.open(home: home, needs: .network, context.output)
            : .opened(
                try await AgentProgram.openForJoining(home, deviceName: name ?? HostName.current))
        try await context.withService(of: connection) { service in
            let me = try await service.call(\.agent.info)
            let view = try await start(service, code: code, context)
            try await PairingDialogue(context: context, service: service, me: me).follow(view)
            if mine { try await firstSync(service, context) }
        }
    }

    /// The data of the person's other devices arrives at once. If an agent runs, a person who does
    /// not want to wait for it may stop waiting.
    private func firstSync(
        _ service: any AgentService, _ context: CommandContext
    ) async throws {
        do {
            let report = try await context.showingProgress {
                try await service.call(\.sync.now)
            }
            context.output.say(SyncText.rendered(report, width: context.output.width))
        } catch is CancellationError {
            throw SyncText.stoppedWaiting
        }
    }

    private var typedCode: String { code.joined(separator: " ").trimmedLine }

    /// From the arguments, the terminal, or the first line of standard input.
    private func code(_ context: CommandContext) async throws -> String {
        if code.isEmpty, context.prompt.terminal.canAsk { return try await askedCode(context) }
        let text =
            code.isEmpty
            ? try await StandardInput.shared.line()?.trimmedLine ?? ""
            : typedCode
        guard !text.isEmpty else { throw Self.noCode }
        guard PairingCodeInput.isPlausible(text) else { throw APIError.malformedCode }
        return text
    }

    private static let noCode = APIError(
        code: .badInput, sentence: "There is no code.",
        hint: """
            Type the code the other device shows, give it as an argument, or send it on standard \
            input.
            """)

    /// Asks again after an empty line or a text that cannot be a code: nothing was sent.
    private func askedCode(_ context: CommandContext) async throws -> String {
        var failure = Self.noCode
        for _ in 0..<3 {
            context.output.ask(tr("Code or link shown on the other device") + ": ")
            guard let text = try await StandardInput.shared.line()?.trimmedLine else { break }
            if PairingCodeInput.isPlausible(text) { return text }
            if text.isEmpty { continue }
            failure = .malformedCode
            context.output.remark(failure.hint ?? failure.sentence)
        }
        throw failure
    }

    /// Asks for confirmation if this would replace the person of this device.
    private func start(
        _ service: any AgentService, code: String, _ context: CommandContext
    ) async throws -> PairingView {
        let request = JoinRequest(
            codeOrLink: code, mine: mine, address: at, replacePerson: false)
        do {
            return try await service.call(\.devices.pairing.join, request)
        } catch let error as APIError where error.code == .confirmationNeeded {
            try await context.prompt.insist(
                error.sentence + "\n" + tr("Go on?"))
            return try await service.call(
                \.devices.pairing.join,
                JoinRequest(codeOrLink: code, mine: mine, address: at, replacePerson: true))
        }
    }
}
