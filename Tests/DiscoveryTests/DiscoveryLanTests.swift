import Discovery
import Foundation
import Logging
import SyncCore
import Testing

@Suite(
    "On a network", .serialized, .enabled(if: Rig.isHere, Comment(rawValue: Rig.reason)),
    .timeLimit(.minutes(1)))
struct DiscoveryLanTests {
    private let logger = Logger(label: "test")

    private func isFound(_ name: String, _ event: DiscoveryEvent) -> Bool {
        if case .found(let instance) = event { instance.name == name } else { false }
    }

    @Test("a service on another host is found with all its addresses, and lost when it stops")
    func finds() async throws {
        // given
        let publisher = try Rig.onBen(
            "avahi-publish", "-s", "other", "_peersync._tcp", "4712", "v=3", "pn=42", "x=y")
        let discovery = AvahiDiscovery(port: nil, protocolVersion: 1, logger: logger)
        await discovery.start()
        var events = Watcher(discovery.events)
        // when
        let event = await events.first {
            if case .found(let instance) = $0 { instance.addresses.count == 2 } else { false }
        }
        // then
        let six = try Rig.lan("address", "ben", "6").trimmingCharacters(in: .newlines)
        let places = ["10.77.0.2", "\(six)%eth0"].map { HostPort(host: $0, port: 4712) }
        let instance = DiscoveredInstance(
            name: "other", addresses: places, protocolVersion: 3, nameplate: "42")
        #expect(event == .found(instance))
        publisher.end()
        #expect(await events.first { $0 == .lost("other") } != nil)
        await discovery.stop()
        #expect(await events.first { _ in true } == nil)
    }

    @Test("others see our port and record, nameplate changes, and that stopping withdraws us")
    func isSeen() async throws {
        let discovery = AvahiDiscovery(port: 4711, protocolVersion: 1, logger: logger)
        let name = await discovery.instanceName
        await discovery.start()
        func isSeen(_ text: String) throws -> Bool {
            let lines = try Rig.seenByBen().filter { $0.contains(";\(name);") }
            return lines.contains { $0.hasSuffix(";10.77.0.1;4711;\(text)") }
        }
        #expect(try await Rig.soon { try isSeen(#""v=1""#) })
        await discovery.setNameplate("7")
        #expect(try await Rig.soon { try isSeen(#""v=1" "pn=7""#) })
        await discovery.setNameplate(nil)
        #expect(try await Rig.soon { try isSeen(#""v=1""#) })
        await discovery.stop()
        #expect(try await Rig.soon { try Rig.seenByBen().allSatisfy { !$0.contains(name) } })
    }

    @Test("we do not find ourselves")
    func notOurselves() async throws {
        let discovery = AvahiDiscovery(port: 4711, protocolVersion: 1, logger: logger)
        let name = await discovery.instanceName
        await discovery.start()
        let collected = Task {
            var events: [DiscoveryEvent] = []
            for await event in discovery.events { events.append(event) }
            return events
        }
        #expect(try await Rig.soon { try Rig.seenByBen().contains { $0.contains(name) } })
        await discovery.stop()
        let events = await collected.value
        #expect(events.first == .available)
        #expect(!events.contains { isFound(name, $0) })
    }

    @Test("a taken name is replaced by another one")
    func collision() async throws {
        let publisher = try Rig.onBen(
            "avahi-publish", "-s", "taken", "_peersync._tcp", "4712", "v=1")
        #expect(try await Rig.soon { try Rig.seenByBen().contains { $0.contains(";taken;") } })
        let discovery = AvahiDiscovery(
            port: 4711, protocolVersion: 1, instanceName: "taken", logger: logger)
        await discovery.start()
        #expect(
            try await Rig.soon { try Rig.seenByBen().contains { $0.contains(";10.77.0.1;4711;") } })
        #expect(await discovery.instanceName != "taken")
        await discovery.stop()
        publisher.end()
    }

    @Test("a restarted daemon is used again: services are found, and others see us")
    func restart() async throws {
        let publisher = try Rig.onBen(
            "avahi-publish", "-s", "other", "_peersync._tcp", "4712", "v=1")
        let discovery = AvahiDiscovery(port: 4711, protocolVersion: 1, logger: logger)
        let name = await discovery.instanceName
        await discovery.start()
        var events = Watcher(discovery.events)
        _ = await events.first { isFound("other", $0) }
        try Rig.lan("avahi", "ann", "stop")
        #expect(await events.first { $0 == .lost("other") } != nil)
        #expect(await events.first { $0 == .unavailable(reason: .noAvahiDaemon) } != nil)
        try Rig.lan("avahi", "ann", "start")
        #expect(await events.first { $0 == .available } != nil)
        #expect(await events.first { isFound("other", $0) } != nil)
        #expect(try await Rig.soon { try Rig.seenByBen().contains { $0.contains(";\(name);") } })
        await discovery.stop()
        publisher.end()
    }

    @Test("without D-Bus and daemon it reports the reason, and works as soon as both are there")
    func nothingAtStart() async throws {
        try Rig.lan("avahi", "ann", "stop")
        try Rig.lan("dbus", "ann", "stop")
        let discovery = AvahiDiscovery(port: 4711, protocolVersion: 1, logger: logger)
        await discovery.start()
        var events = Watcher(discovery.events)
        #expect(await events.first { _ in true } == .unavailable(reason: .noDBus))
        try Rig.lan("dbus", "ann", "start")
        #expect(await events.first { _ in true } == .unavailable(reason: .noAvahiDaemon))
        try Rig.lan("avahi", "ann", "start")
        #expect(await events.first { _ in true } == .available)
        let name = await discovery.instanceName
        #expect(try await Rig.soon { try Rig.seenByBen().contains { $0.contains(";\(name);") } })
        await discovery.stop()
    }

    @Test("loss and return of the network are noticed")
    func monitor() async throws {
        let monitor = NetworkMonitor(logger: logger)
        var changes = Watcher(monitor.changes)
        try Rig.lan("cut", "ann")
        #expect(await changes.first { _ in true } == .gone)
        try Rig.lan("heal", "ann")
        let change = await changes.first { _ in true }
        guard case .returned(let addresses) = change else {
            Issue.record("\(String(describing: change))")
            return
        }
        #expect(addresses.contains { $0.address == "10.77.0.1" && $0.prefixBits == 24 })
        try Rig.lan("exec", "ann", "--", "ip", "address", "add", "10.78.0.1/16", "dev", "eth0")
        let added = NetworkAddress(interface: "eth0", address: "10.78.0.1", prefixBits: 16)
        let event = await changes.first {
            if case .changed(let now) = $0 { now.contains(added) } else { false }
        }
        #expect(event != nil)
        try Rig.lan("exec", "ann", "--", "ip", "address", "del", "10.78.0.1/16", "dev", "eth0")
        monitor.stop()
    }
}
