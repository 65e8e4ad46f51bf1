internal import ArgumentParser
internal import Foundation
internal import LocalAPI

/// Groups the commands about settings; without a subcommand it lists all settings.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        "config", "See and change what this device is set to.",
        examples: ["peersync config", "peersync config set port 21900"],
        subcommands: [
            ConfigList.command, ConfigGet.command, ConfigSet.command, ConfigUnset.command,
        ], otherwise: ConfigList.command)
}

struct ConfigList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List all settings and limits, each with where its value comes from.",
        examples: ["peersync config list"])

    func run(in context: CommandContext) async throws {
        try context.output.result(try await allSettings(context)) { views in
            var table = Table([
                .text(tr("setting")), .text(tr("value"), shrinksTo: 10),
                .text(tr("from", context: "value")),
                .wrapping("", shrinksTo: 20),
            ])
            for view in views {
                table.add([
                    view.name.rawValue, shown(view), origin(view),
                    later(view) ?? about(view.name),
                ])
            }
            return table.rendered(width: context.output.width)
        }
    }
}

struct ConfigGet: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "get", "Print one value.", examples: ["peersync config get port"])

    @Argument(help: ArgumentHelp(OptionHelp.setting, valueName: "setting"), completion: .settings)
    var name: String

    func run(in context: CommandContext) async throws {
        let views = try await allSettings(context)
        guard let view = views.first(where: { $0.id == name }) else {
            throw Sentence.Setting.unknown(name)
        }
        try context.output.result(view, describe: \.value)
    }
}

struct ConfigSet: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "set", "Change a setting.",
        examples: ["peersync config set backup-keep 7d,4w,12m", "peersync config set bin-days 60"],
        remarks: """
            A value that cannot be is refused, and the old one stays. An option of `peersync run` \
            and the environment go before what is set.
            """)

    @Argument(help: ArgumentHelp(OptionHelp.setting, valueName: "setting"), completion: .settings)
    var name: String

    @Argument(help: .tr("Its new value.", valueName: "value"))
    var value: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.agent.setSetting, id: name, SettingDraft(value: value), as: changed)
    }
}

struct ConfigUnset: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "unset", "Go back to the default.", examples: ["peersync config unset port"])

    @Argument(help: ArgumentHelp(OptionHelp.setting, valueName: "setting"), completion: .settings)
    var name: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.agent.setSetting, id: name, SettingDraft(value: nil), as: changed)
    }
}

/// The settings that the agent knows, after that of this command itself.
private func allSettings(_ context: CommandContext) async throws -> [SettingView] {
    let language = Language.setting(
        Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment)
    return [language] + (try await context.call(\.agent.settings))
}

extension CompletionKind {
    fileprivate static var settings: CompletionKind {
        .list(SettingName.allCases.filter { !$0.isReadOnly }.map(\.rawValue))
    }
}

/// The value for people.
private func shown(_ view: SettingView) -> String {
    switch view.name {
    case .largestFile, .largestPicture, .longestText, .longestName:
        Int64(view.value).map { Sentence.size($0) } ?? view.value
    default: view.value
    }
}

private func about(_ name: SettingName) -> String {
    switch name {
    case .deviceName: tr("what this device is called")
    case .personName: tr("what you are called")
    case .sync: tr("on or off")
    case .port: tr("where other devices connect; 0 for any that is free")
    case .logLevel: tr("verbose, debug, info, warning or error")
    case .backupKeep: tr("which earlier backups stay, as 7d,4w,12m")
    case .binDays: tr("for how many days the bin shows what was deleted")
    case .binFiles: tr("keep or free: what this device does with its files after that")
    case .language: tr("the language of answers")
    case .dataSets: tr("data sets that are applied whenever the agent starts")
    case .largestFile: tr("the largest file")
    case .largestPicture: tr("the largest picture that gets a thumbnail")
    case .longestText: tr("the longest text of a memory")
    case .longestName: tr("the longest name of a device or person")
    case .mostRows: tr("how many rows a data set may have")
    }
}

private func origin(_ view: SettingView) -> String {
    switch view.origin {
    case .standard: tr("default")
    case .set: tr("set")
    case .environment:
        view.name == .language
            ? Language.variable(of: ProcessInfo.processInfo.environment) ?? ""
            : tr("PEERSYNC_LOG")
    case .flag:
        switch view.name {
        case .port: "--port"
        case .language: "--language"
        default: "--log"
        }
    case .builtIn: tr("built in")
    }
}

/// A stored setting that is not in use yet; nil where it is in use.
private func later(_ view: SettingView) -> String? {
    guard !view.name.isReadOnly else { return nil }
    let coming = view.stored ?? view.standard ?? ""
    guard coming != view.value else { return nil }
    switch view.origin {
    case .standard, .set, .builtIn:
        return tr("\(Sentence.plain(coming)) from the next start of the agent on")
    case .environment, .flag:
        guard let stored = view.stored else { return nil }
        return tr("\(Sentence.plain(stored)) is set; \(origin(view)) goes first")
    }
}

private func changed(_ view: SettingView) -> String {
    let now =
        tr(
            "\(view.name.rawValue) is \(view.value.isEmpty ? tr("not set") : Sentence.plain(view.value))"
        )
    return later(view).map { "\(now); \($0)." } ?? "\(now)."
}

extension OptionHelp {
    fileprivate static var setting: String { tr("Name of the setting.") }
}
