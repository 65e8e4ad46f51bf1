internal import Device
internal import Files
internal import LocalAPI
internal import Records
internal import Store
internal import SyncCore
internal import Synchronization

/// The settings of this device, and the origin of each value.
struct SettingsService {
    private let runtime: AgentRuntime

    init(_ runtime: AgentRuntime) { self.runtime = runtime }

    func list() async throws -> [SettingView] {
        var views: [SettingView] = []
        for name in SettingName.allCases where name != .language {
            views.append(try await view(name))
        }
        return views
    }

    /// Checks a value before it replaces the old one. Throws ``APIError``.
    func set(_ typed: String, _ draft: SettingDraft) async throws -> SettingView {
        guard let name = SettingName(rawValue: typed) else {
            throw Sentence.Setting.unknown(typed)
        }
        let value = draft.value
        switch name {
        case .deviceName:
            _ = try await NameService(runtime.node).renameDevice(
                NameDraft(name: value ?? IdentityStore.defaultDeviceName))
        case .personName:
            guard let value else {
                throw APIError(
                    code: .badInput, sentence: "Your name is always set.",
                    hint: "Choose another one: peersync config set person-name NAME")
            }
            _ = try await NameService(runtime.node).renamePerson(NameDraft(name: value))
        case .sync:
            guard ["on", "off", nil].contains(value) else {
                throw APIError(
                    code: .badInput, sentence: "Sync is on or off.", hint: "Nothing was changed.")
            }
            _ = try await runtime.setSync(SyncSetting(enabled: value != "off"))
        case .port:
            try setPort(value)
        case .logLevel: try setLogLevel(value)
        case .backupKeep:
            if let value, !BackupService.isRetention(value) {
                throw BackupSentence.badRetention(value)
            }
            try store(DeviceSetting.backupKeep, value)
        case .binDays:
            try setBinDays(value)
        case .binFiles:
            guard [BinService.keep, BinService.free, nil].contains(value) else {
                throw APIError(
                    code: .badInput, sentence: "Files of what was deleted are kept or freed.",
                    hint: "One of keep and free. Nothing was changed.")
            }
            try store(BinService.filesSetting, value)
        case .language, .dataSets, .largestFile, .largestPicture, .longestText, .longestName,
            .mostRows:
            throw Sentence.Setting.readOnly(name)
        }
        return try await view(name)
    }

    private func setPort(_ value: String?) throws {
        let port = try value.map { text in
            guard let port = UInt16(text) else {
                throw APIError(
                    code: .badInput, sentence: "A port is a number from 0 to 65535.",
                    hint: "0 takes any that is free. Nothing was changed.")
            }
            return String(port)
        }
        try store(DeviceSetting.port, port)
    }

    private func setBinDays(_ value: String?) throws {
        let days = try value.map { text in
            guard let days = BinService.days(text) else {
                throw APIError(
                    code: .badInput,
                    sentence: "The bin shows 1 to \(Limits.binDaysAtMost) days.",
                    hint: "Nothing was changed. All that was ever deleted: peersync bin --all")
            }
            return String(days)
        }
        try store(BinService.daysSetting, days)
    }

    private func setLogLevel(_ value: String?) throws {
        let level = try value.map { text in
            guard let level = LogLevel(name: text) else {
                throw APIError(
                    code: .badInput, sentence: "There is no log level \(Sentence.name(text)).",
                    hint: "One of verbose, debug, info, warning and error. Nothing was changed.")
            }
            return level.rawValue
        }
        try store(DeviceSetting.logLevel, level)
        try runtime.followLogLevel()
    }

    private func store(_ key: String, _ value: String?) throws {
        try runtime.node.store.settings.set(key, to: value)
    }

    private func view(_ name: SettingName) async throws -> SettingView {
        let store = runtime.node.store
        switch name {
        case .deviceName:
            return named(
                name, runtime.node.identity.deviceName, standard: IdentityStore.defaultDeviceName)
        case .personName: return named(name, runtime.node.identity.personName, standard: nil)
        case .sync:
            let isOff = try !runtime.node.isSyncOn()
            return SettingView(
                name: name, value: isOff ? "off" : "on", origin: isOff ? .set : .standard,
                stored: isOff ? "off" : nil, standard: "on")
        case .port:
            let stored = try store.settings.value(of: DeviceSetting.port)
            let standard = String(Limits.defaultPort)
            let started = runtime.wantedPort.withLock(\.self)
            let flag = runtime.start.port.map { String($0) }
            let isSet = started.map(\.isSet) ?? (stored != nil)
            return SettingView(
                name: name, value: started.map { String($0.port) } ?? flag ?? stored ?? standard,
                origin: flag != nil ? .flag : isSet ? .set : .standard, stored: stored,
                standard: standard)
        case .logLevel:
            let choice = try runtime.logLevel
            return SettingView(
                name: name, value: choice.level.rawValue, origin: choice.origin,
                stored: try store.settings.value(of: DeviceSetting.logLevel),
                standard: AgentLog.standardLevel.rawValue)
        case .backupKeep: return try stored(name, at: DeviceSetting.backupKeep, standard: "")
        case .binDays:
            return try stored(
                name, at: BinService.daysSetting, standard: String(Limits.binDays))
        case .binFiles:
            return try stored(name, at: BinService.filesSetting, standard: BinService.keep)
        case .dataSets:
            let folders = try FollowedSets(runtime.node).list().map {
                "\($0.path) (\($0.space.name))"
            }
            return SettingView(
                name: name, value: folders.joined(separator: ", "),
                origin: folders.isEmpty ? .standard : .set, stored: nil, standard: "")
        case .language, .largestFile, .largestPicture, .longestText, .longestName, .mostRows:
            return SettingView(
                name: name, value: SettingsService.builtIn(name), origin: .builtIn, stored: nil,
                standard: nil)
        }
    }

    /// The value of a limit.
    private static func builtIn(_ name: SettingName) -> String {
        switch name {
        case .largestFile: String(Limits.blobBytes)
        case .largestPicture: String(Limits.imageBytes)
        case .longestText: String(Limits.memoryTextBytes)
        case .longestName: String(Limits.nameBytes)
        case .mostRows: String(LocalLimits.dataSetRows)
        default: ""
        }
    }

    /// The values that take effect as soon as they are set.
    private func stored(
        _ name: SettingName, at key: String, standard: String
    ) throws -> SettingView {
        let stored = try runtime.node.store.settings.value(of: key)
        return SettingView(
            name: name, value: stored ?? standard, origin: stored == nil ? .standard : .set,
            stored: stored, standard: standard)
    }

    private func named(_ name: SettingName, _ value: String, standard: String?) -> SettingView {
        let isStandard = value == standard
        return SettingView(
            name: name, value: value, origin: isStandard ? .standard : .set,
            stored: isStandard ? nil : value, standard: standard)
    }
}

extension AgentRuntime {
    /// The log's level: an option takes precedence over the environment, and that over the setting.
    var logLevel: (level: LogLevel, origin: SettingView.Origin) {
        get throws {
            if let level = start.level { return (level, .flag) }
            if let level = LogLevel.ofEnvironment { return (level, .environment) }
            let stored = try node.store.settings.value(of: DeviceSetting.logLevel)
            if let level = stored.flatMap(LogLevel.init(name:)) { return (level, .set) }
            return (AgentLog.standardLevel, .standard)
        }
    }

    func followLogLevel() throws { start.log?.setLevel(try logLevel.level) }
}
