import Device
import Foundation
import Glibc
import LocalAPI

/// Everything in the folder belongs to this user, and only this user may read and change it. The
/// card is public: others may read it if they can reach it.
struct PermissionCheck: HealthCheck {
    let check = HealthReport.Check.permissions

    /// The result of a walk through the folder; paths are relative to the folder.
    struct Walk: Sendable {
        var entries = 0
        var wide: [(path: String, mode: UInt16)] = []
        var foreign: [String] = []
        var links: [String] = []
    }

    func run(_ examination: Examination) async throws -> [Problem] {
        let home = examination.home
        let walk = try await Examination.blocking {
            try PermissionCheck.walk(home) { try examination.progress($0, 0) }
        }
        var problems: [Problem] = []
        if let first = walk.wide.first {
            let digits = String(first.mode, radix: 8)
            let mode = "0" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            let others = walk.wide.count > 1 ? tr(", and \(walk.wide.count - 1) more") : ""
            let words = Words(
                "The permissions of \(first.path) (\(mode))\(others) are not right.", Remedy.repair)
            problems.append(
                Problem(check, .warning, words) {
                    let number = try await Examination.blocking {
                        try PermissionCheck.narrow(home)
                    }
                    return tr(
                        number, "\(number) file or folder is yours alone now.",
                        "\(number) files or folders are yours alone now.")
                })
        }
        if let first = walk.foreign.first {
            let words = Words(
                walk.foreign.count == 1
                    ? "\(walk.foreign.count) file belongs to another user: \(first)."
                    : "\(walk.foreign.count) files belong to another user: \(first).",
                "Give them to the user peersync runs as, with sudo chown.")
            problems.append(Problem(check, .error, words))
        }
        if let first = walk.links.first {
            let words = Words(
                walk.links.count == 1
                    ? "\(walk.links.count) entry is a link: \(first)."
                    : "\(walk.links.count) entries are links: \(first).",
                "peersync makes no links; look where they lead, and remove them.")
            problems.append(Problem(check, .warning, words))
        }
        if problems.isEmpty {
            problems.append(
                Problem(
                    check, .ok,
                    Words(
                        walk.entries == 1
                            ? "The folder is yours alone."
                            : "\(walk.entries) files and folders are yours alone.")))
        }
        return problems
    }

    static func walk(_ home: AgentHome, _ progress: (Int) throws -> Void) throws -> Walk {
        var walk = Walk()
        var folders = [""]
        while let folder = folders.popLast() {
            try progress(walk.entries)
            look(at: folder, in: home, &walk)
            for name in try names(in: folder, of: home) {
                let path = folder.isEmpty ? name : folder + "/" + name
                if entry(home.directory + "/" + path)?.type == .typeDirectory {
                    folders.append(path)
                } else {
                    look(at: path, in: home, &walk)
                }
            }
        }
        return walk
    }

    /// The names in a folder, sorted; none in one that is gone by now, or whose mode keeps its owner out.
    private static func names(in folder: String, of home: AgentHome) throws -> [String] {
        let path = folder.isEmpty ? home.directory : home.directory + "/" + folder
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            guard let entry = entry(path) else { return [] }
            guard entry.owner == geteuid(), entry.mode & 0o700 == 0o700 else { return [] }
            throw APIError.noAccess(path)
        }
    }

    private static func look(at path: String, in home: AgentHome, _ walk: inout Walk) {
        let full = home.directory + (path.isEmpty ? "" : "/" + path)
        guard let entry = entry(full) else { return }
        walk.entries += 1
        let name = path.isEmpty ? home.directory : path
        if entry.owner != geteuid() { return walk.foreign.append(name) }
        if entry.type == .typeSymbolicLink { return walk.links.append(name) }
        let needed: UInt16 = entry.type == .typeDirectory ? 0o700 : 0o600
        if entry.mode & needed != needed || entry.mode & 0o077 != 0 {
            walk.wide.append((name, entry.mode))
        }
    }

    /// The entry at a path; links are not followed. Nil if it is gone by now, as a temporary file
    /// or a socket may be.
    private static func entry(
        _ path: String
    ) -> (type: FileAttributeType, owner: UInt32, mode: UInt16)? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let type = found[.type] as? FileAttributeType,
            let owner = found[.ownerAccountID] as? NSNumber,
            let mode = found[.posixPermissions] as? NSNumber
        else { return nil }
        return (type, owner.uint32Value, mode.uint16Value)
    }

    /// Puts all modes right, in folders that could not be looked into too. Returns how many.
    static func narrow(_ home: AgentHome) throws -> Int {
        var (number, done): (Int, Set<String>) = (0, [])
        while true {
            let paths = try walk(home) { _ in }.wide.map(\.path).filter { done.insert($0).inserted }
            guard !paths.isEmpty else { return number }
            number += try narrow(paths, in: home)
        }
    }

    /// Sets folders to 0700 and files to 0600; leaves links alone.
    private static func narrow(_ paths: [String], in home: AgentHome) throws -> Int {
        for path in paths {
            let full = path == home.directory ? path : home.directory + "/" + path
            let mode: mode_t = entry(full)?.type == .typeDirectory ? 0o700 : 0o600
            guard unsafe fchmodat(AT_FDCWD, full, mode, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw APIError.homeOfAnotherUser(full)
            }
        }
        return paths.count
    }
}
