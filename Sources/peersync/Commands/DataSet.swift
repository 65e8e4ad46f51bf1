internal import ArgumentParser
internal import Foundation
internal import LocalAPI

/// Groups the commands about data sets.
struct DataSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        "dataset", .dataSet,
        subcommands: [
            DataSetChecking.command, DataSetReleasing.command, DataSetListing.command,
            DataSetApplying.command, DataSetResetting.command, DataSetFollowing.command,
            DataSetUnfollowing.command, DataSetVersionSetting.command,
        ])
}

struct DataSetChecking: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .dataSetCheck)

    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    /// 0 when it has no mistakes, 1 otherwise.
    func run(in context: CommandContext) async throws {
        let source = DataSetSource(path: InputPath.absolute(folder), space: space)
        let check = try await context.show(
            \.schemas.checkSet, source, as: Sentence.DataSet.checked)
        guard check.mistakes.isEmpty else {
            context.output.remark(Sentence.DataSet.mistakes(check.mistakes.count))
            throw ExitCode(1)
        }
        for remark in Sentence.Releasing.remarks(check) { context.output.remark(remark) }
    }
}

struct DataSetReleasing: PeersyncCommand {
    static let configuration = CommandConfiguration("release", .dataSetRelease)

    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetEarlier, valueName: "folder"), completion: .directory)
    var earlier: [String] = []

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        let draft = DataSetReleaseDraft(
            path: InputPath.absolute(folder), space: space,
            earlier: earlier.map(InputPath.absolute))
        let release = try await context.show(
            \.schemas.releaseSet, draft, as: Sentence.Releasing.done)
        for remark in Sentence.Releasing.remarks(release) { context.output.remark(remark) }
    }
}

struct DataSetListing: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .dataSetStatus)

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.schemas.appliedSets, DataSetFilter(space: space)) { sets in
            guard !sets.isEmpty else { return Sentence.DataSet.none }
            return sets.map { Sentence.DataSet.applied($0, ago: Formatting.ago($0.at)) }
                .joined(separator: "\n")
        }
        let followed = try await context.call(\.schemas.followedSets)
        if !followed.isEmpty { context.output.remark(Sentence.DataSetReset.following(followed)) }
    }
}

struct DataSetApplying: PeersyncCommand {
    static let configuration = CommandConfiguration("apply", .dataSetApply)

    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String

    @Flag(help: ArgumentHelp(OptionHelp.dataSetDryRun)) var dryRun = false

    @Flag(help: ArgumentHelp(OptionHelp.dataSetTheirs)) var theirs = false

    @Flag(help: ArgumentHelp(OptionHelp.dataSetMissing)) var missing = false

    func run(in context: CommandContext) async throws {
        var draft = DataSetDraft(path: InputPath.absolute(folder), space: space)
        (draft.theirs, draft.missing) = (theirs, missing)
        var preview = draft
        preview.preview = true
        let report = try await context.planned(\.schemas.applySet, preview) { plan in
            guard !dryRun, plan.isChange else { return nil }
            try await context.prompt.insist(Sentence.DataSet.question(plan))
            return draft
        }
        try context.output.result(report) { report in
            report.done
                ? Sentence.DataSet.done(report)
                : Sentence.DataSet.preview(report)
        }
        for remark in Sentence.DataSet.remarks(report) { context.output.remark(remark) }
        if let remark = Sentence.DataSetReset.resetRemark(report, path: folder) {
            context.output.remark(remark)
        }
    }
}

struct DataSetResetting: PeersyncCommand {
    static let configuration = CommandConfiguration("reset", .dataSetReset)

    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String

    @Flag(help: ArgumentHelp(OptionHelp.forEverybody)) var forEverybody = false

    @Flag(help: ArgumentHelp(OptionHelp.onlyHere)) var here = false

    @Option(name: .customLong("as"), help: ArgumentHelp(OptionHelp.newSpaceName, valueName: "name"))
    var newName: String?

    @Option(
        help: ArgumentHelp(OptionHelp.resetBackup, valueName: "folder"), completion: .directory)
    var backup: String?

    @Flag(help: ArgumentHelp(OptionHelp.withoutBackup)) var withoutBackup = false

    @Option(help: ArgumentHelp(OptionHelp.confirmName, valueName: "name")) var confirm: String?

    @Flag(help: ArgumentHelp(OptionHelp.dataSetDryRun)) var dryRun = false

    func run(in context: CommandContext) async throws {
        guard forEverybody != here else { throw Sentence.DataSetReset.forWhom }
        guard here || newName == nil else { throw Sentence.DataSetReset.nameIsForHere }
        var draft = DataSetResetDraft(path: InputPath.absolute(folder), space: space)
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
        try context.output.result(report) {
            Sentence.DataSetReset.resetPreview($0)
        }
        guard report.done else { return }
        if let backup = report.backup { context.output.remark(Sentence.Backup.made(backup)) }
        for remark in Sentence.DataSetReset.resetNext(report) { context.output.remark(remark) }
    }

    private func confirmed(
        _ preview: DataSetResetReport, in context: CommandContext
    ) async throws -> String {
        if let confirm { return confirm }
        context.output.remark(
            Sentence.DataSetReset.resetPreview(preview))
        return try await context.prompt.text(
            Sentence.DataSetReset.typeName(preview), flag: "--confirm")
    }
}

struct DataSetFollowing: PeersyncCommand {
    static let configuration = CommandConfiguration("follow", .dataSetFollow)

    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(OptionHelp.dataSetSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String

    func run(in context: CommandContext) async throws {
        let draft = DataSetFollowDraft(path: InputPath.absolute(folder), space: space)
        try await context.show(\.schemas.followSet, draft, as: Sentence.DataSetReset.following)
        context.output.remark(Sentence.DataSetReset.followNext(folder, space: space))
    }
}

struct DataSetUnfollowing: PeersyncCommand {
    static let configuration = CommandConfiguration("unfollow", .dataSetUnfollow)

    @Argument(
        help: ArgumentHelp(OptionHelp.dataSetFolder, valueName: "folder"), completion: .directory)
    var folder: String

    func run(in context: CommandContext) async throws {
        let draft = DataSetFollowDraft(path: InputPath.absolute(folder), space: nil)
        try await context.show(\.schemas.followSet, draft, as: Sentence.DataSetReset.following)
    }
}

struct DataSetVersionSetting: PeersyncCommand {
    static let configuration = CommandConfiguration("set-version", .dataSetVersion)

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String

    @Argument(help: ArgumentHelp(OptionHelp.dataSetLevel, valueName: "level"))
    var level: DataSetLevel

    @Argument(help: ArgumentHelp(OptionHelp.dataSetNumber, valueName: "version"))
    var version: Int

    @Option(help: ArgumentHelp(OptionHelp.dataSetName, valueName: "set")) var set: String?

    func run(in context: CommandContext) async throws {
        let draft = DataSetVersionDraft(space: space, name: set, level: level, version: version)
        try await context.show(
            \.schemas.takeVersion, draft, as: Sentence.DataSet.versionSet)
    }
}

extension DataSetLevel: ExpressibleByArgument {}
