internal import ArgumentParser
internal import Foundation
internal import LocalAPI

/// Groups the commands about data sets.
struct DataSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        "dataset", "Load rows that somebody maintains, and keep them up to date.",
        examples: [
            tr("peersync dataset check exercises"),
            tr("peersync dataset apply exercises --space Gym"),
        ],
        remarks: """
            A data set is a folder with dataset.yaml and CSV files. `reference` are rows that its \
            maker keeps up to date, `samples` are rows to begin with; each has a version, and \
            nothing happens unless one is raised. What people wrote stays, and so does what they \
            added.
            """,
        subcommands: [
            DataSetChecking.command, DataSetReleasing.command, DataSetListing.command,
            DataSetApplying.command, DataSetResetting.command, DataSetFollowing.command,
            DataSetUnfollowing.command, DataSetVersionSetting.command,
        ])
}

struct DataSetChecking: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "check", "Check a data set, and name the mistakes in it.",
        examples: [tr("peersync dataset check exercises")],
        remarks:
            "Without --space it takes the schema file NAME.yaml in that folder or the one above.")

    @OptionGroup var folder: DataSetFolder

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    /// Exits with 0 if the set has no mistakes, with 1 otherwise.
    func run(in context: CommandContext) async throws {
        let source = DataSetSource(path: folder.path, space: space)
        let check = try await context.show(\.schemas.checkSet, source, as: DataSetText.checked)
        guard check.mistakes.isEmpty else {
            context.output.remark(
                tr(
                    """
                    \(Sentence.count(check.mistakes.count, "mistake", "mistakes")). Nothing was \
                    changed.
                    """))
            throw ExitCode(1)
        }
        for remark in ReleaseText.remarks(check) { context.output.remark(remark) }
    }
}

struct DataSetReleasing: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "release", "Note what a data set ships, before you give it away.",
        examples: [
            tr("peersync dataset release exercises"),
            tr("peersync dataset release exercises --earlier exercises-1"),
        ],
        remarks: """
            It writes dataset.released.csv into the folder: hashes of the values of this version \
            and those before. By them a later version tells what it shipped once from what \
            somebody wrote. Give the file away with the set. To do this again changes nothing.
            """)

    @OptionGroup var folder: DataSetFolder

    @Option(
        help: .tr(
            "Folder with a version that was given away before; may be given several times.",
            valueName: "folder"), completion: .directory)
    var earlier: [String] = []

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        let draft = DataSetReleaseDraft(
            path: folder.path, space: space, earlier: earlier.map(InputPath.absolute))
        let release = try await context.show(\.schemas.releaseSet, draft, as: ReleaseText.done)
        for remark in ReleaseText.remarks(release) { context.output.remark(remark) }
    }
}

struct DataSetListing: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "status", "Show which data sets were applied.",
        examples: ["peersync dataset status", tr("peersync dataset status Gym")])

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.schemas.appliedSets, DataSetFilter(space: space)) { sets in
            guard !sets.isEmpty else { return tr("No data set was applied.") }
            return sets.map { DataSetText.applied($0, ago: Formatting.ago($0.at)) }
                .joined(separator: "\n")
        }
        let followed = try await context.call(\.schemas.followedSets)
        if !followed.isEmpty { context.output.remark(DataSetText.following(followed)) }
    }
}

struct DataSetApplying: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "apply", "Bring the rows of a space up to a data set.",
        examples: [
            tr("peersync dataset apply exercises --space Gym --dry-run"),
            tr("peersync dataset apply exercises --space Gym"),
        ],
        remarks: """
            It shows what would change and asks first. A value that somebody wrote stays, unless \
            you say --theirs; a row that left the set goes, unless something refers to it or \
            somebody changed it. 'peersync undo' takes back what was written at once.
            """)

    @OptionGroup var target: DataSetTarget

    @Flag(help: ArgumentHelp(OptionHelp.dataSetDryRun)) var dryRun = false

    @Flag(help: .tr("Take the set's values where people wrote others."))
    var theirs = false

    @Flag(help: .tr("Bring rows back that people deleted."))
    var missing = false

    func run(in context: CommandContext) async throws {
        var draft = DataSetDraft(path: target.path, space: target.space)
        (draft.theirs, draft.missing) = (theirs, missing)
        var preview = draft
        preview.preview = true
        let report = try await context.planned(\.schemas.applySet, preview) { plan in
            guard !dryRun, plan.isChange else { return nil }
            try await context.prompt.insist(
                DataSetText.preview(plan)
                    + tr("\nApply this to \(Sentence.name(plan.space.name))?"))
            return draft
        }
        try context.output.result(report) { report in
            report.done ? DataSetText.done(report) : DataSetText.preview(report)
        }
        for remark in DataSetText.remarks(report) { context.output.remark(remark) }
        if let remark = DataSetText.resetRemark(report, path: target.folder) {
            context.output.remark(remark)
        }
    }
}

