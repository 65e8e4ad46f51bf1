import Discovery
import Foundation
import LocalAPI
import Networking
import Records
import Testing

@Suite("Why devices are not found")
struct DiscoveryFaultTests {
    private static let failure = DiscoveryOutage.failed(code: -1, message: "too busy")

    /// What is installed and runs: Avahi, D-Bus, the bus's socket.
    private func fault(
        _ outage: DiscoveryOutage, avahi: Bool = true, dbus: Bool = true, bus: Bool? = true,
        isMasked: Bool = false
    ) -> DiscoveryFault {
        var machine = MachineFacts(
            Administration(isRoot: false, services: .systemd, packages: .apt))
        (machine.hasAvahi, machine.hasBusDaemon, machine.hasBus) = (avahi, dbus, bus)
        machine.isAvahiMasked = isMasked
        return DiscoveryFault(outage, machine)
    }

    @Test("Avahi that is not installed is told from Avahi that is stopped")
    func avahi() {
        #expect(fault(.noAvahiDaemon) == .avahiStopped)
        #expect(fault(.noAvahiDaemon, isMasked: true) == .avahiMasked)
        #expect(fault(.noAvahiDaemon, avahi: false) == .avahiNotInstalled)
        #expect(fault(.noAvahiDaemon, avahi: false, isMasked: true) == .avahiNotInstalled)
        #expect(fault(Self.failure) == .avahiFails("too busy"))
    }

    @Test(
        "a missing bus comes before a missing Avahi, which nobody can ask for without it",
        arguments: [DiscoveryOutage.noDBus, .noAvahiDaemon, failure], [true, false])
    func bus(_ outage: DiscoveryOutage, _ hasAvahi: Bool) {
        #expect(fault(outage, avahi: hasAvahi, bus: false) == .busStopped)
        #expect(fault(outage, avahi: hasAvahi, dbus: false, bus: false) == .busNotInstalled)
    }

    @Test("a bus that does not answer is stopped; one that may be anywhere is asked")
    func elsewhere() {
        #expect(fault(.noDBus) == .busStopped)
        #expect(fault(.noDBus, dbus: false, bus: nil) == .busNotInstalled)
        #expect(fault(.noDBus, bus: nil) == .busStopped)
        #expect(fault(.noAvahiDaemon, dbus: false, bus: nil) == .avahiStopped)
    }

    @Test("the machine is known by its files")
    func files() throws {
        let root = NSTemporaryDirectory() + "peersync-machine-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: root) }
        func make(_ paths: String...) throws {
            for path in paths {
                try FileManager.default.createDirectory(
                    atPath: root + path, withIntermediateDirectories: true)
            }
        }
        func look(bus: String? = nil) -> MachineFacts {
            MachineFacts(below: root, bus: bus, isRoot: true)
        }
        try make("/etc/systemd/system")
        var expected = MachineFacts(Administration(isRoot: true, services: .none, packages: .none))
        expected.hasBus = false
        #expect(look() == expected)
        try make("/usr/sbin/service", "/usr/bin/apt", "/usr/bin/dbus-daemon")
        (expected.administration.services, expected.administration.packages) = (.scripts, .apt)
        expected.hasBusDaemon = true
        #expect(look() == expected)
        try make("/run/systemd/system", "/run/dbus/system_bus_socket", "/usr/sbin/avahi-daemon")
        expected.administration.services = .systemd
        (expected.hasBus, expected.hasAvahi) = (true, true)
        #expect(look() == expected)
        #expect(look(bus: "unix:path=/nowhere,guid=1").hasBus == false)
        #expect(look(bus: "unix:path=/run/dbus/system_bus_socket").hasBus == true)
        #expect(look(bus: "tcp:host=a").hasBus == nil)
        try FileManager.default.createSymbolicLink(
            atPath: root + "/etc/systemd/system/avahi-daemon.service",
            withDestinationPath: "/dev/null")
        #expect(look().isAvahiMasked)
    }
}

@Suite("Whether a firewall is told of")
struct FirewallHistoryTests {
    private static let ufw = FirewallProgram.ufw(hasProfile: true)
    private static let possible = FirewallView(
        sessions: .possible(by: ufw), discovery: .unknown(.notPermitted), revision: "1")
    private static let closed = FirewallView(
        sessions: .closed(by: .iptables), discovery: .closed(by: .iptables))
    private static let open = FirewallView(sessions: .open, discovery: .open)
    private static let told = FirewallObstacle(
        .ufw(hasProfile: true), [.sessions(7)], isCertain: false)

