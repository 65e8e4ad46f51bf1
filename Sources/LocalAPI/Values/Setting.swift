/// A value that this device is set to, or that is built in.
package enum SettingName: String, Codable, Sendable, CaseIterable {
    case deviceName = "device-name"
    case personName = "person-name"
    case sync
    case port
    case logLevel = "log-level"
    case backupKeep = "backup-keep"
    case binDays = "bin-days"
    case binFiles = "bin-files"
    /// Of the answers: each command has its own, so the agent does not list it.
    case language
    /// The folders with data sets that are applied whenever the agent starts.
    case dataSets = "data-sets"
    /// In bytes, as the next three.
    case largestFile = "largest-file"
    /// A larger one gets no thumbnail.
    case largestPicture = "largest-picture"
    /// Of a memory.
    case longestText = "longest-text"
    /// Of a device or person.
    case longestName = "longest-name"
    /// The most rows of a data set.
    case mostRows = "most-rows"

    /// Whether `config set` refuses it: it is built in, or other commands change it.
    package var isReadOnly: Bool {
        switch self {
        case .deviceName, .personName, .sync, .port, .logLevel, .backupKeep, .binDays, .binFiles:
            false
        case .language, .dataSets, .largestFile, .largestPicture, .longestText, .longestName,
            .mostRows:
            true
        }
    }
}

/// The value in use, and its source.
package struct SettingView: Codable, Sendable, Hashable, Identifiable {
    package enum Origin: String, Codable, Sendable, CaseIterable {
        case standard = "default"
        case set
        case environment
        /// An option of the command that started the agent.
        case flag
        /// A limit of this version of peersync.
        case builtIn = "built-in"
    }

    package let name: SettingName
    /// Empty where there is none.
    package let value: String
    package let origin: Origin
    /// The stored value; absent for none. Another value is in use where an option or the environment
    /// overrides it, or until the agent restarts.
    package let stored: String?
    /// The default; absent for a setting that always has a value.
    package let standard: String?

    package init(
        name: SettingName, value: String, origin: Origin, stored: String?, standard: String?
    ) {
        (self.name, self.value, self.origin) = (name, value, origin)
        (self.stored, self.standard) = (stored, standard)
    }

    package var id: String { name.rawValue }
}

/// A new value for a setting; absent for its default.
package struct SettingDraft: Codable, Sendable, Hashable {
    package let value: String?

    package init(value: String?) { self.value = value }
}
