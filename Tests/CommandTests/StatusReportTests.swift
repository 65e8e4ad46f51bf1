import LocalAPI
import Testing
import peersync

struct StatusReportTests {
    private let me = Reference(id: "p1", shortID: "p1", name: "Ann")
    private let laptop = Reference(id: "k3", shortID: "k3", name: "laptop")

    private func status(
        running: Bool = true, syncEnabled: Bool = true,
        discovery: NetworkStatus.Discovery = .working, devices: [DeviceView] = [],
        trips: [TripView] = []
    ) -> String {
        let view = StatusView(
            device: laptop, person: me, state: .offline, syncEnabled: syncEnabled,
            network: NetworkStatus(
                running: running, port: running ? 4827 : nil, discovery: discovery,
                announcedDevices: 0),
            lastSync: nil, devices: devices, trips: trips, notices: [])
        return Printable.rendered(StatusReport.rendered(view, width: 80), style: false)
    }

    @Test("with nothing paired it says what to do next")
    func nothingPaired() {
        let text = status()
        #expect(text.contains("peersync pair"))
        #expect(text.contains("peersync trip create"))
    }

    @Test("it says why nothing syncs: no agent, sync off, no Avahi")
    func reasons() {
        #expect(status(running: false).contains("peersync run"))
        #expect(status(syncEnabled: false).contains("peersync sync on"))
        #expect(status(discovery: .noAvahi).contains("avahi-daemon"))
    }

    @Test("a granted trip names who shares it and the command that takes it")
    func grantedTrip() {
        let trip = TripView(
            id: "t1", shortID: "t1", name: "Norway 2010", active: true, membership: .granted,
            role: .contributor, grantedBy: Reference(id: "p2", shortID: "p2", name: "Bea"),
            memberCount: 0, memoryCount: 0, mediaCount: 0, bytes: 0, missing: .nothing,
            state: .pending)
        let text = status(trips: [trip])
        #expect(text.contains("Bea"))
        #expect(text.contains("peersync trip accept 'Norway 2010'"))
    }

    @Test("what waits for an absent device is told with its size")
    func waiting() {
        let device = DeviceView(
            id: "d1", shortID: "d1", name: "phone", person: me, mine: true, paired: true,
            connected: false, state: .pending, lastSeen: nil, lastSync: nil, addresses: [],
            waiting: WaitingCount(changes: 12, files: 1, bytes: 3_200_000), problem: nil)
        #expect(status(devices: [device]).contains("12 changes and 1 file (3.2 MB) to send"))
    }

    @Test("no line is longer than the terminal", arguments: [40, 60, 80, 120])
    func width(columns: Int) {
        let name = String(repeating: "Arles with the family ", count: 5)
        let trip = TripView(
            id: "t1", shortID: "t1ab", name: name, active: true, membership: .member,
            role: .admin, grantedBy: nil, memberCount: 3, memoryCount: 14, mediaCount: 31,
            bytes: 48_200_000, missing: .nothing, state: .synced)
        let table = TripTable.rendered([trip], width: max(columns, 60))
        for line in table.split(separator: "\n") {
            #expect(TextWidth.columns(String(line)) <= max(columns, 60))
        }
    }
}
