import Agent
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

/// Situations that a person can meet, as both devices see them: the reported problems and the sign.
@Suite("Status follows from the facts alone")
struct StatusTableTests {
    static let ann = device(1)
    static let ben = device(2)
    static let cleo = device(3)
    static let trip = SpaceID(sha256([9]))
    private static let log = LogID(device: ann, incarnation: .zero)
    static let photo = BlobID(sha256([7]))

    private static func device(_ number: UInt8) -> DeviceID { DeviceID(sha256([number])) }

    static func watermark(_ sequence: UInt64) -> Watermark {
        Watermark([LogPosition(log: log, head: LogHead(sequence: sequence, commit: .zero))])
    }

    /// Two connected devices that share a trip with one photo; both have everything.
    private static func facts(of device: DeviceID, with others: [DeviceID]) -> StatusFacts {
        var facts = StatusFacts()
        facts.devices = others.map { other in
            var seen = DeviceFacts(other)
            seen.link = .connected()
            seen.clockSkewMilliseconds = 40
            return seen
        }
        facts.spaces = [SpaceFacts(trip, sync(others), watermark: watermark(5))]
        return facts
    }

    /// The other devices' statements: the watermark of each reader, and the devices that lack the
    /// photo.
    static func sync(
        _ others: [DeviceID], invited: Set<DeviceID> = [], read: [DeviceID: UInt64] = [:],
        lacking: Set<DeviceID> = [], isConnected: Bool = true,
        _ change: (inout Traffic) -> Void = { _ in }
    ) -> SpaceSyncState {
        var traffic = Traffic()
        if isConnected {
            traffic.connected = Set(others)
            traffic.sharing = Set(others)
        }
        change(&traffic)
        let holdings = others.map { other in
            let lacks = lacking.contains(other)
            return Holdings(
                space: trip, device: other, counter: 1, held: lacks ? 0 : 1,
                missing: lacks ? [photo] : [], missingCount: lacks ? 1 : 0,
                missingBytes: lacks ? 70 : 0)
        }
        return SpaceSyncState(
            others: Set(others), invited: invited,
            acks: Dictionary(others.map { ($0, watermark(read[$0] ?? 5)) }) { $1 },
            holdings: Dictionary(holdings.map { ($0.device, $0) }) { $1 }, fileCount: 1,
            traffic: traffic)
    }

    static let missing = [NamedBlob(blob: photo, size: 70, kind: .original)]

    struct Side: Sendable {
        let name: String
        let facts: StatusFacts
        /// The overall sign, that of the first other device, and that of the trip.
        let signs: [SyncState]
        let problems: [ProblemView.Kind]
        /// `why` for the photo: this device's reasons, and those of the first other one.
        let why: [[WhyView.Reason.Kind]]

        init(
            _ name: String, _ device: DeviceID, with others: [DeviceID], _ signs: [SyncState],
            _ problems: [ProblemView.Kind], why: [[WhyView.Reason.Kind]] = [[], []],
            _ change: (inout StatusFacts) -> Void = { _ in }
        ) {
            var facts = StatusTableTests.facts(of: device, with: others)
            change(&facts)
            (self.name, self.facts, self.signs) = (name, facts, signs)
            (self.problems, self.why) = (problems, why)
        }
    }

    static let sides: [Side] =
        healthy + keys + apart + people + silent + unreachable + refused + disks + clocks + files
        + undecided + unread + behind

    private static let healthy = [
        Side("all is well, here", ann, with: [ben], [.synced, .synced, .synced], []),
        Side("all is well, there", ben, with: [ann], [.synced, .synced, .synced], []),
        Side(
            "a change is on its way", ann, with: [ben], [.syncing, .syncing, .syncing], [],
            why: [[], [.moving]]
        ) {
            $0.spaces[0].sync = sync([ben], read: [ben: 4]) { $0.taking = [ben] }
        },
        Side(
            "a change comes", ben, with: [ann], [.syncing, .synced, .syncing], [],
            why: [[.behind], []]
        ) { $0.spaces[0].sync = sync([ann], read: [ann: 6]) },
        Side("a trip is only here", ann, with: [ben], [.synced, .synced, .localOnly], []) {
            $0.spaces[0].sync = sync([])
        },
        Side("damage is mended", ann, with: [ben], [.pending, .synced, .synced], [.damaged]) {
            $0.here.damage = [.changes(2, on: [ben], coming: true)]
        },
        Side("damage nobody mends", ann, with: [ben], [.error, .synced, .synced], [.damaged]) {
            $0.here.damage = [.changes(2, on: [], coming: false)]
        },
        Side("trips are gone", ann, with: [ben], [.error, .synced, .synced], [.damaged]) {
            $0.here.damage = [.emptied(trips: 2, lists: true)]
        },
    ]

