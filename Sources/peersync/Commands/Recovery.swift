internal import Agent
internal import ArgumentParser
import Device
internal import Foundation
internal import LocalAPI

/// Groups the commands about the recovery key.
struct Recovery: ParsableCommand {
    static let configuration = CommandConfiguration(
        "recovery", "Use your recovery key.",
        examples: ["peersync recovery test", "peersync recovery use"],
        remarks: """
            It was shown once, by 'peersync init'. It takes rights from every device of yours \
            ('peersync device lost'), and brings you back when you have none left ('peersync \
            recovery use'). Whoever has it can let a device of theirs into your trips: your other \
            devices then say so, with '!' and the command that puts it out ('peersync device \
            lost'). If somebody else has read it, exchange it: 'peersync recovery exchange'.
            """,
        subcommands: [RecoveryTest.command, RecoveryUse.command, RecoveryExchange.command])
}

struct RecoveryTest: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "test", "Say whether a recovery key is yours and without a mistake.",
        examples: ["peersync recovery test", tr("peersync recovery test --recovery-file key.txt")],
        remarks: "It changes nothing.")

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    /// Exits with 0 if the key is this person's, with 1 otherwise.
    func run(in context: CommandContext) async throws {
        let key = try await RecoveryKeyFile.key(recoveryFile, context)
        let view = try await context.show(
            \.devices.testKey, RecoveryKeyDraft(recoveryKey: key), as: RecoveryText.tested)
        if !view.me || view.exchanged { throw ExitCode(1) }
    }
}

/// Uses the recovery key: a new device is set up with it first, and then asks the connected devices
/// for this person's trips.
struct RecoveryUse: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "use", "Come back with your recovery key when you have no device left.",
        examples: ["peersync recovery use", tr("peersync recovery use --recovery-file key.txt")],
        remarks: """
            On a computer without peersync data it makes a new device of yours. Pair that with \
            anybody who shares a trip with you, and run it again: it asks the devices that are \
            connected, and that you paired with it, for all your trips. A key can be stolen, so \
            everybody who gives you a trip back has paired with you first. Your own lists come \
            only from another device of yours. What others took from you stays taken.
            """)

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    @Option(help: ArgumentHelp(OptionHelp.deviceName, valueName: "name")) var name: String?

    @Option(help: ArgumentHelp(OptionHelp.personName, valueName: "name")) var person: String?

    /// The output of `--json` for a new device.
    private struct NewDevice: Encodable, Sendable {
        let deviceID: String
        let deviceName: String
        let personName: String
        let home: String
    }

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { return try await setUp(home, context) }
        let key = try await RecoveryKeyFile.key(recoveryFile, context)
        let connection = try await ServiceConnection.open(
            home: home, needs: .network, context.output)
        let view = try await context.withService(of: connection) { service in
            try await service.call(\.devices.useKey, RecoveryKeyDraft(recoveryKey: key))
        }
        try context.output.result(view, describe: RecoveryText.recovered)
        context.output.remark(RecoveryText.recoveredNext(view))
    }

    private func setUp(_ home: AgentHome, _ context: CommandContext) async throws {
        let key = try await RecoveryKeyFile.key(recoveryFile, context)
        let personName = try await context.prompt.text(
            given: person, SetupText.askPersonName, flag: "--person")
        let deviceName = try await context.prompt.text(
            given: name, SetupText.askDeviceName, default: HostName.current, flag: "--name")
        let made = try await AgentProgram.initialise(
            home, deviceName: deviceName, personName: personName, recoveryKey: key)
        let device = NewDevice(
            deviceID: made.deviceID, deviceName: deviceName, personName: personName,
            home: home.directory)
        try context.output.result(device) {
            SetupText.done(device: $0.deviceName, person: $0.personName)
        }
        context.output.remark(
            tr(
                """
                Next: pair with anybody who shares a trip with you ('peersync pair' there, \
                'peersync join' here), and run 'peersync recovery use' again. Put the recovery key \
                away safely afterwards.
                """))
    }
}

