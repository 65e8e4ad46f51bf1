import LocalAPI
import Testing
import peersync

struct StatusReportTests {
    private let me = Reference(id: "p1", shortID: "p1", name: "Ann")
    private let laptop = Reference(id: "k3", shortID: "k3", name: "laptop")

    private func status(
        running: Bool = true, syncEnabled: Bool = true,
        devices: [DeviceView] = [],
        trips: [TripView] = [], problems: [ProblemView] = [], width: Int? = 80, announced: Int = 0
    ) -> String {
        let view = StatusView(
            device: laptop, person: me, state: .offline, verdict: "no agent runs here",
            syncEnabled: syncEnabled,
            network: NetworkStatus(
                running: running, port: running ? 4827 : nil, discovery: .working,
                announcedDevices: announced),
            lastSync: nil, devices: devices, trips: trips, problems: problems)
        return Printable.rendered(StatusReport.rendered(view, width: width), style: false)
    }

    @Test("without paired devices it shows the next step")
    func nothingPaired() {
        let text = status()
        #expect(text.contains("peersync pair"))
        #expect(text.contains("peersync trip create"))
    }

    @Test("a vault's list of trips says that it carries some")
    func carried() {
        #expect(StatusReport.noTrips(carried: 0).hasPrefix("None yet. "))
        #expect(
            StatusReport.noTrips(carried: 2)
                == "None that can be read here. This device carries 2 trips or spaces for others: peersync vault list"
        )
    }

    @Test("it shows the agent's headline, then each problem with its remedy")
    func problems() {
        let text = status(problems: [
            ProblemView(
                kind: .lostFiles, urgent: true, sentence: "1 file is lost.", remedy: "Add it."),
            ProblemView(kind: .syncOff, urgent: false, sentence: "Off.", remedy: "sync on"),
        ])
        #expect(text.contains("no agent runs here"))
        #expect(text.contains("! 1 file is lost.\n  Add it.\n\u{2022} Off.\n  sync on"))
    }

    @Test("it shows whether this device is in a network, and how many others are there")
    func connectivity() {
        func device(_ id: String, connected: Bool, refuses: Bool? = nil) -> DeviceView {
            var standing = DeviceView.Standing(.synced, connected: connected)
            standing.refuses = refuses
            return DeviceView(
                .init(id: id, shortID: id, name: id, person: me, mine: true, paired: true),
                standing)
        }
        #expect(status().contains("network  connected, nobody else is there"))
        #expect(
            status(devices: [device("d1", connected: true), device("d2", connected: false)])
                .contains("network  1 device in reach"))
        #expect(
            status(announced: 2).contains(
                "network  connected; 2 devices announce themselves, none paired with this one"))
        #expect(
            status(devices: [device("d1", connected: false)], announced: 1).contains(
                "network  connected; 1 device announces itself, none is in reach"))
        // Those that answered are no strangers.
        #expect(
            status(devices: [device("d1", connected: false, refuses: true)], announced: 3)
                .contains("network  connected; 1 device answers and refuses this one"))
        let away = ProblemView(kind: .noNetwork, urgent: false, sentence: "x", remedy: nil)
        #expect(status(problems: [away]).contains("network  none"))
        #expect(!status(running: false).contains("network  "))
        #expect(!status(syncEnabled: false).contains("network  "))
    }

    @Test("a computer that was set up again is shown once, with what drops the one of before")
    func replaced() {
        func device(_ id: String, replacedBy: Reference? = nil) -> DeviceView {
            DeviceView(
                .init(id: id, shortID: id, name: "desk", person: me, mine: false, paired: true),
                .init(.synced, connected: replacedBy == nil, replacedBy: replacedBy))
        }
        let today = Reference(id: "new1", shortID: "new1", name: "desk")
        let text = status(devices: [device("new1"), device("old1", replacedBy: today)])
        #expect(text.ranges(of: "desk").count == 2)
        #expect(text.contains("Not shown: desk (old1) of before"))
        #expect(text.contains("peersync device forget old1"))
    }

    @Test("a trip that could be read before, and is only carried now, says so")
    func carriedSince() {
        // given
        var trip = TripView(
            .init(
                id: "t1", shortID: "t1", name: "Arezzo", active: true, membership: .member,
                role: nil, grantedBy: me),
            contents: .init(members: 1, memories: 2, bytes: 0), sync: .init(.synced),
            details: .init(schema: "journal"))
        trip.carried = CarriedView(changes: 5, filesHere: 0, newest: nil)
        // when
        let text = status(trips: [trip], width: nil)
        // then
        #expect(
            text.contains(
                "2 memories from before; what came since is only carried for Ann, unreadable here"))
    }

    @Test("trips of one name are told apart by their ids")
    func namesakes() {
        // given
        func trip(_ id: String, _ name: String) -> TripView {
            TripView(
                .init(
                    id: id, shortID: id, name: name, active: true, membership: .member,
                    role: .admin, grantedBy: nil),
                contents: .init(members: 1, bytes: 0), sync: .init(.synced))
        }
        // when
        let text = status(
            trips: [trip("t1", "Arezzo"), trip("t2", "Arezzo"), trip("t3", "Arles")], width: nil)
        // then
        #expect(text.contains("Arezzo (t1)") && text.contains("Arezzo (t2)"))
        #expect(!text.contains("(t3)"))
    }

    @Test("what waits for an absent device is told with its size")
    func waiting() {
        let device = DeviceView(
            .init(id: "d1", shortID: "d1", name: "phone", person: me, mine: true, paired: true),
            .init(
                .pending, connected: false,
                waiting: WaitingCount(changes: 12, files: 1, bytes: 3_200_000),
                elsewhere: WaitingCount(changes: 0, files: 2, bytes: 1_000_000),
                tries: TriesView(
                    failed: 7, nextTry: nil, lastError: "no answer", trouble: .noNetwork)))
        let text = status(devices: [device], width: nil)
        #expect(text.contains("12 changes and 1 file (3.2 MB) to send"))
        #expect(text.contains("2 files (1.0 MB) to come from other devices"))
        #expect(text.contains("7 tries in vain"))
    }

    @Test("An accepted trip comes now only when a device that has it is connected")
    func accepted() {
        func said(_ state: SyncState) -> String {
            SpaceText.accepted(
                TripView(
                    .init(
                        id: "t1", shortID: "t1", name: "Arezzo", active: true, membership: .member,
                        role: nil, grantedBy: nil),
                    contents: .init(bytes: 0), sync: .init(state)))
        }
        #expect(said(.pending).contains("now."))
        #expect(said(.offline).contains("once a device that has it is connected"))
    }

    private func large(_ name: String) -> TripView {
        TripView(
            .init(
                id: "t1", shortID: "t1ab", name: name, active: true, membership: .member,
                role: .admin, grantedBy: nil),
            contents: .init(members: 3, memories: 14, media: 31, bytes: 48_200_000),
            sync: .init(.synced))
    }

    @Test("no line is longer than the terminal", arguments: [40, 60, 80, 120])
    func width(columns: Int) {
        let name = String(repeating: "Arles with the family ", count: 5)
        let trip = large(name)
        let table = TripTable.rendered([trip], width: max(columns, 60))
        #expect(!table.contains("encrypted"))
        for line in table.split(separator: "\n") {
            #expect(TextWidth.columns(String(line)) <= max(columns, 60))
        }
    }

    @Test("a trip of which nothing is here has no count of memories")
    func awaited() {
        let trip = TripView(
            .init(
                id: "t1", shortID: "t1ab", name: "Arles", active: true, membership: .member,
                role: nil, grantedBy: nil), contents: .init(bytes: 0), sync: .init(.offline))
        let table = TripTable.rendered([trip], width: nil)
        #expect(table.contains("nothing here yet") && !table.contains("0 memories"))
    }

    @Test("encryption of a trip is shown first, so that a narrow table shows it too")
    func encrypted() {
        var trip = large("Arles")
        trip.encryption = EncryptionView(keys: 1, keysHere: 1, writable: true, closed: 0)
        #expect(TripTable.rendered([trip], width: 60).contains("encrypted"))
        #expect(TripTable.rendered([trip], width: nil).contains("encrypted, 14 memories"))
    }
}