    private static let keys = [
        Side(
            "a device came in by the recovery key", ann, with: [ben],
            [.error, .error, .synced], [.cameByKey]
        ) { $0.devices[0].admission = KeyAdmission(to: [trip], since: Milliseconds(1)) },
        Side("contested key", ann, with: [ben], [.error, .synced, .synced], [.contestedKey]) {
            $0.here.keyRivals = [ben, cleo]
        },
        Side(
            "one was away and another one deleted much", ann, with: [ben],
            [.synced, .synced, .synced], [.lateChanges, .manyDeletions]
        ) { $0.arrivals = [arrival(.deletions), arrival(.late)] },
        Side("older fields", ann, with: [ben], [.synced, .synced, .synced], [.olderFields]) {
            $0.upgrades = [trip]
        },
        Side("move", ann, with: [ben], [.synced, .synced, .synced], [.interruptedMove]) {
            $0.here.moves = [.init(from: trip, to: trip, count: 2)]
        },
        Side("a copied home", ann, with: [ben], [.synced, .synced, .synced], [.runsTwice]) {
            $0.isCopy = true
        },
        Side("data set", ann, with: [ben], [.synced, .synced, .synced], [.dataSet]) {
            $0.here.dataSets = [.init(space: trip, set: "dora", sentence: "A.", hint: "/home/ann")]
        },
    ]

    private static func arrival(_ kind: ArrivalView.Kind) -> Arrival {
        let commit = ArrivedCommit(
            place: 1, id: .zero, clock: HybridTime(raw: 0), receivedAt: Milliseconds(1))
        return Arrival(
            kind, of: Meeting.split([commit])[0], in: trip, by: ben, deletions: 25, conflicts: 0,
            now: Milliseconds(2))
    }

    /// The first other device is connected with the second one only.
    private static func reached(_ facts: inout StatusFacts, read: UInt64 = 5) {
        facts.devices[0].link = .reached
        facts.spaces[0].sync = sync(facts.devices.map(\.device), read: [ben: read]) {
            $0.connected = [cleo]
            $0.sharing = [cleo]
        }
    }

    static func away(_ facts: inout StatusFacts, read: UInt64 = 5) {
        facts.devices[0].link = .away
        facts.devices[0].lastSeen = Milliseconds(9_000)
        let other = facts.devices[0].device
        facts.spaces[0].sync = sync([other], read: [other: read], isConnected: false)
    }

