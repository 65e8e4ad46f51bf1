internal import ArgumentParser
internal import LocalAPI

/// Revokes the rights of a lost device, after listing them.
struct DeviceLost: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "lost", "Take every trip from a device that was lost or stolen.",
        examples: [
            tr("peersync device lost phone"),
            tr("peersync device lost phone --since \"yesterday 18:00\""),
            tr("peersync device lost laptop --recovery-file key.txt"),
        ],
        remarks: """
            It tells everybody who shares a trip with you that the device is lost, and says for \
            each trip what the device held, who has heard, and where you cannot take it and who \
            could. A device takes rights from those that came after it; from the first one only \
            your recovery key does. A device that was paired on the lost one is lost with it, \
            unless you name it with --keep. \(LostText.limits) With --since, what it wrote \
            from then on counts no more; it can be brought back with 'peersync orphans recover'. \
            'peersync device found' takes it back. A device of somebody else loses the trips that you \
            can take, and is forgotten here: if it is found, pair with it again and grant it the \
            trips. There is no server that knows who you are. If \
            two devices that were paired on the same one call each other lost, both get nothing \
            new until that one, or your recovery key, says which is lost. If a thief has your \
            first device and your recovery key, the thief is you for others: ask them to take \
            their trips from you ('peersync trip revoke'), and start again with 'peersync init'.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(
        help: .tr(
            """
            What it wrote from this day or time on counts no more; by default what is here counts.
            """,
            valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    @Option(
        help: .tr(
            "A device that was paired on the lost one and is in your hands.", valueName: "device"),
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
                let skip = tr("skip")
                let typed = try await context.prompt.text(
                    tr("Your recovery key, for what only it can take (or: skip)"),
                    default: skip, flag: "--recovery-file")
                key = typed == skip ? nil : typed
                if key != nil { preview = try await ask(preview: true) }
            }
            if !preview.again { try await context.prompt.insist(LostText.question(preview)) }
            return try await ask(preview: false)
        }
        try context.output.result(view, describe: LostText.done)
        context.output.remark(LostText.next(view))
    }
}

/// Withdraws the report that a device is lost.
struct DeviceFound: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "found", "Say that a lost device was found.",
        examples: [
            tr("peersync device found phone"),
            tr("peersync device found laptop --recovery-file key.txt"),
        ],
        remarks: """
            It takes back 'peersync device lost', tells everybody, and gives the device the trips \
            again that you may give. The device that called it lost can, one that is older, and \
            your recovery key. Do it only when you have the device in your hands.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.device, valueName: "device"), completion: .names(of: .device))
    var device: String

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    func run(in context: CommandContext) async throws {
        let key = try recoveryFile.map { try RecoveryKeyFile.read($0) }
        try await context.show(
            \.devices.found, id: device, FoundDraft(recoveryKey: key)
        ) { view in
            let device = Sentence.plain(view.device.name)
            let trips = Sentence.Member.list(view.trips.map { Sentence.name($0.name) })
            let given = view.trips.isEmpty ? "" : tr(" It has again: \(trips).")
            return tr("\(device) is not lost any more, and everybody is told.\(given)")
        }
    }
}
