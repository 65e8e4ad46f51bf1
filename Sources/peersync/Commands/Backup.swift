internal import Agent
internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about backups; without one of them it makes one.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        "backup", .backup,
        subcommands: [BackupMaking.command, BackupVerify.command, BackupListing.command],
        otherwise: BackupMaking.command)
}

/// Backs up everything on this device.
struct BackupMaking: PeersyncCommand {
    static let configuration = CommandConfiguration("make", .backupMake)

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp(OptionHelp.keepBackups, valueName: "7d,4w,12m")) var keep: String?

    @Flag(help: ArgumentHelp(OptionHelp.withoutKeys)) var withoutKeys = false

    @Flag(help: ArgumentHelp(OptionHelp.fullBackup)) var full = false

    func run(in context: CommandContext) async throws {
        var draft = BackupDraft(path: folder.map(InputPath.absolute))
        draft.withoutKeys = withoutKeys
        draft.full = full
        draft.keep = keep
        do {
            let report = try await context.show(
                \.agent.backUp, draft, as: Sentence.Backup.made)
            for remark in Sentence.Backup.remarks(report) { context.output.remark(remark) }
        } catch is CancellationError {
            throw Sentence.Backup.stopped
        }
    }
}

/// The folder that was named, or that of the last backup.
private func place(_ folder: String?, _ context: CommandContext) async throws -> String {
    if let folder { return InputPath.absolute(folder) }
    guard let last = try await context.call(\.agent.status).lastBackup else {
        throw Sentence.Backup.needsFolder
    }
    return last.path
}

struct BackupVerify: PeersyncCommand {
    static let configuration = CommandConfiguration("verify", .backupVerify)

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp(OptionHelp.oneBackup, valueName: "name")) var backup: String?

    /// 0 when everything is as it was written, 1 otherwise.
    func run(in context: CommandContext) async throws {
        let path = try await place(folder, context)
        let view = try await context.showingProgress {
            try await AgentProgram.verifyBackups(in: path, only: backup)
        }
        try context.output.result(view, describe: Sentence.Backup.verified)
        guard view.faults.isEmpty else {
            context.output.remark(Sentence.Backup.mend(view.path))
            throw ExitCode(1)
        }
    }
}

struct BackupListing: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .backupList)

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String?

    func run(in context: CommandContext) async throws {
        let list = try await AgentProgram.backups(in: try await place(folder, context))
        try context.output.result(list) { list in
            guard !list.backups.isEmpty else { return Sentence.Backup.none }
            var table = Table([
                .text(tr("backup")), .text(tr("made")), .text(tr("device"), shrinksTo: 10),
                .text("", shrinksTo: 20),
            ])
            for entry in list.backups {
                guard let holds = entry.holds else {
                    table.add([entry.name, "", "", Sentence.Backup.unreadable])
                    continue
                }
                let keys = holds.keys ? "" : ", \(Sentence.Backup.withoutKeys)"
                table.add([
                    entry.name, Formatting.ago(holds.made), holds.device,
                    Sentence.Backup.holds(holds) + keys,
                ])
            }
            return table.rendered(width: context.output.width)
        }
    }
}

/// Makes a device again from a backup.
struct Restore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .restore)

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String

    @Option(help: ArgumentHelp(OptionHelp.oneBackup, valueName: "name")) var backup: String?

    @Option(help: ArgumentHelp(OptionHelp.deviceKeyFile, valueName: "file"), completion: .file())
    var keyFile: String?

    func run(in context: CommandContext) async throws {
        let key = try keyFile.map(InputPath.existingFile)
        let report = try await context.showingProgress {
            try await AgentProgram.restore(
                try context.home(), from: InputPath.absolute(folder), backup: backup, keyFile: key)
        }
        try context.output.result(report) { report in
            Sentence.Backup.restored(
                report, made: report.backup.holds.map { Formatting.ago($0.made) } ?? "")
        }
        if report.damaged > 0 { context.output.remark(Sentence.Backup.restoredLost(report)) }
        context.output.remark(Sentence.Backup.restoredNext)
    }
}
