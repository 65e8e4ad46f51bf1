import Discovery
internal import Foundation
import Records

/// Finds out who listens on a TCP port of this machine, as far as proc(5) shows it to this user.
enum PortOwner {
    /// True when it cannot be found out.
    static func isTaken(_ port: UInt16) -> Bool {
        ListeningSockets.current().map { $0.isTaken(port) } ?? true
    }

    static func holder(of port: UInt16) -> PortConflict.Holder {
        guard let sockets = ListeningSockets.current() else { return .unknown }
        guard sockets.isTaken(port) else { return .none }
        guard let owner = sockets.owners[port] else { return .unknown }
        let isOwn = owner.user == geteuid()
        let all = processes(of: owner.user)
        // Which process has a socket only its user and root may see.
        let holding = all.filter { has($0, owner.inode) }
        let programs = (holding.isEmpty && !isOwn ? all : holding).compactMap { program($0) }
        return PortConflict.Holder(
            isOwn: isOwn, user: name(of: owner.user), programs: programs)
    }

    private static func processes(of user: UInt32) -> [String] {
        let manager = FileManager.default
        let all = (try? manager.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { process in
            guard process.first?.isNumber == true else { return false }
            let attributes = try? manager.attributesOfItem(atPath: "/proc/\(process)")
            return (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value == user
        }
    }

    private static func has(_ process: String, _ inode: UInt64) -> Bool {
        let manager = FileManager.default
        let folder = "/proc/\(process)/fd"
        let files = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        return files.contains {
            let target = try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            return target == "socket:[\(inode)]"
        }
    }

    private static func program(_ process: String) -> String? {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name?.split(separator: "\n").first.map(String.init)
    }

    private static func name(of user: UInt32) -> String? {
        // What a user namespace shows of users outside of it (user_namespaces(7)).
        guard user != 65_534, let entry = unsafe getpwuid(user) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
