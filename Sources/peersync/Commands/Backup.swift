internal import Agent
internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about backups; without a subcommand it makes one.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        "backup", "Back up everything on this device.",
        examples: [
            "peersync backup /media/usb", "peersync backup", "peersync backup --keep 7d,4w,12m",
            "peersync backup verify", "peersync backup list /media/usb",
        ],
        remarks: """
            It works while the agent runs. Each photo is copied once, however many backups have \
            it; everything that is written is read back and compared. If it is interrupted, the \
            next one goes on from there. Without a folder it uses that of the last one. The keys \
            of this device are part of it: with them 'peersync restore' makes this device again, \
            for example when its disk broke. With --keep, the latest backup of each of so many \
            days (d), weeks (w), months (m) and years (y) stays, and all others of this device are \
            removed.
            """,
        subcommands: [BackupMaking.command, BackupVerify.command, BackupListing.command],
        otherwise: BackupMaking.command)
}

/// Backs up all data on this device.
struct BackupMaking: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "make", "Make a backup; what 'peersync backup' alone does.",
        examples: ["peersync backup make /media/usb", "peersync backup /media/usb --without-keys"])

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(
        help: .tr(
            "Keep the latest of so many days, weeks, months and years.", valueName: "7d,4w,12m"))
    var keep: String?

    @Flag(help: .tr("Leave out the keys of this device."))
    var withoutKeys = false

    @Flag(help: .tr("Read again what is there, and write again what is damaged."))
    var full = false

    func run(in context: CommandContext) async throws {
        var draft = BackupDraft(path: folder.map(InputPath.absolute))
        draft.withoutKeys = withoutKeys
        draft.full = full
        draft.keep = keep
        do {
            let report = try await context.show(
                \.agent.backUp, draft, as: BackupText.made)
            for remark in BackupText.remarks(report) { context.output.remark(remark) }
        } catch is CancellationError {
            throw APIError(
                code: .failed, sentence: "Stopped; there is no new backup.",
                hint: "What was copied stays: the next 'peersync backup' goes on from there.")
        }
    }
}

/// The named folder, or the folder of the last backup.
private func place(_ folder: String?, _ context: CommandContext) async throws -> String {
    if let folder { return InputPath.absolute(folder) }
    guard let last = try await context.call(\.agent.status).lastBackup else {
        throw Sentence.Backup.needsFolder
    }
    return last.path
}

struct BackupVerify: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "verify", "Read all backups in a folder, and say what is not as it was written.",
        examples: ["peersync backup verify", "peersync backup verify /media/usb"],
        remarks: "The exit code is 1 if something is missing or damaged.")

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp(OptionHelp.oneBackup, valueName: "name")) var backup: String?

    /// Exits with 0 if all bytes are as they were written, with 1 otherwise.
    func run(in context: CommandContext) async throws {
        let path = try await place(folder, context)
        let view = try await context.showingProgress {
            try await AgentProgram.verifyBackups(in: path, only: backup)
        }
        try context.output.result(view, describe: BackupText.verified)
        guard view.faults.isEmpty else {
            context.output.remark(
                tr(
                    """
                    To write again what this device still has: peersync backup --full \
                    \(Sentence.quoted(view.path)). The disk may be failing: use another one as well.
                    """))
            throw ExitCode(1)
        }
    }
}

struct BackupListing: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List the backups in a folder.",
        examples: ["peersync backup list", "peersync backup list /media/usb"])

    @Argument(
        help: ArgumentHelp(OptionHelp.backupFolder, valueName: "folder"), completion: .directory)
    var folder: String?

    func run(in context: CommandContext) async throws {
        let list = try await AgentProgram.backups(in: try await place(folder, context))
        try context.output.result(list) { list in
            guard !list.backups.isEmpty else { return tr("There is no backup in it.") }
            var table = Table([
                .text(tr("backup")), .text(tr("made")), .text(tr("device"), shrinksTo: 10),
                .wrapping("", shrinksTo: 20),
            ])
            for entry in list.backups {
                guard let holds = entry.holds else {
                    table.add([entry.name, "", "", tr("cannot be read")])
                    continue
                }
                let keys = holds.keys ? "" : ", \(tr("without keys"))"
                table.add([
                    entry.name, Formatting.ago(holds.made), holds.device,
                    BackupText.holds(holds) + keys,
                ])
            }
            return table.rendered(width: context.output.width)
        }
    }
}

/// Restores a device from a backup.
struct Restore: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "restore", "Make a device again from a backup.",
        examples: [
            "peersync restore /media/usb",
            "peersync restore /media/usb --backup 2026-11-26T09-41-12Z",
        ],
        remarks: """
            On a computer without peersync data, or with --home in a new folder. Everything is \
            compared with its hash on the way. What came after the backup comes again from other \
            devices once they are connected; nothing is lost or doubled by it, as the restored \
            device goes on in a log of its own.
            """)

    @Argument(
        help: .tr("Folder of backups.", valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: .tr("The backup of this name; by default the latest.", valueName: "name"))
    var backup: String?

    @Option(
        help: .tr("The device.key of a backup that was made without it.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    func run(in context: CommandContext) async throws {
        let key = try keyFile.map(InputPath.existingFile)
        let report = try await context.showingProgress {
            try await AgentProgram.restore(
                try context.home(), from: InputPath.absolute(folder), backup: backup, keyFile: key)
        }
        try context.output.result(report) { report in
            BackupText.restored(
                report, made: report.backup.holds.map { Formatting.ago($0.made) } ?? "")
        }
        for line in BackupText.lacking(report) { context.output.remark(line) }
        context.output.remark(
            tr(
                """
                What was written after that comes again from your other devices and those of \
                others. Start it: peersync run. Two computers must not be the same device: if the \
                old one still works, do not use it any more.
                """))
    }
}