    private static let apart = [
        Side("the other is off", ann, with: [ben], [.offline, .offline, .synced], []) { away(&$0) },
        Side(
            "the other is off, and something waits", ann, with: [ben],
            [.offline, .pending, .offline], [], why: [[], [.notConnected, .callFailed]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].calls = CallFacts(
                failures: 4, nextTry: nil, error: .noAnswer, kind: .noNetwork)
        },
        Side(
            "the other is reached over a third one", ann, with: [ben, cleo],
            [.synced, .synced, .synced], []
        ) { reached(&$0) },
        Side(
            "the other is reached over a third one, and something is on its way", ann,
            with: [ben, cleo], [.syncing, .syncing, .syncing], [], why: [[], [.soon]]
        ) {
            reached(&$0, read: 4)
            $0.devices[0].calls = CallFacts(
                failures: 5, nextTry: nil, error: .noAnswer, kind: .noNetwork)
        },
        Side(
            "the same, five calls later", ann, with: [ben], [.offline, .pending, .offline],
            [.undelivered], why: [[], [.notConnected, .callFailed]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].calls = CallFacts(
                failures: 5, nextTry: nil, error: .noAnswer, kind: .noNetwork)
        },
        Side(
            "the other's agent does not run", ann, with: [ben], [.error, .error, .offline],
            [.undelivered], why: [[], [.notConnected, .callFailed]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].calls = CallFacts(
                failures: 5, nextTry: nil, error: .notListening, kind: .peerTrouble)
        },
        Side(
            "nothing waits for one whose agent does not run", ann, with: [ben],
            [.offline, .offline, .synced], []
        ) {
            away(&$0)
            $0.devices[0].calls = CallFacts(
                failures: 50, nextTry: nil, error: .notListening, kind: .peerTrouble)
        },
        Side(
            "the cable is pulled here", ann, with: [ben], [.offline, .pending, .offline],
            [.noNetwork], why: [[], [.noNetwork]]
        ) {
            away(&$0, read: 4)
            $0.here.hasNetwork = false
        },
        Side(
            "the cable is pulled there", ben, with: [ann], [.offline, .offline, .synced],
            [.silent]
        ) { $0.devices[0].link = .connected(silence: 9_000) },
        Side(
            "sync is off", ann, with: [ben], [.offline, .pending, .offline], [.syncOff],
            why: [[], [.syncOff]]
        ) {
            away(&$0, read: 4)
            $0.here.isSyncOn = false
        },
        Side(
            "no agent runs", ann, with: [ben], [.offline, .pending, .offline], [.noAgent],
            why: [[], [.noAgent]]
        ) {
            away(&$0, read: 4)
            $0.here.isAgentRunning = false
        },
        Side(
            "Avahi does not run", ann, with: [ben], [.synced, .synced, .synced], [.noDiscovery]
        ) { $0.here.discovery = .avahiStopped },
    ]

    private static let conflict = PortConflict(wanted: 21_827, used: 21_828, holder: .user("dora"))
    private static let firewall = FirewallObstacle(
        .ufw(hasProfile: true), [.sessions(21_828)], isCertain: false)

    private static let unreachable = [
        Side(
            "the port is taken", ann, with: [ben], [.synced, .synced, .synced], [.portTaken]
        ) { $0.here.port = conflict },
        Side(
            "a firewall is in the way", ann, with: [ben], [.synced, .synced, .synced], [.firewall]
        ) { $0.here.firewall = firewall },
        Side(
            "all of it, and no room", ann, with: [ben], [.error, .synced, .synced],
            [.diskFull, .noDiscovery, .portTaken, .firewall]
        ) {
            $0.here.discovery = .busStopped
            $0.here.port = conflict
            $0.here.firewall = firewall
            $0.here.disk = DiskFacts(folder: "/home/ann", freeBytes: 5, spareBytes: 6)
        },
        Side(
            "without a network nothing else is told", ann, with: [ben],
            [.offline, .offline, .synced], [.noNetwork]
        ) {
            away(&$0)
            $0.here.hasNetwork = false
            $0.here.discovery = .avahiNotInstalled
            $0.here.port = conflict
            $0.here.firewall = firewall
        },
        Side("there is room enough", ann, with: [ben], [.synced, .synced, .synced], []) {
            $0.here.disk = DiskFacts(folder: "/home/ann", freeBytes: 6, spareBytes: 6)
        },
    ]

    private static let refused = [
        Side(
            "forgotten on the other side", ben, with: [ann], [.error, .error, .offline],
            [.distrusted], why: [[], [.distrusted]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].distrustsThis = true
        },
        Side(
            "another key answers", ann, with: [ben], [.error, .error, .offline], [.otherKey],
            why: [[], [.otherKey]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].calls = CallFacts(
                failures: 1, nextTry: nil, error: .otherKey, kind: .notTrusted)
        },
        Side(
            "another version", ann, with: [ben], [.error, .error, .offline], [.foreignVersion],
            why: [[], [.foreignVersion]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].speaksNewer = true
        },
        Side(
            "a newer schema is followed there", ann, with: [ben], [.error, .synced, .error],
            [.schemaObstacle]
        ) { $0.spaces[0].unreadable.obstacle = .newer },
        Side(
            "a schema is still to come", ann, with: [ben], [.synced, .synced, .pending],
            [.schemaObstacle]
        ) { $0.spaces[0].unreadable.obstacle = .absent },
        Side(
            "a newer peersync wrote what is not understood here", ann, with: [ben],
            [.synced, .synced, .pending], [.newerParts]
        ) { $0.spaces[0].unreadable.newerParts = [ben: 2, cleo: 1] },
        Side(
            "changes from before the encryption lost their content", ann, with: [ben],
            [.synced, .synced, .pending], [.withoutContent]
        ) { $0.spaces[0].unreadable.withheld = 3 },
    ]