struct DataSetResetting: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "reset", "Delete everything but history, and load a data set again.",
        examples: [
            tr("peersync dataset reset exercises --space Gym --for-everybody --dry-run"),
            tr(
                "peersync dataset reset exercises --space Gym --for-everybody --backup /media/stick"
            ),
            tr("peersync dataset reset exercises --space Gym --here --as 'My gym'"),
        ],
        remarks: """
            It shows what goes and stays, backs everything up, and asks for the name of the space. \
            What history refers to stays, too. 'peersync undo' takes it back. With --here a new \
            space is made for you and your devices, with a copy of the history; everybody else \
            goes on in the old one.
            """)

    @OptionGroup var target: DataSetTarget

    @Flag(help: .tr("Delete for everybody who has the space."))
    var forEverybody = false

    @Flag(help: .tr("Go on in a new space, and leave this one to the others."))
    var here = false

    @Option(
        name: .customLong("as"),
        help: .tr("What the new space is called; else like this one.", valueName: "name"))
    var newName: String?

    @Option(help: ArgumentHelp(OptionHelp.resetBackup, valueName: "folder"), completion: .directory)
    var backup: String?

    @Flag(help: ArgumentHelp(OptionHelp.withoutBackup)) var withoutBackup = false

    @Option(help: .tr("The name of the space, instead of typing it.", valueName: "name"))
    var confirm: String?

    @Flag(help: ArgumentHelp(OptionHelp.dataSetDryRun)) var dryRun = false

    func run(in context: CommandContext) async throws {
        guard forEverybody != here else {
            throw APIError(
                code: .badInput,
                sentence: """
                    A full reset deletes records for everybody who has the space, or begins a new \
                    space for you.
                    """,
                hint: "Say which: --for-everybody or --here")
        }
        guard here || newName == nil else {
            throw APIError(
                code: .badInput,
                sentence: "Only a reset for you alone makes a space to give a name.",
                hint: "Use --as with --here.")
        }
        var draft = DataSetResetDraft(path: target.path, space: target.space)
        (draft.here, draft.name) = (here, newName)
        draft.backup = backup.map(InputPath.absolute)
        draft.withoutBackup = withoutBackup
        var preview = draft
        preview.preview = true
        let report = try await context.planned(\.schemas.resetSet, preview) { plan in
            guard !dryRun else { return nil }
            draft.confirmed = try await confirmed(plan, in: context)
            return draft
        }
        try context.output.result(report) { DataSetResetText.preview($0) }
        guard report.done else { return }
        if let backup = report.backup { context.output.remark(BackupText.made(backup)) }
        for remark in DataSetResetText.next(report) { context.output.remark(remark) }
    }

    private func confirmed(
        _ preview: DataSetResetReport, in context: CommandContext
    ) async throws -> String {
        if let confirm { return confirm }
        context.output.remark(DataSetResetText.preview(preview))
        return try await context.prompt.text(
            tr("To do this, type the name of the space, \(Sentence.plain(preview.space.name))"),
            flag: "--confirm")
    }
}

struct DataSetFollowing: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "follow", "Apply a data set whenever the agent starts.",
        examples: [tr("peersync dataset follow exercises --space Gym")],
        remarks: "A full reset is never done by itself: status says when one is offered.")

    @OptionGroup var target: DataSetTarget

    func run(in context: CommandContext) async throws {
        let draft = DataSetFollowDraft(path: target.path, space: target.space)
        try await context.show(\.schemas.followSet, draft, as: DataSetText.following)
        context.output.remark(
            tr(
                """
                Apply it now: peersync dataset apply \(Sentence.quoted(target.folder)) --space \
                \(Sentence.quoted(target.space))
                """))
    }
}

struct DataSetUnfollowing: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "unfollow", "Apply a data set no more by itself.",
        examples: [
            tr("peersync dataset unfollow exercises"),
            tr("peersync dataset unfollow exercises --space Gym"),
        ], remarks: "Without --space, for every space.")

    @OptionGroup var folder: DataSetFolder

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        let draft = DataSetFollowDraft(
            path: folder.path, space: space, ends: space == nil ? nil : true)
        try await context.show(\.schemas.followSet, draft, as: DataSetText.following)
    }
}

struct DataSetVersionSetting: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "set-version", "Have a version of a data set applied again.",
        examples: [tr("peersync dataset set-version Gym reference 0")],
        remarks:
            "Only this device takes it for the applied version; for everybody it stays as it is.")

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String

    @Argument(help: .tr("reference or samples.", valueName: "level"))
    var level: DataSetLevel

    @Argument(help: .tr("The version; 0 for none.", valueName: "version"))
    var version: Int

    @Option(help: .tr("Which set, where the space has several.", valueName: "set"))
    var set: String?

    func run(in context: CommandContext) async throws {
        let draft = DataSetVersionDraft(space: space, name: set, level: level, version: version)
        try await context.show(
            \.schemas.takeVersion, draft
        ) {
            tr(
                """
                This device takes version \($0.takenFor ?? $0.version) of \
                \(Sentence.name($0.name)), \($0.level.rawValue), for the applied one. For \
                everybody it is \($0.version) as before.
                """)
        }
    }
}

extension DataSetLevel: ExpressibleByArgument {}
