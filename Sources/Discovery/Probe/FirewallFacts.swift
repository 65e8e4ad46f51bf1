internal import Foundation
internal import Subprocess
internal import SyncCore

/// The parts of the machine's packet filter that this user can see without more rights: asking
/// firewalld itself may open a window that asks the person for a password.
package struct FirewallFacts: Hashable, Sendable {
    package enum Rules: Hashable, Sendable {
        /// The rules as `nft list ruleset` prints them.
        case text(String)
        case unreadable(FirewallIgnorance)
    }

    package var rules: Rules
    package var isUfwOn = false
    /// ufw's application profile for peersync.
    package var ufwProfile = ""
    package var isFirewalldOn = false
    /// firewalld's service for peersync.
    package var firewalldService = ""
    /// /etc/nftables.conf, if it is loaded at boot.
    package var bootRules: String?
    /// Differs after a change of rules that this user cannot read.
    package var revision = ""

    package init(rules: Rules) { self.rules = rules }

    /// Reads files and, if this user may read the rules, runs nft: that takes some milliseconds,
    /// everything else far less than one.
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

    /// Reads the files below a root folder; `root` is empty except in tests.
    package mutating func look(below root: String) {
        func text(_ path: String) -> String? { Self.text(root + path) }
        func exists(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: root + path)
        }
        isUfwOn = Self.isUfwOn(
            configuration: text("/etc/ufw/ufw.conf") ?? "",
            defaults: text("/etc/default/ufw") ?? "")
        ufwProfile = isUfwOn ? text("/etc/ufw/applications.d/peersync") ?? "" : ""
        // systemd lists running services in its own tree; without systemd the daemon leaves a file.
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
            // Its rules depend on the network that this machine is in.
            revision += NetworkAddress.current().map { " \($0.interface) \($0.address)" }.joined()
        }
    }

    private static func rules() async -> Rules {
        guard mayReadRules else { return .unreadable(.notPermitted) }
        do {
            // The person's PATH must not choose the program, and need not contain this folder.
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

    /// The time when a file was last changed, even of one that this user cannot read.
    private static func changed(_ path: String) -> String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let date = attributes?[.modificationDate] as? Date
        return date.map { "\($0.timeIntervalSince1970)" } ?? "-"
    }
}
