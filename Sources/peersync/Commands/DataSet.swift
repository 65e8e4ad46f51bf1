internal import ArgumentParser
internal import Foundation
internal import LocalAPI

/// Groups the commands about data sets.
struct DataSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        "dataset", .dataSet,
        subcommands: [
            DataSetChecking.command, DataSetListing.command, DataSetApplying.command,
            DataSetVersionSetting.command,
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
        let isGerman = DataSetApplying.isGerman(ProcessInfo.processInfo.environment)
        let report = try await context.withService { service -> DataSetReport in
            var preview = draft
            preview.preview = true
            let planned = try await service.call(\.schemas.applySet, preview)
            guard !dryRun, planned.isChange else { return planned }
            try await context.prompt.insist(
                Sentence.DataSet.question(planned, german: isGerman))
            return try await service.call(\.schemas.applySet, draft)
        }
        try context.output.result(report) { report in
            report.done
                ? Sentence.DataSet.done(report)
                : Sentence.DataSet.preview(report, german: isGerman)
        }
        for remark in Sentence.DataSet.remarks(report) { context.output.remark(remark) }
    }

    /// Whether the texts of a set's maker are wanted in German.
    private static func isGerman(_ environment: [String: String]) -> Bool {
        let language = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        return language?.hasPrefix("de") ?? false
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