/// Exchanges the recovery key: the person has the new one before the old one becomes invalid.
struct RecoveryExchange: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "exchange", "Exchange your recovery key for a new one.",
        examples: [
            "peersync recovery exchange",
            tr("peersync recovery exchange --recovery-file old.txt --new-file new.txt"),
        ],
        remarks: """
            When somebody may have read it. It takes the old key and a device of yours that \
            somebody let into your trips: who has only the key cannot do it, and who did so before \
            you with a device that the key let in is overruled. A device that the old key called \
            lost stays lost, unless you name it with --found. The new key is shown first; nothing \
            changes before you say that you have it. You stay the same person, and your devices \
            stay. What the old key alone let in is out, and what it took from your devices is \
            given back; what it said otherwise stays as it is. Others hear of it when they sync; \
            until then the old key counts with them.
            """)

    @Option(help: ArgumentHelp(OptionHelp.keyFile, valueName: "file"), completion: .file())
    var recoveryFile: String?

    @Option(
        help: .tr(
            "Write the new recovery key to a new file instead of showing it.", valueName: "file"),
        completion: .file())
    var newFile: String?

    @Option(
        help: .tr("A device that the old key called lost, and not you.", valueName: "device"),
        completion: .names(of: .device))
    var found: [String] = []

    /// The output of `--json`; without the key if it was written to a file.
    private struct Result: Encodable, Sendable {
        let trips: [Reference]
        let elsewhere: [Reference]
        let putOut: [Reference]
        let stayLost: [Reference]
        let leftOut: Int
        let recoveryKey: String?
        let newFile: String?
    }

    func run(in context: CommandContext) async throws {
        let old = try await RecoveryKeyFile.key(recoveryFile, context)
        let new = try KeyExchangeService.successor(of: old)
        let view = try await context.withService { service in
            func exchange(preview: Bool) async throws -> KeyExchangeView {
                try await service.call(
                    \.devices.exchangeKey,
                    KeyExchangeDraft(
                        recoveryKey: old, newRecoveryKey: new,
                        found: found.isEmpty ? nil : found, preview: preview))
            }
            let preview = try await exchange(preview: true)
            let file = try newFile.map {
                try PrivateFile(creating: InputPath.absolute($0), option: "--new-file")
            }
            do {
                try file?.write(new + "\n")
                try await context.prompt.insist(
                    RecoveryText.exchangeQuestion(preview, newKey: file == nil ? new : nil))
            } catch {
                // The old key is still valid.
                file?.remove()
                throw error
            }
            // From here on the new key may be valid, even if no answer arrives.
            return try await exchange(preview: false)
        }
        let result = Result(
            trips: view.trips, elsewhere: view.elsewhere, putOut: view.putOut,
            stayLost: view.stayLost, leftOut: view.leftOut, recoveryKey: newFile == nil ? new : nil,
            newFile: newFile)
        try context.output.result(result) { _ in
            // A person who was asked has read it already.
            let shown =
                newFile == nil && context.prompt.answersYes
                ? "\n\n" + SetupText.recoveryKey(new) : ""
            return RecoveryText.exchanged(view) + shown
        }
        context.output.remark(RecoveryText.exchangedNext(file: newFile))
    }
}

/// A recovery key as it was written down.
enum RecoveryKeyFile {
    /// Reads the key from the file, the terminal, or the first line of standard input.
    static func key(_ file: String?, _ context: CommandContext) async throws -> String {
        if let file, file != "-" { return try read(file) }
        if !context.prompt.terminal.canAsk,
            let key = try await StandardInput.shared.line()?.trimmedLine, !key.isEmpty
        {
            return key
        }
        return try await context.prompt.text(tr("Recovery key"), flag: "--recovery-file")
    }

    /// Throws ``APIError``.
    static func read(_ path: String) throws -> String {
        let path = InputPath.absolute(path)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw APIError(
                code: .badInput, sentence: "The file \(path) cannot be read.",
                hint: "Check its name and permissions.")
        }
        return String(decoding: data.prefix(4096), as: UTF8.self).trimmedLine
    }
}
