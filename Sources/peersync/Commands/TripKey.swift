internal import ArgumentParser
internal import LocalAPI

struct TripEncrypt: PeersyncCommand {
    static let configuration = CommandConfiguration("encrypt", .tripEncrypt)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.encrypt, id: trip, as: Sentence.Encryption.encrypted)
    }
}

/// Groups the commands about the keys of a trip.
struct TripKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        "key", .tripKey, subcommands: [TripKeyExportCommand.command, TripKeyRotate.command])
}

struct TripKeyExportCommand: PeersyncCommand {
    static let configuration = CommandConfiguration("export", .tripKeyExport)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @Option(help: ArgumentHelp(OptionHelp.tripKeyFile, valueName: "file")) var to: String

    /// What `--json` prints: the keys are in the file alone.
    private struct Result: Encodable, Sendable {
        let trip: Reference
        let keys: Int
        let keysTotal: Int
        let path: String
    }

    func run(in context: CommandContext) async throws {
        let path = InputPath.absolute(to)
        let file = try PrivateFile(creating: path, option: "--to")
        do {
            let view = try await context.call(\.trips.exportKey, id: trip)
            try file.write(view.identities)
            let result = Result(
                trip: view.trip, keys: view.keys, keysTotal: view.keysTotal, path: path)
            try context.output.result(result) { _ in
                Sentence.Encryption.exported(view, path: to)
            }
            context.output.remark(Sentence.Encryption.exportedNext)
        } catch {
            file.remove()
            throw error
        }
    }
}

struct TripKeyRotate: PeersyncCommand {
    static let configuration = CommandConfiguration("rotate", .tripKeyRotate)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.rotateKey, id: trip, as: Sentence.Encryption.rotated)
    }
}