    private static let disks = [
        Side(
            "the other's disk is full", ann, with: [ben], [.error, .error, .pending],
            [.diskFullThere], why: [[], [.diskFullThere]]
        ) {
            $0.devices[0].isDiskFull = true
            $0.spaces[0].sync = sync([ben], lacking: [ben])
        },
        Side(
            "this disk is full", ben, with: [ann], [.error, .synced, .error], [.diskFull],
            why: [[.diskFull], []]
        ) {
            $0.here.isDiskFull = true
            $0.spaces[0].files.missing = missing
            $0.spaces[0].sync = sync([ann]) { $0.unfit = [photo] }
        },
        Side(
            "the store cannot be written", ann, with: [ben], [.error, .pending, .offline],
            [.storageFault], why: [[], [.storeStopped]]
        ) {
            away(&$0, read: 4)
            $0.here.storageFault = .broken(.diskFull)
        },
        Side(
            "the store is opened for reading only, on a full disk", ann, with: [ben],
            [.error, .pending, .offline], [.storageFault], why: [[], [.storeStopped]]
        ) {
            away(&$0, read: 4)
            $0.here.storageFault = .readOnly
            $0.here.isDiskFull = true
            $0.here.disk = DiskFacts(folder: "/home/ann", freeBytes: 5, spareBytes: 6)
        },
    ]

    private static let ahead = AheadFacts(ann, count: 2, seconds: 259_200, isRedatable: true)

    private static let clocks = [
        Side(
            "two clocks differ", ann, with: [ben], [.error, .error, .synced], [.clockThere]
        ) { $0.devices[0].clockSkewMilliseconds = 7_200_000 },
        Side(
            "one of three clocks differs, there", ann, with: [ben, cleo],
            [.error, .error, .synced], [.clockThere]
        ) { $0.devices[0].clockSkewMilliseconds = 7_200_000 },
        Side(
            "one of three clocks differs, here", ben, with: [ann, cleo],
            [.error, .synced, .synced], [.clockHere]
        ) {
            $0.devices[0].clockSkewMilliseconds = -7_200_000
            $0.devices[1].clockSkewMilliseconds = -7_201_000
        },
        Side(
            "changes are dated in the future, here", ann, with: [ben],
            [.error, .synced, .error], [.changesAhead]
        ) { $0.spaces[0].ahead = [ahead] },
        Side(
            "changes are dated in the future, there", ben, with: [ann],
            [.error, .synced, .error], [.changesAhead]
        ) { $0.spaces[0].ahead = [ahead] },
        Side(
            "a device sends what it has no right to write", ann, with: [ben, cleo],
            [.error, .error, .synced], [.changesRefused]
        ) { $0.devices[0].oddities = [.sentRefusedChanges] },
        Side(
            "a device sends what was changed on its way", ann, with: [ben, cleo],
            [.error, .error, .synced], [.brokenData]
        ) { $0.devices[0].oddities = [.sentBrokenData] },
        Side(
            "a device leaves out what comes before what it passes on", ann, with: [ben, cleo],
            [.error, .error, .synced], [.leavesOut]
        ) { $0.devices[0].link = .connected(gap: 41_000) },
        Side(
            "its home runs twice", ann, with: [ben], [.error, .error, .synced], [.runsTwice]
        ) { $0.devices[0].oddities = [.runsTwice] },
        Side(
            "this home runs twice", ann, with: [ben], [.error, .error, .synced], [.runsTwice]
        ) { $0.devices[0].oddities = [.meetsCopyOfThis] },
        Side(
            "this home runs twice, as all others notice, and is the copy", ann, with: [ben, cleo],
            [.error, .error, .synced], [.runsTwice]
        ) {
            for index in $0.devices.indices { $0.devices[index].oddities = [.meetsCopyOfThis] }
            $0.isCopy = true
        },
        Side(
            "only a clock that is wrong here says that changes are ahead", ben, with: [ann, cleo],
            [.error, .synced, .synced], [.clockHere]
        ) {
            $0.devices[0].clockSkewMilliseconds = 7_200_000
            $0.devices[1].clockSkewMilliseconds = 7_201_000
            $0.spaces[0].ahead = [ahead]
        },
    ]

