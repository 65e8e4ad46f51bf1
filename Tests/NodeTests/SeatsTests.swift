import LocalAPI
import Node
import SyncCore
import Testing

@Suite("Whom a device calls because a space needs it")
struct SeatsTests {
    private func device(_ number: Int) -> DeviceID {
        DeviceID(sha256(Array("device \(number)".utf8)))
    }

    private func step(_ number: Int, isHolder: Bool = true) -> NeededSessions.Step {
        NeededSessions.Step(device(number), isHolder: isHolder)
    }

    /// A device that knows many others, and has sessions with some of them, all of which it called.
    private func facts(_ known: ClosedRange<Int>, connected: some Sequence<Int>) -> Dialing.Facts {
        let addresses = known.map { (device($0), [HostPort(host: "10.0.0.\($0)", port: 7)]) }
        return Dialing.Facts(
            device: device(0), siblings: [], addresses: Dictionary(uniqueKeysWithValues: addresses),
            sessions: Dictionary(uniqueKeysWithValues: connected.map { (device($0), true) }),
            refusing: [])
    }

    private func called(_ actions: [Dialing.Action]) -> Set<DialPlan.Target> {
        Set(actions.compactMap { if case .call(let call) = $0 { call.target } else { nil } })
    }

    private func letGo(_ actions: [Dialing.Action]) -> [DeviceID] {
        actions.compactMap { if case .letGo(let device) = $0 { device } else { nil } }
    }

    /// Of forty devices those with which a device with sessions enough has none, and does not call.
    private func far(from dialing: Dialing) -> [Int] {
        var dialing = dialing
        let neighbours = called(dialing.look(facts(1...40, connected: []), at: 0))
        return (1...40).filter { !neighbours.contains(.device(device($0))) }
    }

    /// It has called its neighbours, and has a session with each of them.
    private func settled(_ needed: Set<[NeededSessions.Step]>) -> (Dialing, connected: [Int]) {
        var dialing = Dialing()
        let far = Set(far(from: dialing))
        let connected = (1...40).filter { !far.contains($0) }
        dialing.note(.needed(NeededSessions(ways: needed)), at: 1)
        return (dialing, connected)
    }

