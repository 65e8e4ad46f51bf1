internal import Foundation
internal import LocalAPI
internal import Subprocess
import SyncCore

/// The person's own systemd, which runs services while they have a session, or always if they linger.
struct UserSystemd: Sendable {
    /// The folder for unit files that this person writes.
    let unitFolder: String
    /// The variables that its services receive.
    let serviceEnvironment: [String: String]

    /// Throws ``APIError`` if there is no systemd, or none that runs services for this user.
    static func open() async throws -> UserSystemd {
        let answer = try await call("show", "--property=UnitPath", "--property=Environment")
        guard answer.isSuccess else { throw noUserManager(answer.reason) }
        let properties = ServiceProperties(parsing: answer.output)
        let temporary = ["/run/", "/etc/", "/usr/"]
        let folder = properties.unitFolders.first { folder in
            folder.hasSuffix("/systemd/user") && !temporary.contains { folder.hasPrefix($0) }
        }
        guard let folder else { throw noUserManager(tr("no folder for units")) }
        return UserSystemd(
            unitFolder: folder, serviceEnvironment: properties.environment)
    }

    func properties(of unit: String) async throws -> ServiceProperties {
        let names = ServiceProperties.asked.joined(separator: ",")
        return ServiceProperties(
            parsing: try await run("show", "--timestamp=unix", "--property=\(names)", unit))
    }

    /// The output of systemctl. Throws ``APIError`` with its message if it fails.
    @discardableResult
    func run(_ words: String...) async throws -> String {
        let answer = try await Self.call(words)
        guard answer.isSuccess else {
            throw APIError(
                code: .failed,
                sentence: "systemd did not do that: \(Printable.line(answer.reason)).",
                hint: "See how the service is doing: peersync service status")
        }
        return answer.output
    }

    /// Whether the command succeeded; for commands whose failure is expected.
    @discardableResult
    func attempt(_ words: String...) async throws -> Bool {
        try await Self.call(words).isSuccess
    }

    private struct Answer {
        let isSuccess: Bool
        let output: String
        private let error: String

        init(_ isSuccess: Bool, output: String?, error: String?) {
            (self.isSuccess, self.output, self.error) = (isSuccess, output ?? "", error ?? "")
        }

        /// The reason is in its last line.
        var reason: String {
            let line = error.split(separator: "\n").last.map(String.init) ?? tr("no reason given")
            return line.hasSuffix(".") ? String(line.dropLast()) : line
        }
    }

    private static func call(_ words: String...) async throws -> Answer {
        try await call(words)
    }

    private static func call(_ words: [String]) async throws -> Answer {
        do {
            let result = try await Subprocess.run(
                .name("systemctl"), arguments: Arguments(["--user", "--no-pager"] + words),
                environment: environment(), output: .string(limit: Limits.managerAnswerBytes),
                error: .string(limit: Limits.managerAnswerBytes))
            return Answer(
                result.terminationStatus.isSuccess, output: result.standardOutput,
                error: result.standardError)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw APIError(
                code: .failed, sentence: "There is no systemd on this computer to run a service.",
                hint: "Run \(otherSupervisor)")
        }
    }

    /// In English, without colours, and with the runtime folder that a session started by `su`
    /// lacks.
    private static func environment() -> Environment {
        let ours = ProcessInfo.processInfo.environment
        var changes: [Environment.Key: String?] = ["LC_ALL": "C", "SYSTEMD_COLORS": "0"]
        if ours["XDG_RUNTIME_DIR"] == nil { changes["XDG_RUNTIME_DIR"] = "/run/user/\(getuid())" }
        return .inherit.updating(changes)
    }
}

extension Limits {
    /// The longest accepted output of systemctl and journalctl: a few hundred variables are 64 KiB.
    static let managerAnswerBytes = 1 << 20
}

private func noUserManager(_ reason: String) -> APIError {
    APIError(
        code: .failed,
        sentence:
            "systemd runs no services for you in this session (\(Printable.line(reason))).",
        hint:
            "Log in as yourself, not with su or sudo, and try again. Or run \(otherSupervisor)"
    )
}

let otherSupervisor: Message = tr(
    """
    'peersync run' in a terminal or under another supervisor: it stays in the foreground and \
    ends on SIGTERM.
    """)
