import LocalAPI

/// The commands that administer this machine, and whether this user needs `sudo` for them.
package struct Administration: Hashable, Sendable {
    /// The manager that starts and stops services.
    package enum Services: Hashable, Sendable, CaseIterable {
        case systemd
        case openRC
        /// `service`, with scripts in /etc/init.d.
        case scripts
        case none
    }

    /// The manager that installs programs.
    package enum Packages: Hashable, Sendable, CaseIterable {
        case apt
        case dnf
        case zypper
        case pacman
        case apk
        case none
    }

    package var isRoot: Bool
    package var services: Services
    package var packages: Packages

    package init(isRoot: Bool, services: Services, packages: Packages) {
        (self.isRoot, self.services, self.packages) = (isRoot, services, packages)
    }

    /// Commands that only root may run, as one line to type.
    func line(_ commands: String...) -> String { line(commands) }

    func line(_ commands: [String]) -> String {
        commands.map { isRoot ? $0 : "sudo " + $0 }.joined(separator: " && ")
    }

    // MARK: Avahi and D-Bus

    func installAvahi(withBus: Bool) -> String {
        let bus: String
        let install: String
        switch packages {
        // Debian starts services when it installs them.
        case .apt:
            return line(tr("apt install \(withBus ? tr("dbus ") : "")avahi-daemon"))
        case .dnf: (install, bus) = (tr("dnf install"), tr("dbus"))
        case .zypper: (install, bus) = (tr("zypper install"), tr("dbus-1"))
        case .pacman: (install, bus) = (tr("pacman -S"), tr("dbus"))
        case .apk: (install, bus) = (tr("apk add"), tr("dbus"))
        case .none:
            return tr(
                """
                Install with this system's package manager: \
                \(withBus ? tr("dbus, avahi") : tr("avahi"))
                """)
        }
        return line([tr("\(install) \(withBus ? bus + " " : "")avahi")] + startingAvahi)
    }

    var startAvahi: String { line(startingAvahi) }

    var unmaskAvahi: String {
        line([tr("systemctl unmask avahi-daemon.socket avahi-daemon.service")] + startingAvahi)
    }

    var restartAvahi: String {
        switch services {
        case .systemd: line(tr("systemctl restart avahi-daemon"))
        case .openRC: line(tr("rc-service avahi-daemon restart"))
        case .scripts: line(tr("service avahi-daemon restart"))
        case .none: line(tr("avahi-daemon --kill"), tr("avahi-daemon --daemonize"))
        }
    }

    var startBus: String {
        switch services {
        case .systemd: line(tr("systemctl start dbus.socket"))
        case .openRC: line(tr("rc-service dbus start"))
        case .scripts: line(tr("service dbus start"))
        case .none: line(tr("mkdir -p /run/dbus"), tr("dbus-daemon --system"))
        }
    }

    private var startingAvahi: [String] {
        switch services {
        case .systemd: [tr("systemctl enable --now avahi-daemon")]
        case .openRC: [tr("rc-update add avahi-daemon"), tr("rc-service avahi-daemon start")]
        case .scripts: [tr("service avahi-daemon start")]
        case .none: [tr("avahi-daemon --daemonize")]
        }
    }
}
