import LocalAPI
import Node
import SyncCore
import Testing

@Suite("Whom to call, and when")
struct DialPlanTests {
    private let device = DeviceID(Bytes32.zero)
    private let address = HostPort(host: "10.0.0.1", port: 21_827)

    private func instance(_ name: String) -> DiscoveredInstance {
        DiscoveredInstance(
            name: name, addresses: [address], protocolVersion: 1, nameplate: nil)
    }

    private func due(_ plan: inout DialPlan, at now: UInt64) -> [DialPlan.Target] {
        plan.due(known: [device: [address]], connected: [], now: now).map(\.target)
    }

    @Test("A device that ends every session at once is called less and less often")
    func refusing() {
        // given a device that answers and refuses
        var plan = DialPlan()
        var calls = 0
        // when ten minutes pass
        for now in stride(from: UInt64(0), to: 600_000, by: 100) {
            for target in due(&plan, at: now) {
                calls += 1
                plan.reached(target, device)
                plan.ended(target, .failed(.noAnswer), now: now)
            }
        }
        // then it was called at 0, 1, 3, 7, 15, 31 and 63 s, and then once a minute
        #expect(calls == 15)
    }

    @Test("A session that lasted is followed by a call after a second")
    func lasted() {
        var plan = DialPlan()
        for _ in 0..<5 {
            for target in due(&plan, at: 1_000_000) {
                plan.ended(target, .failed(.noAnswer), now: 0)
            }
        }
        #expect(due(&plan, at: 1_000_000) == [.device(device)])
        plan.ended(.device(device), .useful, now: 1_000_000)
        #expect(due(&plan, at: 1_000_999).isEmpty)
        #expect(due(&plan, at: 1_001_000) == [.device(device)])
    }

    @Test("Where a known device is called, an instance is not called at the same time")
    func oneCall() {
        var plan = DialPlan()
        plan.found(instance("aaaa"))
        #expect(due(&plan, at: 0) == [.device(device)])
        #expect(due(&plan, at: 0).isEmpty)
        plan.reached(.device(device), device)
        #expect(due(&plan, at: 0).isEmpty)
        plan.ended(.device(device), .failed(.noAnswer), now: 0)
        #expect(due(&plan, at: 10) == [.instance("aaaa")])
    }

    @Test("A stranger on the network is called once, until trust changes")
    func stranger() {
        var plan = DialPlan()
        plan.found(instance("aaaa"))
        let first = plan.due(known: [:], connected: [], now: 0).map(\.target)
        #expect(first == [.instance("aaaa")])
        plan.ended(.instance("aaaa"), .stranger, now: 0)
        #expect(plan.due(known: [:], connected: [], now: 10_000_000).isEmpty)
        plan.retryAll()
        #expect(plan.due(known: [:], connected: [], now: 10_000_000).count == 1)
    }

    @Test("However many devices are announced, few sockets are opened at a time")
    func flood() {
        var plan = DialPlan()
        for number in 0..<512 { plan.found(instance("n\(number)")) }
        let calls = plan.due(known: [:], connected: [], now: 0)
        #expect(calls.count == Limits.callsAtOnce - Limits.callsKept)
        #expect(plan.due(known: [:], connected: [], now: 0).isEmpty)
        // a session that stands makes room for the next call
        plan.reached(calls[0].target, device)
        #expect(plan.due(known: [:], connected: [], now: 0).count == 1)
    }

    @Test("However many devices are announced, one that is known is called at once")
    func knownInAFlood() {
        // given calls to strangers that take all the sockets they may
        var plan = DialPlan()
        for number in 0..<512 { plan.found(instance("n\(number)")) }
        _ = plan.due(known: [:], connected: [], now: 0)
        // when a known device is to be called
        let calls = due(&plan, at: 0)
        // then it is
        #expect(calls == [.device(device)])
    }

    @Test("Announcing another device's name does not keep us from its remembered address")
    func spoofed() {
        // given a device that was reached under its name on the network
        var plan = DialPlan()
        plan.found(instance("aaaa"))
        _ = plan.due(known: [:], connected: [], now: 0)
        plan.reached(.instance("aaaa"), device)
        plan.ended(.instance("aaaa"), .useful, now: 0)
        #expect(due(&plan, at: 1_000) == [.instance("aaaa")])
        plan.ended(.instance("aaaa"), .useful, now: 1_000)
        // when somebody announces that name at another address
        plan.found(
            DiscoveredInstance(
                name: "aaaa", addresses: [HostPort(host: "10.0.0.66", port: 1)],
                protocolVersion: 1, nameplate: nil))
        // then both are called
        #expect(Set(due(&plan, at: 1_000)) == [.device(device), .instance("aaaa")])
    }

