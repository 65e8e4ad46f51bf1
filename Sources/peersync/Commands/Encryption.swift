internal import ArgumentParser
internal import LocalAPI

struct EncryptSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "encrypt", "Encrypt a \(Group.noun.word) from now on.",
            examples: [Group.noun.typed(tr("encrypt"))],
            remarks: """
                What is written and added from then on can be read by its members alone, also \
                where others carry or keep it. Files that are there already are encrypted too, if \
                they are on this device; to go on with those that were not, or after an \
                interruption, run it again. What others have of it in the clear, they keep.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        do {
            try await context.show(\.trips.encryption.encrypt, id: space.name) {
                EncryptionText.encrypted($0, Group.noun)
            }
        } catch is CancellationError {
            throw APIError(
                code: .failed, sentence: "Stopped. Every file can be used as before.",
                hint: """
                    Encrypt those that are left: peersync \(Group.noun) encrypt \
                    \(Sentence.quoted(space.name))
                    """)
        }
    }
}

/// Groups the commands about the keys of an encrypted space.
struct SpaceKey<Group: SpaceCommands>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "key", "Export or change the key of an \(Group.noun.encrypted).",
            examples: [Group.noun.typed(tr("key rotate"))],
            subcommands: [ExportKeys<Group>.command, RotateKey<Group>.command])
    }
}

/// The output of `--json`: the keys are in the file only.
private struct ExportedKeys: Encodable, Sendable {
    let trip: Reference
    let keys: Int
    let keysTotal: Int
    let path: String
}

struct ExportKeys<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "export", "Write the keys of an \(Group.noun.encrypted) to a file, for age.",
            examples: [Group.noun.typed(tr("key export"), tr("--to keys.txt"))],
            remarks: """
                The file has one age identity for each key that \(Group.noun.the) ever had, as far \
                as this device has them. Whoever has the file can read what was encrypted under \
                them: 'age -d -i' opens its files.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Option(
        help: .tr("A new file for the keys, which only you can read.", valueName: "file"),
        completion: .file())
    var to: String

    func run(in context: CommandContext) async throws {
        let path = InputPath.absolute(to)
        let file = try PrivateFile(creating: path, option: "--to")
        do {
            let view = try await context.call(\.trips.encryption.exportKey, id: space.name)
            try file.write(view.identities)
            let result = ExportedKeys(
                trip: view.trip, keys: view.keys, keysTotal: view.keysTotal, path: path)
            try context.output.result(result) { _ in
                let keys =
                    view.keys == view.keysTotal
                    ? Sentence.count(view.keys, "key", "keys")
                    : tr(
                        view.keysTotal,
                        "\(view.keys) of \(view.keysTotal) key, all that this device has,",
                        "\(view.keys) of \(view.keysTotal) keys, all that this device has,")
                return tr("Wrote \(keys) of \(Sentence.name(view.trip.name)) to \(to).")
            }
            context.output.remark(
                tr(
                    """
                    Whoever has this file can read everything that was encrypted under its keys. \
                    Keep it as you keep a password.
                    """))
        } catch {
            file.remove()
            throw error
        }
    }
}

struct RotateKey<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "rotate", "Give an \(Group.noun.encrypted) a new key.",
            examples: [Group.noun.typed(tr("key rotate"))],
            remarks: """
                Its members get it. It protects what is written from then on, not what was written \
                under the keys before. Removing somebody does this by itself.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.encryption.rotateKey, id: space.name) { view in
            tr(
                """
                \(Sentence.name(view.trip.name)) has a new key, \(EncryptionText.on(view.devices)). It protects what is \
                written from now on; whoever had the keys before can still read what was written under them.
                """)
        }
    }
}
