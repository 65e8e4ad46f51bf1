import Foundation
package import Records

/// What is installed and runs on this machine of that which devices are found with, by its files: they
/// are the same whatever installed them.
package struct MachineFacts: Hashable, Sendable {
    package var administration: Administration
    package var hasAvahi = false
    /// Somebody forbade it to start (systemctl(1), `mask`).
    package var isAvahiMasked = false
    package var hasBusDaemon = false
    /// The socket of the system bus is there; nil when it may be anywhere.
    package var hasBus: Bool?

    package init(_ administration: Administration) { self.administration = administration }

    /// Looks at this machine.
    package init() {
        self.init(
            below: "", bus: ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"],
            isRoot: geteuid() == 0)
    }

    /// Looks below a root folder. `bus` is the address of the bus when that is not the usual one
    /// (dbus-daemon(1)).
    package init(below root: String, bus: String?, isRoot: Bool) {
        let manager = FileManager.default
        func has(_ paths: [String]) -> Bool {
            paths.contains { manager.fileExists(atPath: root + $0) }
        }
        administration = Administration(
            isRoot: isRoot, services: Self.services.first { has($0.files) }?.name ?? .none,
            packages: Self.packages.first { has($0.files) }?.name ?? .none)
        hasAvahi = has(Self.programs("avahi-daemon"))
        hasBusDaemon = has(Self.programs("dbus-daemon") + Self.programs("dbus-broker"))
        let unit = root + "/etc/systemd/system/avahi-daemon.service"
        isAvahiMasked = (try? manager.destinationOfSymbolicLink(atPath: unit)) == "/dev/null"
        hasBus =
            switch bus {
            case nil: has(["/run/dbus/system_bus_socket"])
            case let address? where address.hasPrefix(Self.pathAddress):
                has([String(address.dropFirst(Self.pathAddress.count).prefix { $0 != "," })])
            default: nil
            }
    }

    private static let pathAddress = "unix:path="

    private static let services: [(name: Administration.Services, files: [String])] = [
        (.systemd, ["/run/systemd/system"]), (.openRC, ["/run/openrc"]),
        (.scripts, programs("service")),
    ]

    private static let packages: [(name: Administration.Packages, files: [String])] = [
        (.apt, ["/usr/bin/apt"]), (.dnf, ["/usr/bin/dnf"]), (.zypper, ["/usr/bin/zypper"]),
        (.pacman, ["/usr/bin/pacman"]), (.apk, ["/sbin/apk"]),
    ]

    private static func programs(_ name: String) -> [String] {
        ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/", "/usr/local/sbin/", "/usr/local/bin/"]
            .map { $0 + name }
    }
}
