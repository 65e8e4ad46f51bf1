internal import Foundation
package import LocalAPI

/// The output of `systemctl show` about a unit, or about the manager itself.
package struct ServiceProperties: Sendable {
    private let values: [String: String]

    /// Parses lines of the form `NAME=value`.
    package init(parsing text: String) {
        let lines = text.split(separator: "\n").compactMap { Self.pair(String($0)) }
        values = Dictionary(lines.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The names of all properties that are requested of a unit.
    static let asked = [
        "LoadState", "UnitFileState", "ActiveState", "SubState", "MainPID", "NRestarts", "Result",
        "ExecMainCode", "ExecMainStatus", "ExecMainStartTimestamp", "FragmentPath", "DropInPaths",
        "Environment", "ExecStart", "StatusText", "StateChangeTimestamp", "ActiveEnterTimestamp",
    ]

    /// The unit file exists and can be read.
    package var isInstalled: Bool { self["LoadState"] == "loaded" }
    /// One line of it is wrong, so systemd uses none of it.
    package var isBroken: Bool {
        ["bad-setting", "error"].contains(self["LoadState"])
    }
    package var isEnabled: Bool { self["UnitFileState"].hasPrefix("enabled") }
    package var isActive: Bool { self["ActiveState"] == "active" }
    /// It failed permanently, or waits for the next attempt.
    package var isFailing: Bool { self["ActiveState"] == "failed" || isRetrying }
    package var isRetrying: Bool { self["SubState"] == "auto-restart" }
    package var isStarting: Bool { self["ActiveState"] == "activating" && !isRetrying }
    package var isStopping: Bool { self["ActiveState"] == "deactivating" }
    package var process: Int32? { Int32(self["MainPID"]).flatMap { $0 > 0 ? $0 : nil } }
    package var restarts: Int { Int(self["NRestarts"]) ?? 0 }
    package var statusText: String? { self["StatusText"].isEmpty ? nil : self["StatusText"] }
    package var unitFile: String? { self["FragmentPath"].isEmpty ? nil : self["FragmentPath"] }
    package var dropIns: [String] { words("DropInPaths") }
    package var state: ServiceView.State {
        if isActive { return .running }
        if isRetrying { return .retrying }
        if isStarting { return .starting }
        if isStopping { return .stopping }
        return isFailing ? .failed : .stopped
    }
    package var startedAt: Moment? { moment("ExecMainStartTimestamp") }
    package var activeSince: Moment? { moment("ActiveEnterTimestamp") }
    package var changedAt: Moment? { moment("StateChangeTimestamp") }
    /// The program that the unit starts.
    package var program: String? {
        // { path=/usr/bin/peersync ; argv[]=/usr/bin/peersync run ; …
        guard let start = self["ExecStart"].range(of: "path="),
            let end = self["ExecStart"].range(of: " ; argv[]=")
        else { return nil }
        return String(self["ExecStart"][start.upperBound..<end.lowerBound])
    }
    /// The variables that the unit sets, or those of the manager.
    package var environment: [String: String] {
        let pairs = words("Environment").compactMap { Self.pair($0) }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { _, last in last }
    }
    /// The manager's unit folders, the person's own first.
    package var unitFolders: [String] { words("UnitPath") }

    /// The reason why it last failed; nil if it did not fail.
    package var failure: ServiceFailure? {
        guard isFailing || self["Result"] != "success" && !self["Result"].isEmpty else {
            return nil
        }
        let status = Int(self["ExecMainStatus"]) ?? 0
        switch self["Result"] {
        case "watchdog": return .hung
        case "signal", "core-dump": return .signal(status)
        case "exit-code": return Self.beforeTheProgram[status] ?? .exit(status)
        case "start-limit-hit": return .tooOften
        case "oom-kill": return .outOfMemory
        case "timeout": return .timeout
        default: return .other(self["Result"])
        }
    }

    /// systemd's own exit codes (systemd.exec(5)): EXIT_EXEC and EXIT_CREDENTIALS.
    private static let beforeTheProgram: [Int: ServiceFailure] = [
        203: .noProgram, 243: .noCredentials,
    ]

    private subscript(_ name: String) -> String { values[name] ?? "" }

    /// A time printed with `--timestamp=unix`: `@` and seconds.
    private func moment(_ name: String) -> Moment? {
        guard self[name].hasPrefix("@"), let seconds = Int64(self[name].dropFirst()), seconds > 0
        else { return nil }
        return Moment(milliseconds: seconds * 1000)
    }

    private func words(_ name: String) -> [String] { Self.words(of: self[name]) }

    private static func pair(_ text: String) -> (name: String, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    /// Words with a space or another special character are in double quotes, with backslashes as in
    /// C.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var (isQuoted, hasWord) = (false, false)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"":
                isQuoted.toggle()
                hasWord = true
            case "\\": word += escaped(&rest)
            case " " where !isQuoted:
                if hasWord || !word.isEmpty { words.append(word) }
                (word, hasWord) = ("", false)
            default: word.unicodeScalars.append(scalar)
            }
        }
        return hasWord || !word.isEmpty ? words + [word] : words
    }

    private static func escaped(_ rest: inout Substring.UnicodeScalarView) -> String {
        guard let scalar = rest.popFirst() else { return "\\" }
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "x":
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(digits), radix: 16) else {
                return "x"
            }
            rest = rest.dropFirst(2)
            return String(UnicodeScalar(value))
        default: return String(scalar)
        }
    }
}