    private static let undecided = [
        Side("a conflict", ann, with: [ben], [.pending, .synced, .pending], [.conflicts]) {
            $0.spaces[0].conflicts = 1
        },
        Side("work of two lives", ann, with: [ben], [.error, .synced, .error], [.quarantined]) {
            $0.spaces[0].uncounted.orphans[.branch] = 3
        },
        Side("no right", ann, with: [ben], [.pending, .synced, .pending], [.orphans]) {
            $0.spaces[0].uncounted.orphans[.noRight] = 1
        },
        Side("no right, much", ann, with: [ben], [.pending, .synced, .pending], [.tooMuch]) {
            $0.spaces[0].uncounted.paced = [PersonID(.zero)]
        },
        Side("a deleted trip", ben, with: [ann], [.synced, .synced, .synced], [.deletedSpace]) {
            $0.deletions = [(trip, 0)]
        },
        Side(
            "a trip deleted while somebody wrote", ben, with: [ann], [.pending, .synced, .synced],
            [.deletedSpace]
        ) { $0.deletions = [(trip, 1)] },
    ]

    @Test("the signs and the reported problems", arguments: sides.indices)
    func signs(index: Int) throws {
        let side = Self.sides[index]
        let verdict = StatusVerdict(side.facts)
        let other = try #require(side.facts.devices.first?.device)
        #expect(
            [verdict.state, verdict.devices[other]?.state, verdict.spaces[Self.trip]?.state]
                == side.signs, "\(side.name)")
        #expect(verdict.problems.map(\.kind) == side.problems, "\(side.name)")
        // Status never shows ✓ while there is a problem.
        #expect(verdict.state != .synced || !verdict.problems.contains(where: \.isUrgent))
    }

    @Test("why reports the same about the photo, here and there", arguments: sides.indices)
    func why(index: Int) throws {
        let side = Self.sides[index]
        let space = side.facts.spaces[0]
        var record = RecordSyncState()
        record.commits = [Self.log: [5]]
        let isHere = space.files.missing.isEmpty
        record.files = [
            .init(
                blob: Self.photo, isHere: isHere, bytesHere: isHere ? 70 : 0, size: 70,
                wasHere: space.files.gone.contains(Self.photo))
        ]
        var circumstances = WhyCircumstances(of: Self.trip)
        circumstances.here = side.facts.here
        circumstances.devices = Dictionary(side.facts.devices.map { ($0.device, $0) }) { $1 }
        circumstances.behind = space.sync.changesElsewhere(beyond: space.watermark)
        let findings = WhyDiagnosis(record, space.sync, circumstances).findings
        let first = side.facts.devices[0].device
        let found = [nil, first].map { device in
            findings.first { $0.device == device }?.reasons.map(\.kind) ?? []
        }
        #expect(found == side.why, "\(side.name)")
    }

    @Test("every problem has a sentence and, if somebody can act, a remedy")
    func words() async throws {
        try await TestAgent.with { agent in
            let words = StatusWords(agent.node)
            for side in Self.sides {
                for problem in StatusVerdict(side.facts).problems {
                    let view = words.view(of: problem)
                    let german = Language.$asked.withValue(.german) { words.view(of: problem) }
                    #expect(german.sentence.hasSuffix("."), "\(side.name): \(german.sentence)")
                    // A sentence that came from elsewhere has the language it came in.
                    if view.kind != .dataSet {
                        #expect(german.sentence != view.sentence, "\(side.name)")
                    }
                    #expect(german.remedy?.isEmpty == false, "\(side.name)")
                    #expect(view.sentence.hasSuffix("."), "\(side.name): \(view.sentence)")
                    #expect(view.remedy?.isEmpty == false, "\(side.name)")
                    #expect(view.urgent == problem.isUrgent)
                    // Reports that other people read contain no names.
                    let masked = StatusWords(agent.node, isMasked: true).view(of: problem)
                    #expect(masked.device == nil && masked.space == nil)
                    let said = masked.sentence + (masked.remedy ?? "")
                    #expect(!said.contains("dora") && !said.contains("/home/ann"))
                }
            }
        }
    }
}
