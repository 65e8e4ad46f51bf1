internal import Foundation
internal import Subprocess
internal import SyncCore

/// What this user can see of the machine's packet filter, without asking for any right: a question
/// to firewalld itself may show a person a window that asks for a password.
package struct FirewallFacts: Hashable, Sendable {
    package enum Rules: Hashable, Sendable {
        /// As `nft list ruleset` prints them.
        case text(String)
        case unreadable(FirewallIgnorance)
    }

    package var rules: Rules
    package var isUfwOn = false
    /// The application profile that ufw has of peersync.
    package var ufwProfile = ""
    package var isFirewalldOn = false
    /// The service that firewalld has of peersync.
    package var firewalldService = ""
    /// /etc/nftables.conf, when it is loaded at boot.
    package var bootRules: String?
    /// Another one after somebody changed rules that this user cannot read.
    package var revision = ""

    package init(rules: Rules) { self.rules = rules }

    /// Looks at files, and where this user may read the rules, asks nft: that takes some
    /// milliseconds, all else far less than one.
    package static func current() async -> FirewallFacts {
        var facts = FirewallFacts(rules: await rules())
        facts.look(below: "")
        return facts
    }

    /// Whether ``current()`` starts a process.
    package static let mayReadRules = isCapable(status: text("/proc/self/status") ?? "")

    /// Whether a process has CAP_NET_ADMIN (capabilities(7): bit 12 of CapEff).
    package static func isCapable(status: String) -> Bool {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let digits = line?.split { ": \t".contains($0) }.last
        return digits.flatMap { UInt64($0, radix: 16) }.map { $0 >> 12 & 1 == 1 } ?? false
    }

    /// Looks at the files below a root folder, which is empty but for tests.
    package mutating func look(below root: String) {
        func text(_ path: String) -> String? { Self.text(root + path) }
        func exists(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: root + path)
        }
        isUfwOn = Self.isUfwOn(
            configuration: text("/etc/ufw/ufw.conf") ?? "",
            defaults: text("/etc/default/ufw") ?? "")
        ufwProfile = isUfwOn ? text("/etc/ufw/applications.d/peersync") ?? "" : ""
        // systemd shows what runs in its own tree; without it the daemon leaves a file.
        let process = text("/run/firewalld.pid")?.split(whereSeparator: \.isWhitespace).first
        isFirewalldOn =
            exists("/sys/fs/cgroup/system.slice/firewalld.service")
            || process.map { exists("/proc/\($0)") } ?? false
        if isFirewalldOn {
            firewalldService =
                text("/etc/firewalld/services/peersync.xml")
                ?? text("/usr/lib/firewalld/services/peersync.xml") ?? ""
        }
        if exists("/etc/systemd/system/sysinit.target.wants/nftables.service") {
            bootRules = text("/etc/nftables.conf")
        }
        let rules = ["ufw.conf", "user.rules", "user6.rules", "before.rules"]
        revision = rules.map { Self.changed(root + "/etc/ufw/" + $0) }.joined(separator: " ")
        if isFirewalldOn {
            // Its rules follow the network that this machine is in.
            revision += NetworkAddress.current().map { " \($0.interface) \($0.address)" }.joined()
        }
    }

    private static func rules() async -> Rules {
        guard mayReadRules else { return .unreadable(.notPermitted) }
        do {
            // The person's PATH must not choose the program, nor need to have this folder.
            let result = try await run(
                .name("nft"), arguments: ["list", "ruleset"],
                environment: .custom(["PATH": "/usr/sbin:/sbin"]),
                output: .string(limit: Limits.firewallRulesBytes), error: .discarded)
            guard result.terminationStatus.isSuccess else { return .unreadable(.notPermitted) }
            return .text(result.standardOutput)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .unreadable(.noTool)
        } catch {
            return .unreadable(.intricate)
        }
    }

    private static func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let bytes = try? file.read(upToCount: Limits.firewallRulesBytes)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// When a file was changed last; also of one that this user cannot read.
    private static func changed(_ path: String) -> String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let date = attributes?[.modificationDate] as? Date
        return date.map { "\($0.timeIntervalSince1970)" } ?? "-"
    }
}
