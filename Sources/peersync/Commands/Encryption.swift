internal import ArgumentParser
internal import LocalAPI

struct EncryptSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("encrypt", .encrypt(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        do {
            try await context.show(\.trips.encrypt, id: space.name) {
                Sentence.Encryption.encrypted($0, Group.noun)
            }
        } catch is CancellationError {
            throw Sentence.Encryption.stopped(space.name, Group.noun)
        }
    }
}

/// Groups the commands about the keys of an encrypted space.
struct SpaceKey<Group: SpaceCommands>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "key", .key(Group.noun),
            subcommands: [ExportKeys<Group>.command, RotateKey<Group>.command])
    }
}

/// What `--json` prints: the keys are in the file alone.
private struct ExportedKeys: Encodable, Sendable {
    let trip: Reference
    let keys: Int
    let keysTotal: Int
    let path: String
}

struct ExportKeys<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("export", .exportKey(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Option(help: ArgumentHelp(OptionHelp.tripKeyFile, valueName: "file"), completion: .file())
    var to: String

    func run(in context: CommandContext) async throws {
        let path = InputPath.absolute(to)
        let file = try PrivateFile(creating: path, option: "--to")
        do {
            let view = try await context.call(\.trips.exportKey, id: space.name)
            try file.write(view.identities)
            let result = ExportedKeys(
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

struct RotateKey<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("rotate", .rotateKey(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.rotateKey, id: space.name, as: Sentence.Encryption.rotated)
    }
}
