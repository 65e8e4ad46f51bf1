/// The commands with which this machine is administered, and whether this user needs `sudo` for them.
package struct Administration: Hashable, Sendable {
    /// What starts and stops services.
    package enum Services: Hashable, Sendable, CaseIterable {
        case systemd
        case openRC
        /// `service`, with scripts in /etc/init.d.
        case scripts
        case none
    }

    /// What installs programs.
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
        // Debian starts what it installs.
        case .apt:
            return line("apt install \(withBus ? "dbus " : "")avahi-daemon")
        case .dnf: (install, bus) = ("dnf install", "dbus")
        case .zypper: (install, bus) = ("zypper install", "dbus-1")
        case .pacman: (install, bus) = ("pacman -S", "dbus")
        case .apk: (install, bus) = ("apk add", "dbus")
        case .none: return Sentence.Problem.installByHand(withBus ? "dbus, avahi" : "avahi")
        }
        return line(["\(install) \(withBus ? bus + " " : "")avahi"] + startingAvahi)
    }

    var startAvahi: String { line(startingAvahi) }

    var unmaskAvahi: String {
        line(["systemctl unmask avahi-daemon.socket avahi-daemon.service"] + startingAvahi)
    }

    var restartAvahi: String {
        switch services {
        case .systemd: line("systemctl restart avahi-daemon")
        case .openRC: line("rc-service avahi-daemon restart")
        case .scripts: line("service avahi-daemon restart")
        case .none: line("avahi-daemon --kill", "avahi-daemon --daemonize")
        }
    }

    var startBus: String {
        switch services {
        case .systemd: line("systemctl start dbus.socket")
        case .openRC: line("rc-service dbus start")
        case .scripts: line("service dbus start")
        case .none: line("mkdir -p /run/dbus", "dbus-daemon --system")
        }
    }

    private var startingAvahi: [String] {
        switch services {
        case .systemd: ["systemctl enable --now avahi-daemon"]
        case .openRC: ["rc-update add avahi-daemon", "rc-service avahi-daemon start"]
        case .scripts: ["service avahi-daemon start"]
        case .none: ["avahi-daemon --daemonize"]
        }
    }
}
