import Discovery
import SyncCore
import Testing

@Suite("Instances")
struct InstanceTableTests {
    private let four = HostPort(host: "10.77.0.1", port: 4711)
    private let six = HostPort(host: "fe80::1%eth0", port: 4711)
    private let record: ServiceRecord

    init() throws {
        record = try ServiceRecord(protocolVersion: 1, nameplate: nil)
    }

    private func sighting(_ name: String, _ ipVersion: Int32 = 0, _ interface: Int32 = 2)
        -> Sighting
    {
        Sighting(name: name, interface: interface, ipVersion: ipVersion)
    }

    private func found(_ name: String, _ addresses: [HostPort]) -> DiscoveryEvent {
        .found(
            DiscoveredInstance(
                name: name, addresses: addresses, protocolVersion: 1, nameplate: nil))
    }

    @Test("an instance is reported once resolved, IPv4 first, and lost with its last address")
    func life() {
        // given
        var table = InstanceTable()
        #expect(table.appear(sighting("ann", 1)) == true)
        #expect(table.appear(sighting("ann", 0)) == true)
        #expect(table.appear(sighting("ann", 0)) == false)
        // when, then
        #expect(
            table.resolve(sighting("ann", 1), address: six, record: record) == found("ann", [six]))
        #expect(
            table.resolve(sighting("ann", 0), address: four, record: record)
                == found("ann", [four, six]))
        #expect(table.resolve(sighting("ann", 0), address: four, record: record) == nil)
        #expect(table.vanish(sighting("ann", 1)) == found("ann", [four]))
        #expect(table.vanish(sighting("ann", 0)) == .lost("ann"))
        #expect(table.vanish(sighting("ann", 0)) == nil)
        #expect(table.sightingCount == 0)
    }

    @Test("a changed record is reported")
    func change() throws {
        var table = InstanceTable()
        _ = table.appear(sighting("ann"))
        _ = table.resolve(sighting("ann"), address: four, record: record)
        let pairing = try ServiceRecord(protocolVersion: 1, nameplate: "7")
        let event = table.resolve(sighting("ann"), address: four, record: pairing)
        #expect(
            event
                == .found(
                    DiscoveredInstance(
                        name: "ann", addresses: [four], protocolVersion: 1, nameplate: "7")))
    }

    @Test("an instance that no longer resolves is lost, retried, and found again")
    func again() {
        var table = InstanceTable()
        _ = table.appear(sighting("ann"))
        _ = table.resolve(sighting("ann"), address: four, record: record)
        #expect(table.failToResolve(sighting("ann")) == .lost("ann"))
        #expect(table.consumeUnresolved() == [sighting("ann")])
        #expect(table.consumeUnresolved().isEmpty)
        #expect(
            table.resolve(sighting("ann"), address: four, record: record) == found("ann", [four]))
    }

    @Test("answers about lost or unknown sightings are ignored")
    func stale() {
        var table = InstanceTable()
        #expect(table.resolve(sighting("ann"), address: four, record: record) == nil)
        #expect(table.failToResolve(sighting("ann")) == nil)
        #expect(table.unresolved.isEmpty)
    }

    @Test("a flood of names or of views of one name is not stored, and leaves room when it ends")
    func flood() {
        var table = InstanceTable()
        let views = (0..<100).filter { table.appear(sighting("ann", 0, $0)) }
        #expect(views.count == Limits.sightingsPerInstance)
        let names = (0..<10_000).filter { table.appear(sighting("x\($0)")) }
        #expect(table.sightingCount == Limits.discoverySightings)
        #expect(names.count == Limits.discoverySightings - Limits.sightingsPerInstance)
        _ = table.vanish(sighting("x0"))
        #expect(table.appear(sighting("bea")) == true)
    }

    @Test(
        "names that no peersync would choose are ignored",
        arguments: [
            "", "Ann's laptop", "a\u{1B}[2J", "A", "a.b", String(repeating: "a", count: 64),
        ])
    func names(_ name: String) {
        var table = InstanceTable()
        #expect(table.appear(sighting(name)) == false)
    }

    @Test("clearing reports all found instances as lost")
    func clear() {
        var table = InstanceTable()
        for name in ["b", "a", "c"] { _ = table.appear(sighting(name)) }
        for name in ["b", "a"] {
            _ = table.resolve(sighting(name), address: four, record: record)
        }
        #expect(table.clear() == [.lost("a"), .lost("b")])
        #expect(table.clear().isEmpty)
    }

    @Test("our own names are acceptable and differ")
    func ownNames() {
        let names = (0..<100).map { _ in InstanceName.random() }
        #expect(names.allSatisfy { InstanceName.isAcceptable($0) && $0.count == 8 })
        #expect(Set(names).count == 100)
    }
}