    @Test("A device that does not answer under its name is called where it was before")
    func moved() {
        var plan = DialPlan()
        plan.found(instance("aaaa"))
        _ = plan.due(known: [:], connected: [], now: 0)
        plan.reached(.instance("aaaa"), device)
        plan.ended(.instance("aaaa"), .failed(.noAnswer), now: 0)
        #expect(due(&plan, at: 0) == [.device(device)])
    }

    @Test("A device that refuses this one is not called before somebody acts, also by its name")
    func refused() {
        var plan = DialPlan()
        plan.found(instance("aaaa"))
        _ = plan.due(known: [:], connected: [], now: 0)
        plan.reached(.instance("aaaa"), device)
        plan.ended(.instance("aaaa"), .failed(.hungUp), now: 0)
        func calls(refusing: Set<DeviceID>) -> Int {
            plan.due(
                known: [device: [address]], connected: [], refusing: refusing, now: 10_000_000
            ).count
        }
        #expect(calls(refusing: [device]) == 0)
        #expect(calls(refusing: []) == 1)
    }

    @Test("Calls in vain are counted with the last error and the next try, until one succeeds")
    func counted() {
        var plan = DialPlan()
        for now in [UInt64(0), 1_000, 3_000] {
            #expect(due(&plan, at: now) == [.device(device)])
            plan.ended(.device(device), .failed(.notListening), now: now)
        }
        let failed = plan.failures(of: device)
        #expect(failed?.count == 3)
        #expect(failed?.error == .notListening)
        #expect(failed?.nextTry == 7_000)
        _ = due(&plan, at: 7_000)
        plan.ended(.device(device), .useful, now: 7_000)
        #expect(plan.failures(of: device) == nil)
    }

    @Test("Calls in vain before a session do not count once the device is connected")
    func countedFromConnection() {
        // given
        var plan = DialPlan()
        plan.found(instance("aaaa"))
        _ = plan.due(known: [:], connected: [], now: 0)
        plan.reached(.instance("aaaa"), device)
        plan.ended(.instance("aaaa"), .failed(.endedAtOnce), now: 0)
        #expect(plan.failures(of: device)?.count == 1)
        // when
        _ = plan.due(known: [device: [address]], connected: [device], now: 100)
        // then
        #expect(plan.failures(of: device) == nil)
    }

    // MARK: Crowds

    private func device(_ number: Int) -> DeviceID {
        DeviceID(sha256(Array("device \(number)".utf8)))
    }

    private var own: DialPlan.Own {
        DialPlan.Own(device: device(0), instance: "own", wanted: [])
    }

    private func known(_ numbers: Range<Int>) -> [DeviceID: [HostPort]] {
        Dictionary(uniqueKeysWithValues: numbers.map { (device($0), [address]) })
    }

    /// Sixty that announce themselves, each at its own address.
    private func announcedCrowd() -> (plan: DialPlan, names: [String]) {
        var plan = DialPlan()
        let names = (1...60).map { "peer-\($0)" }
        for (number, name) in names.enumerated() {
            let place = HostPort(host: "10.0.1.\(number)", port: 1)
            plan.found(
                DiscoveredInstance(
                    name: name, addresses: [place], protocolVersion: 1, nameplate: nil))
        }
        return (plan, names)
    }

    @Test("A dozen others are all called")
    func dozen() {
        var plan = DialPlan()
        let calls = plan.due(known: known(1..<13), connected: [], own: own, now: 0)
        #expect(calls.count == 12)
    }

    @Test("Of more devices a few are called, others only until there are enough sessions")
    func crowd() {
        // given thirty others
        var plan = DialPlan()
        let all = known(1..<31)
        // when all who are called answer
        var connected: Set<DeviceID> = []
        for call in plan.due(known: all, connected: [], own: own, now: 0) {
            if case .device(let device) = call.target { connected.insert(device) }
        }
        // then
        #expect(connected.count >= Limits.nextNeighbours + Limits.drawnNeighbours)
        #expect(connected.count <= Limits.neighbours)
        for target in connected { plan.reached(.device(target), target) }
        let more = plan.due(known: all, connected: connected, own: own, now: 60_000)
        #expect(more.isEmpty)
        let nobody = plan.surplus(
            known: all, connected: connected, dialed: connected, own: own, now: 60_000)
        #expect(nobody == nil)
    }

    @Test("A device that does not answer is replaced; own devices are called in any crowd")
    func replaced() {
        var plan = DialPlan()
        let all = known(1..<31)
        let sibling = device(7)
        let own = DialPlan.Own(device: device(0), instance: "own", wanted: [sibling])
        let first = plan.due(known: all, connected: [], own: own, now: 0).map(\.target)
        #expect(first.contains(.device(sibling)))
        for target in first where target != .device(sibling) {
            plan.ended(target, .failed(.notListening), now: 0)
        }
        let second = plan.due(known: all, connected: [sibling], own: own, now: 10).map(\.target)
        #expect(!second.isEmpty)
        #expect(Set(first).isDisjoint(with: second))
    }