    @Test("of many devices one that a space needs is called although it is no neighbour")
    func called() throws {
        // given
        let wanted = try #require(far(from: Dialing()).first)
        var (dialing, connected) = settled([[step(wanted)]])
        // then
        #expect(
            called(dialing.look(facts(1...40, connected: connected), at: 2))
                == [.device(device(wanted))])
    }

    @Test("where it does not answer the next one on the ring is called as well, and no further one")
    func next() {
        // given
        let others = far(from: Dialing())
        var (dialing, connected) = settled([[step(others[0]), step(others[1]), step(others[2])]])
        let facts = facts(1...40, connected: connected)
        #expect(called(dialing.look(facts, at: 2)) == [.device(device(others[0]))])
        // when
        dialing.note(.ended(.device(device(others[0])), .failed(.noAnswer)), at: 3)
        // then
        #expect(called(dialing.look(facts, at: 4)) == [.device(device(others[1]))])
        #expect(called(dialing.look(facts, at: 5)).isEmpty)
    }

    @Test(
        "a device that was given a space and does not hold it yet is called, and the holder behind it"
    )
    func offered() {
        let others = far(from: Dialing())
        let way = [step(others[0], isHolder: false), step(others[1]), step(others[2])]
        var (dialing, connected) = settled([way])
        #expect(
            called(dialing.look(facts(1...40, connected: connected), at: 2))
                == [.device(device(others[0])), .device(device(others[1]))])
    }

    @Test("a session that a space needs is not let go, however many there are")
    func kept() throws {
        // given forty sessions, of which one would be let go
        var dialing = Dialing()
        let all = facts(1...40, connected: 1...40)
        let first = try #require(letGo(dialing.look(all, at: 0)).first)
        // when a space needs it
        let step = NeededSessions.Step(first, isHolder: true)
        dialing.note(.needed(NeededSessions(ways: [[step]])), at: 1)
        // then
        for turn in 1...60 as ClosedRange<UInt64> {
            let gone = letGo(dialing.look(all, at: turn * Limits.surplusMilliseconds))
            #expect(!gone.isEmpty && !gone.contains(first))
        }
    }

    // MARK: More than there are seats

    /// Spaces of two with each of so many devices.
    private func pairs(_ count: Int) -> Dialing {
        var dialing = Dialing()
        dialing.note(.announced(as: "own"), at: 0)
        dialing.note(.needed(NeededSessions(ways: Set((1...count).map { [step($0)] }))), at: 0)
        return dialing
    }

    /// The devices with sessions at the end: a call is answered, and a device that is let go is gone.
    private func run(
        _ dialing: inout Dialing, _ count: Int, _ times: ClosedRange<UInt64>,
        from start: Set<DeviceID> = [], noting met: inout Set<DeviceID>
    ) -> (last: Set<DeviceID>, most: Int) {
        var (sessions, most) = (start, 0)
        for second in times {
            let facts = Dialing.Facts(
                device: device(0), siblings: [],
                addresses: facts(1...count, connected: []).addresses,
                sessions: Dictionary(uniqueKeysWithValues: sessions.map { ($0, true) }),
                refusing: [])
            for action in dialing.look(facts, at: second * 1_000) {
                switch action {
                case .call(let call):
                    guard case .device(let device) = call.target else { continue }
                    dialing.note(.reached(call.target, device), at: second * 1_000)
                    sessions.insert(device)
                case .letGo(let device):
                    sessions.remove(device)
                    dialing.note(.ended(.device(device), .useful), at: second * 1_000)
                }
            }
            met.formUnion(sessions)
            most = max(most, sessions.count)
        }
        return (sessions, most)
    }

    @Test("with more than there are seats for each gets one in turn, and sessions stay bounded")
    func turns() {
        // given a hundred, long after the start
        var (dialing, met) = (pairs(100), Set<DeviceID>())
        // when
        let (_, most) = run(&dialing, 100, 100...800, noting: &met)
        // then
        #expect(met.count == 100)
        #expect(most <= Limits.seats + Limits.neighbours + Limits.sessionsEnough)
    }

    @Test("those for whom there is something new have the first seats")
    func hurried() {
        // given
        var (dialing, met) = (pairs(100), Set<DeviceID>())
        let (sessions, _) = run(&dialing, 100, 100...130, noting: &met)
        let without = (1...100).map { device($0) }.filter { !sessions.contains($0) }.prefix(5)
        // when
        dialing.note(.hurried(Set(without)), at: 131_000)
        // then
        var later: Set<DeviceID> = []
        let (last, _) = run(&dialing, 100, 131...132, from: sessions, noting: &later)
        #expect(last.isSuperset(of: without))
    }

    @Test("a person who asks for a sync has more sessions for a while")
    func asked() {
        var (dialing, met) = (pairs(60), Set<DeviceID>())
        let (sessions, most) = run(&dialing, 60, 100...110, noting: &met)
        #expect(most < 60)
        dialing.note(.asked, at: 111_000)
        var later: Set<DeviceID> = []
        let (last, _) = run(&dialing, 60, 111...115, from: sessions, noting: &later)
        #expect(last.count == 60)
    }

    @Test("a person who asks for a sync calls all whom this device knows, and lets them go again")
    func everybody() {
        // given forty of which no space needs any
        var (dialing, met) = (Dialing(), Set<DeviceID>())
        let (sessions, before) = run(&dialing, 40, 100...200, noting: &met)
        #expect(before <= Limits.neighbours)
        // when
        dialing.note(.asked, at: 201_000)
        let (all, _) = run(&dialing, 40, 201...205, from: sessions, noting: &met)
        // then
        #expect(all.count == 40)
        let (later, _) = run(&dialing, 40, 206...500, from: all, noting: &met)
        #expect(later.count <= Limits.neighbours)
    }

    // MARK: Devices of which nobody knows where they are

    @Test("one that was never met is found among instances, and others are hung up on")
    func found() throws {
        // given sixty of whom nothing is known but that a space needs the last one
        var dialing = Dialing()
        for number in 1...60 {
            let place = HostPort(host: "10.0.1.\(number)", port: 7)
            dialing.note(
                .found(
                    DiscoveredInstance(
                        name: "peer-\(number)", addresses: [place], protocolVersion: 1,
                        nameplate: nil)), at: 0)
        }
        dialing.note(.needed(NeededSessions(ways: [[step(60)]])), at: 0)
        // when each call is answered, and devices that are not needed are hung up on
        var sessions: Set<DeviceID> = []
        var (now, hungUp): (UInt64, Int) = (10_000, 0)
        while !sessions.contains(device(60)), now < 11_000 {
            let facts = Dialing.Facts(
                device: device(0), siblings: [], addresses: [:],
                sessions: Dictionary(uniqueKeysWithValues: sessions.map { ($0, true) }),
                refusing: [])
            for case .call(let call) in dialing.look(facts, at: now) {
                guard case .instance(let name) = call.target,
                    let number = Int(name.dropFirst(5))
                else { continue }
                dialing.note(.reached(call.target, device(number)), at: now)
                if dialing.isOver(call, reaching: device(number)) {
                    dialing.note(.ended(call.target, .useful), at: now)
                    hungUp += 1
                } else {
                    sessions.insert(device(number))
                }
            }
            now += 20
        }
        // then
        #expect(sessions.contains(device(60)))
        #expect(sessions.count <= Limits.neighbours)
        #expect(hungUp > 0 && hungUp <= 60)
    }
}
