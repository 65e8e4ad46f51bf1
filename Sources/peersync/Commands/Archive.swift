internal import ArgumentParser
internal import LocalAPI

/// Writes an archive of a trip or space.
struct WriteArchive<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "archive", "Write a \(Group.noun.word) to an archive that any computer can read.",
            examples: [
                Group.noun.typed(tr("archive"), tr("--to ~/Backup")),
                Group.noun.typed(
                    tr("archive"), tr("--to /media/stick/backup.tar.age --encrypted-to age1…")),
            ],
            remarks: """
                The archive is a folder with all texts as JSON, places and tracks as GPX, all \
                photos and files, what happened, and a page to read it with: index.html. \
                SHA256SUMS has the hashes of all; check them with 'sha256sum -c'. With \
                --encrypted-to it is a tar file instead that only these keys open, with peersync \
                or with 'age -d'. It appears whole or not at all, and replaces nothing.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Option(
        help: .tr("A folder, in which it gets its name, or a new name.", valueName: "path"),
        completion: .file())
    var to: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: .tr(
            "Encrypt it to a recipient of age (age1…); may be repeated.", valueName: "recipient"))
    var encryptedTo: [String] = []

    @Flag(help: .tr("Also without the files that are not on this device."))
    var incomplete = false

    func run(in context: CommandContext) async throws {
        var target = ArchiveTarget(path: InputPath.absolute(to))
        target.encryptedTo = encryptedTo
        target.incomplete = incomplete
        do {
            let report = try await context.show(
                \.trips.archive, id: space.name, target, as: ArchiveText.written)
            if report.missing > 0 {
                context.output.remark(
                    tr(
                        report.missing,
                        "Not in it: \(report.missing) file that is not on this device.",
                        "Not in it: \(report.missing) files that are not on this device."))
            }
            if report.closed.count > 0 {
                context.output.remark(
                    tr(
                        """
                        Not in it: \(Sentence.count(report.closed.count, "file", "files")) whose \
                        key is not on this device: \(Sentence.Encryption.names(report.closed)).
                        """))
            }
            context.output.remark(ArchiveText.next(report))
        } catch is CancellationError {
            throw ArchiveText.stopped
        }
    }
}

/// Imports an archive.
struct ImportArchive<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "import", "Make a \(Group.noun.word) of an archive.",
            examples: [
                "peersync \(Group.noun) import ~/Backup/Arezzo",
                "peersync \(Group.noun) import arezzo.tar.age --identity key.txt --encrypted",
            ],
            remarks: """
                Everything in the archive is verified first; when something is wrong, nothing is \
                imported. What it becomes is new and yours: share it again with whom you like. Who \
                wrote what before, and when, is kept.
                """)
    }

    @Argument(
        help: .tr("The archive: its folder, or the encrypted file.", valueName: "archive"),
        completion: .file())
    var archive: String

    @Option(
        help: .tr("File with the age key of an encrypted archive.", valueName: "file"),
        completion: .file())
    var identity: String?

    @Flag(help: .tr("Also when the same is here already."))
    var again = false

    @Flag(help: ArgumentHelp(OptionHelp.encrypted)) var encrypted = false

    func run(in context: CommandContext) async throws {
        var wanted = ArchiveImport(path: InputPath.absolute(archive))
        wanted.identityPath = try identity.map(InputPath.existingFile)
        wanted.again = again
        wanted.encrypted = encrypted
        let report: ImportReport
        do {
            report = try await context.call(\.trips.importArchive, wanted)
        } catch is CancellationError {
            throw ArchiveText.stopped
        } catch let error as APIError where error.code == .confirmationNeeded {
            guard context.prompt.answersYes || context.prompt.terminal.canAsk else { throw error }
            try await context.prompt.insist(
                error.sentence + "\n" + tr("Import it as another one all the same?"))
            wanted.again = true
            report = try await context.call(\.trips.importArchive, wanted)
        }
        try context.output.result(report, describe: ArchiveText.imported)
        if report.leftOut > 0 {
            context.output.remark(
                tr(
                    report.leftOut,
                    "Left out: \(report.leftOut) record whose file is not in the archive.",
                    "Left out: \(report.leftOut) records whose files are not in the archive."))
        }
        if report.wasEncrypted, !encrypted {
            context.output.remark(
                tr(
                    """
                    The archived one was encrypted, and this one is not: for that, import with \
                    --encrypted.
                    """))
        }
    }
}
