internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about settings; without one of them it lists all.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        "config", .config,
        subcommands: [
            ConfigList.command, ConfigGet.command, ConfigSet.command, ConfigUnset.command,
        ], otherwise: ConfigList.command)
}

struct ConfigList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .configList)

    func run(in context: CommandContext) async throws {
        try await context.show(\.agent.settings) { views in
            var table = Table([
                .text(tr("setting")), .text(tr("value"), shrinksTo: 10),
                .text(tr("from", context: "value")),
                .text("", shrinksTo: 20),
            ])
            for view in views {
                table.add([
                    view.name.rawValue, view.value, Sentence.Setting.origin(view),
                    Sentence.Setting.later(view) ?? Sentence.Setting.about(view.name),
                ])
            }
            return table.rendered(width: context.output.width)
        }
    }
}

struct ConfigGet: PeersyncCommand {
    static let configuration = CommandConfiguration("get", .configGet)

    @Argument(help: ArgumentHelp(OptionHelp.setting, valueName: "setting"), completion: .settings)
    var name: String

    func run(in context: CommandContext) async throws {
        let views = try await context.call(\.agent.settings)
        guard let view = views.first(where: { $0.id == name }) else {
            throw Sentence.Setting.unknown(name)
        }
        try context.output.result(view, describe: \.value)
    }
}

struct ConfigSet: PeersyncCommand {
    static let configuration = CommandConfiguration("set", .configSet)

    @Argument(help: ArgumentHelp(OptionHelp.setting, valueName: "setting"), completion: .settings)
    var name: String

    @Argument(help: ArgumentHelp(OptionHelp.settingValue, valueName: "value")) var value: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.agent.setSetting, id: name, SettingDraft(value: value), as: Sentence.Setting.changed)
    }
}

struct ConfigUnset: PeersyncCommand {
    static let configuration = CommandConfiguration("unset", .configUnset)

    @Argument(help: ArgumentHelp(OptionHelp.setting, valueName: "setting"), completion: .settings)
    var name: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.agent.setSetting, id: name, SettingDraft(value: nil), as: Sentence.Setting.changed)
    }
}

extension CompletionKind {
    fileprivate static var settings: CompletionKind { .list(SettingName.allCases.map(\.rawValue)) }
}