    @Test(
        "what was read is certain, what is only on is possible, what is unknown is not told",
        arguments: [
            (open, nil),
            (closed, FirewallObstacle(.iptables, [.sessions(7), .multicastDNS], isCertain: true)),
            (possible, told),
            (
                FirewallView(sessions: .open, discovery: .closed(by: .iptables)),
                FirewallObstacle(.iptables, [.multicastDNS], isCertain: true)
            ),
            (
                FirewallView(sessions: .closed(by: .iptables), discovery: .unknown(.intricate)),
                FirewallObstacle(.iptables, [.sessions(7)], isCertain: true)
            ),
            (
                FirewallView(
                    sessions: .possible(by: .firewalld(hasService: false)),
                    discovery: .possible(by: .firewalld(hasService: false))),
                FirewallObstacle(
                    .firewalld(hasService: false), [.sessions(7), .multicastDNS], isCertain: false)
            ),
            (FirewallView(sessions: .unknown(.notPermitted), discovery: .unknown(.noTool)), nil),
        ] as [(FirewallView, FirewallObstacle?)])
    func obstacles(_ view: FirewallView, _ expected: FirewallObstacle?) {
        #expect(FirewallObstacle(view, port: 7, isReached: false) == expected)
    }

    @Test("an incoming session shows that the firewall lets sessions in, while it is the same")
    func reached() {
        var history = FirewallHistory(port: 7)
        #expect(history.obstacle == nil)
        history.saw(Self.possible, at: 1)
        #expect(history.obstacle == Self.told)
        #expect(history.wasReached(at: 2) != nil)
        #expect(history.wasReached(at: 3) == nil, "it is remembered already")
        #expect(history.obstacle == nil)
        history.saw(Self.possible, at: 4)
        #expect(history.obstacle == nil)
        var changed = Self.possible
        changed.revision = "2"
        history.saw(changed, at: 5)
        #expect(history.obstacle == Self.told)
    }

    @Test("rules that were read as closed are told again after they were changed")
    func rules() {
        var history = FirewallHistory(port: 7)
        history.saw(Self.open, at: 1)
        #expect(history.wasReached(at: 2) == nil, "rules that can be read are read again")
        history.saw(Self.closed, at: 3)
        #expect(history.obstacle?.ports == [.sessions(7), .multicastDNS])
        // Sessions come in all the same; of discovery that says nothing.
        _ = history.wasReached(at: 4)
        #expect(history.obstacle?.ports == [.multicastDNS])
        history.saw(Self.open, at: 5)
        #expect(history.obstacle == nil)
    }

    @Test("the next agent remembers it, for this port and these rules only")
    func remembered() {
        var history = FirewallHistory(port: 7)
        history.saw(Self.possible, at: 1)
        let mark = history.wasReached(at: 2)
        var next = FirewallHistory(port: 7, remembered: mark)
        next.saw(Self.possible, at: 1)
        #expect(next.obstacle == nil)
        var changed = Self.possible
        changed.revision = "2"
        next.saw(changed, at: 2)
        #expect(next.obstacle == Self.told)
        var elsewhere = FirewallHistory(port: 8, remembered: mark)
        elsewhere.saw(Self.possible, at: 1)
        #expect(elsewhere.obstacle != nil)
        var unread = FirewallHistory(port: 7, remembered: nil)
        unread.saw(Self.possible, at: 1)
        #expect(unread.obstacle == Self.told)
    }

    @Test("the holder of a port is named as far as it is seen")
    func holders() {
        typealias Holder = PortConflict.Holder
        #expect(Holder(isOwn: true, user: "ann", programs: ["peersync"]) == .peersync(user: nil))
        #expect(Holder(isOwn: true, user: "ann", programs: ["python3"]) == .program("python3"))
        #expect(Holder(isOwn: true, user: "ann", programs: []) == .unknown)
        #expect(
            Holder(isOwn: false, user: "ben", programs: ["bash", "peersync"])
                == .peersync(user: "ben"))
        #expect(Holder(isOwn: false, user: "ben", programs: ["bash"]) == .user("ben"))
        #expect(Holder(isOwn: false, user: nil, programs: ["peersync"]) == .unknown)
        #expect(Holder(isOwn: false, user: nil, programs: []) == .unknown)
    }
}
