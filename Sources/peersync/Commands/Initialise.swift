internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// Sets up this computer: device, person, store.
struct Initialise: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "init", "Set up this computer as your first device.",
        examples: [
            "peersync init",
            tr("peersync init --name laptop --person Ann --recovery-file ~/ann.key"),
        ],
        remarks: """
            Shows your recovery key once: write it down. If you already use peersync on another \
            device, run 'peersync join --mine' instead.
            """)

    @Option(help: ArgumentHelp(OptionHelp.deviceName, valueName: "name")) var name: String?

    @Option(help: ArgumentHelp(OptionHelp.personName, valueName: "name")) var person: String?

    @Option(
        help: .tr("Write the recovery key to a new file instead of showing it.", valueName: "file"),
        completion: .file())
    var recoveryFile: String?

    /// The output of `--json`; without the key if it was written to a file.
    private struct Result: Encodable, Sendable {
        let deviceID: String
        let deviceName: String
        let personName: String
        let home: String
        var recoveryKey: String?
        var recoveryFile: String?
    }

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard !home.isInitialised else { throw APIError.alreadyInitialised(home: home.directory) }
        let file = try recoveryFile.map {
            try PrivateFile(creating: InputPath.absolute($0), option: "--recovery-file")
        }
        do {
            let personName = try await context.prompt.text(
                given: person, SetupText.askPersonName, flag: "--person",
                example: tr("peersync init --person Ann"))
            let deviceName = try await context.prompt.text(
                given: name, SetupText.askDeviceName, default: HostName.current,
                flag: "--name")
            let made = try await AgentProgram.initialise(
                home, deviceName: deviceName, personName: personName)
            var result = Result(
                deviceID: made.deviceID, deviceName: deviceName, personName: personName,
                home: home.directory)
            store(made.recoveryKey, in: file, &result, context.output)
            try show(result, in: context)
        } catch {
            // No identity was created, so the file is of no use.
            if !home.isInitialised { file?.remove() }
            throw error
        }
    }

    /// A key that cannot be written is shown instead: it must not be lost.
    private func store(
        _ key: String, in file: PrivateFile?, _ result: inout Result, _ output: Output
    ) {
        guard let file else {
            result.recoveryKey = key
            return
        }
        do {
            try file.write(key + "\n")
            result.recoveryFile = file.path
        } catch {
            output.remark(tr("\(error.sentence) So here is the recovery key:"))
            result.recoveryKey = key
        }
    }

    private func show(_ result: Result, in context: CommandContext) throws {
        try context.output.result(result) { result in
            let done = SetupText.done(device: result.deviceName, person: result.personName)
            let key =
                result.recoveryKey.map(SetupText.recoveryKey)
                ?? tr(
                    """
                    Your recovery key is in \(result.recoveryFile ?? ""). Move that file away from \
                    your devices, for example to
                    a USB stick. With it you can prove that you are you when all your devices are \
                    lost or
                    stolen; who has it can act as you.
                    """)
            return done + "\n\n" + key
        }
        context.output.remark(
            "\n"
                + tr(
                    """
                    Next:
                      peersync pair                          connect another device or a friend
                      peersync trip create "Arezzo 2008"     make your first trip
                      peersync service install               keep everything in sync, in the \
                    background
                    """))
    }
}