    @Test("Sessions that were dialled for another choice are let go when there are many")
    func surplus() throws {
        let plan = DialPlan()
        let all = known(1..<31)
        let connected = Set(all.keys)
        let first = try #require(
            plan.surplus(
                known: all, connected: connected, dialed: connected, own: own, now: 0))
        let chosen = Neighbours.chosen(from: device(0).start, among: all.keys.map(\.start))
        #expect(!chosen.contains(first.start))
        // Those that the other side dialled are its choice.
        #expect(
            plan.surplus(known: all, connected: connected, dialed: [], own: own, now: 0) == nil)
    }

    @Test("Who answers at an instance changes nothing in whom to call: few are called of a crowd")
    func crowdOfInstances() {
        // given sixty that announce themselves, of whom nothing is known
        var (plan, names) = announcedCrowd()
        // when all who are called answer, again and again
        var connected: Set<DeviceID> = []
        for round in 0..<20 as Range<UInt64> {
            let now = round * 1_000
            for call in plan.due(known: [:], connected: connected, own: own, now: now) {
                guard case .instance(let name) = call.target,
                    let number = names.firstIndex(of: name)
                else { continue }
                plan.reached(call.target, device(number + 1))
                connected.insert(device(number + 1))
            }
        }
        // then
        #expect(connected.count >= Limits.sessionsEnough)
        #expect(connected.count <= Limits.neighbours)
        let nobody = plan.surplus(
            known: [:], connected: connected, dialed: connected, own: own, now: 60_000)
        #expect(nobody == nil)
    }

    @Test(
        "In a crowd an own device is found whose address has changed, and those who refuse hold no seat"
    )
    func searching() {
        // given sixty that announce themselves; the last one is an own device, the first ones refuse
        var (plan, names) = announcedCrowd()
        let sibling = device(60)
        let own = DialPlan.Own(device: device(0), instance: "own", wanted: [sibling])
        var (connected, refusing, called): (Set<DeviceID>, Set<DeviceID>, Int) = ([], [], 0)
        // when calls go on, and sessions that nobody needs are let go
        for round in 0..<120 as Range<UInt64> where !connected.contains(sibling) {
            let now = round * 5_000
            for call in plan.due(
                known: [:], connected: connected, refusing: refusing, own: own, now: now)
            {
                guard case .instance(let name) = call.target,
                    let number = names.firstIndex(of: name)
                else { continue }
                called += 1
                plan.reached(call.target, device(number + 1))
                if call.purpose == .search, device(number + 1) != sibling, number >= 20 {
                    // Whom it does not look for it hangs up on.
                    plan.ended(call.target, .useful, now: now)
                } else if number < 20 {
                    refusing.insert(device(number + 1))
                    plan.ended(call.target, .failed(.hungUp), now: now)
                } else {
                    connected.insert(device(number + 1))
                }
            }
            let surplus = plan.surplus(
                known: [:], connected: connected, dialed: connected, refusing: refusing, own: own,
                now: now)
            if let surplus { connected.remove(surplus) }
        }
        // then
        #expect(connected.contains(sibling))
        #expect(connected.count <= Limits.neighbours + Limits.searchesAtOnce)
        #expect(called <= 80)
    }

    @Test("A device that was called in the place of one that refuses is not let go for that")
    func refusedSeats() {
        // given a crowd whose first choice refuses
        var (plan, names) = announcedCrowd()
        for (number, name) in names.enumerated() {
            plan.reached(.instance(name), device(number + 1))
        }
        func called(_ refusing: Set<DeviceID>) -> Set<DeviceID> {
            var copy = plan
            let calls = copy.due(known: [:], connected: [], refusing: refusing, own: own, now: 0)
            return Set(
                calls.compactMap { call in
                    guard case .instance(let name) = call.target else { return nil }
                    return names.firstIndex(of: name).map { device($0 + 1) }
                })
        }
        let refusing = called([])
        // when others were called in their place, and many call this one
        var dialed = called(refusing)
        let others = Set((100..<110).map { device($0) })
        while let surplus = plan.surplus(
            known: [:], connected: dialed.union(others), dialed: dialed, refusing: refusing,
            own: own, now: 0)
        {
            dialed.remove(surplus)
        }
        // then the neighbours stay
        #expect(dialed.count == Limits.nextNeighbours + Limits.drawnNeighbours)
    }
}
