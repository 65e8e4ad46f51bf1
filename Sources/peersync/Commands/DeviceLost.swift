internal import ArgumentParser
internal import LocalAPI

/// Takes from a lost device what can be taken, after saying what that is.
struct DeviceLost: PeersyncCommand {
    static let configuration = CommandConfiguration("lost", .deviceLost)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(
        help: ArgumentHelp(OptionHelp.lostSince, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    @Option(
        help: ArgumentHelp(OptionHelp.keepDevice, valueName: "device"),
        completion: .names(of: .device))
    var keep: [String] = []

    func run(in context: CommandContext) async throws {
        var key = try recoveryFile.map { try RecoveryKeyFile.read($0) }
        let view = try await context.withService { service in
            func ask(preview: Bool) async throws -> LostView {
                try await service.call(
                    \.devices.lost, id: device,
                    LostDraft(
                        since: since, recoveryKey: key, preview: preview,
                        keep: keep.isEmpty ? nil : keep))
            }
            var preview = try await ask(preview: true)
            if key == nil, context.prompt.terminal.canAsk,
                preview.call == .needsKey
                    || preview.trips.contains(where: { $0.outcome == .needsKey })
            {
                let typed = try await context.prompt.text(
                    Sentence.Lost.askKey, default: Sentence.Lost.noKey, flag: "--recovery-file")
                key = typed == Sentence.Lost.noKey ? nil : typed
                if key != nil { preview = try await ask(preview: true) }
            }
            try await context.prompt.insist(Sentence.Lost.question(preview))
            return try await ask(preview: false)
        }
        try context.output.result(view, describe: Sentence.Lost.done)
        context.output.remark(Sentence.Lost.next(view))
    }
}

/// Takes back that a device is lost.
struct DeviceFound: PeersyncCommand {
    static let configuration = CommandConfiguration("found", .deviceFound)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    func run(in context: CommandContext) async throws {
        let key = try recoveryFile.map { try RecoveryKeyFile.read($0) }
        try await context.show(
            \.devices.found, id: device, FoundDraft(recoveryKey: key)
        ) { Sentence.Lost.found($0) }
    }
}
