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
}
