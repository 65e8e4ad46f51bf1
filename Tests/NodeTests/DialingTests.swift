import LocalAPI
import Node
import SyncCore
import Testing

@Suite("What follows from whom a device can reach")
struct DialingTests {
    private func device(_ number: UInt8) -> DeviceID { DeviceID(sha256([number])) }

    private func facts(
        _ known: ClosedRange<UInt8>, sessions: [DeviceID: Bool] = [:],
        refusing: Set<DeviceID> = []
    ) -> Dialing.Facts {
        let addresses = known.map { (device($0), [HostPort(host: "10.0.0.\($0)", port: 7)]) }
        return Dialing.Facts(
            device: device(0), siblings: [], addresses: Dictionary(uniqueKeysWithValues: addresses),
            sessions: sessions, refusing: refusing)
    }

    private var nobody: Dialing.Facts {
        Dialing.Facts(device: device(0), siblings: [], addresses: [:], sessions: [:], refusing: [])
    }

    private func targets(_ actions: [Dialing.Action]) -> [DialPlan.Target] {
        actions.compactMap { if case .call(let call) = $0 { call.target } else { nil } }
    }

    @Test("a known device is called while it is not connected, unless it refuses this one")
    func calls() {
        var dialing = Dialing()
        let facts = facts(1...3, sessions: [device(1): false], refusing: [device(2)])
        #expect(targets(dialing.look(facts, at: 0)) == [.device(device(3))])
        #expect(targets(dialing.look(facts, at: 0)).isEmpty)
    }

    @Test("a call that failed is made again in its time, and at once when the network changes")
    func again() throws {
        var dialing = Dialing()
        let target = DialPlan.Target.device(device(1))
        _ = dialing.look(facts(1...1), at: 0)
        dialing.note(.ended(target, .failed(.noAnswer)), at: 100)
        let next = try #require(dialing.nextLook(after: 100))
        #expect(next == 100 + Limits.dialPauseMilliseconds)
        #expect(targets(dialing.look(facts(1...1), at: next - 1)).isEmpty)
        dialing.note(.networkChanged, at: next - 1)
        #expect(targets(dialing.look(facts(1...1), at: next - 1)) == [target])
    }

    @Test("of too many sessions one is let go at a time, none that somebody needs a file of")
    func surplus() {
        var dialing = Dialing()
        let sessions = Dictionary(uniqueKeysWithValues: (1...40).map { (device($0), true) })
        let all = facts(1...40, sessions: sessions)
        func letGo(at now: UInt64) -> [DeviceID] {
            dialing.look(all, at: now).compactMap {
                if case .letGo(let device) = $0 { device } else { nil }
            }
        }
        let first = letGo(at: 0)
        #expect(first.count == 1)
        #expect(letGo(at: Limits.surplusMilliseconds - 1).isEmpty)
        #expect(dialing.nextLook(after: 0) != nil)
        dialing.note(.sought(Set(first)), at: 0)
        let second = letGo(at: Limits.surplusMilliseconds)
        #expect(second.count == 1 && second != first)
    }

    // MARK: Many at once

    private func found(_ number: Int) -> Dialing.Event {
        .found(
            DiscoveredInstance(
                name: "peer-\(number)", addresses: [HostPort(host: "10.0.0.\(number)", port: 7)],
                protocolVersion: 1, nameplate: nil))
    }

    @Test("few instances are called at once, each as it comes up")
    func few() {
        var dialing = Dialing()
        dialing.note(found(1), at: 0)
        #expect(targets(dialing.look(nobody, at: 0)) == [.instance("peer-1")])
        dialing.note(found(2), at: 100)
        #expect(targets(dialing.look(nobody, at: 100)) == [.instance("peer-2")])
    }

    @Test("of many that come up together the neighbours are chosen once no further one comes")
    func together() {
        var dialing = Dialing()
        for number in 1...40 { dialing.note(found(number), at: UInt64(number) * 10) }
        #expect(targets(dialing.look(nobody, at: 400)).isEmpty)
        let end = 400 + Limits.gatheringPause
        #expect(dialing.nextLook(after: 400) == end)
        #expect(targets(dialing.look(nobody, at: end - 1)).isEmpty)
        #expect(!targets(dialing.look(nobody, at: end)).isEmpty)
    }

    @Test("others that never stop coming up keep nobody from being called")
    func endless() {
        var dialing = Dialing()
        for number in 1...40 { dialing.note(found(number), at: UInt64(number) * 100) }
        #expect(targets(dialing.look(nobody, at: 99 + Limits.gatheringMost)).isEmpty)
        #expect(!targets(dialing.look(nobody, at: 100 + Limits.gatheringMost)).isEmpty)
    }
}
