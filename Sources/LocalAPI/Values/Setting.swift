/// A value that this device is set to.
package enum SettingName: String, Codable, Sendable, CaseIterable {
    case deviceName = "device-name"
    case personName = "person-name"
    case sync
    case port
    case logLevel = "log-level"
    case backupKeep = "backup-keep"
    case binDays = "bin-days"
    case binFiles = "bin-files"
}

/// What is in use, and where it comes from.
package struct SettingView: Codable, Sendable, Hashable, Identifiable {
    package enum Origin: String, Codable, Sendable, CaseIterable {
        case standard = "default"
        case set
        case environment
        /// An option of the command that started the agent.
        case flag
    }

    package let name: SettingName
    /// Empty where there is none.
    package let value: String
    package let origin: Origin
    /// What was set; absent for nothing. Another value is in use where an option or the environment goes
    /// first, or until the agent starts again.
    package let stored: String?
    /// What holds when nothing is set; absent where something always is.
    package let standard: String?

    package init(
        name: SettingName, value: String, origin: Origin, stored: String?, standard: String?
    ) {
        (self.name, self.value, self.origin) = (name, value, origin)
        (self.stored, self.standard) = (stored, standard)
    }

    package var id: String { name.rawValue }
}

/// What a setting is to be; without a value what it is when nothing is set.
package struct SettingDraft: Codable, Sendable, Hashable {
    package let value: String?

    package init(value: String?) { self.value = value }
}
