internal import ArgumentParser
internal import LocalAPI

/// Where and how an archive is written.
struct WriteArchive<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("archive", .archive(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Option(help: ArgumentHelp(OptionHelp.archiveTo, valueName: "path"), completion: .file())
    var to: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(OptionHelp.encryptedTo, valueName: "recipient"))
    var encryptedTo: [String] = []

    @Flag(help: ArgumentHelp(OptionHelp.incomplete)) var incomplete = false

    func run(in context: CommandContext) async throws {
        var target = ArchiveTarget(path: InputPath.absolute(to))
        target.encryptedTo = encryptedTo
        target.incomplete = incomplete
        do {
            let report = try await context.show(
                \.trips.archive, id: space.name, target, as: Sentence.Archive.written)
            if report.missing > 0 { context.output.remark(Sentence.Archive.missing(report)) }
            if report.closed.count > 0 { context.output.remark(Sentence.Archive.closed(report)) }
            context.output.remark(Sentence.Archive.next(report))
        } catch is CancellationError {
            throw Sentence.Archive.stopped
        }
    }
}

/// What is made of an archive.
struct ImportArchive<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("import", .importing(Group.noun))
    }

    @Argument(help: ArgumentHelp(OptionHelp.archive, valueName: "archive"), completion: .file())
    var archive: String

    @Option(help: ArgumentHelp(OptionHelp.identity, valueName: "file"), completion: .file())
    var identity: String?

    @Flag(help: ArgumentHelp(OptionHelp.importAgain)) var again = false

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
            throw Sentence.Archive.stopped
        } catch let error as APIError where error.code == .confirmationNeeded {
            guard context.prompt.answersYes || context.prompt.terminal.canAsk else { throw error }
            try await context.prompt.insist(error.sentence + "\n" + Sentence.Archive.askAgain)
            wanted.again = true
            report = try await context.call(\.trips.importArchive, wanted)
        }
        try context.output.result(report, describe: Sentence.Archive.imported)
        if report.leftOut > 0 { context.output.remark(Sentence.Archive.leftOut(report)) }
        if report.wasEncrypted, !encrypted {
            context.output.remark(Sentence.Archive.notEncrypted)
        }
    }
}
