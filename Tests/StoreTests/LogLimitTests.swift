import Store
import SyncCore
import Testing

/// A member who begins more logs than a store takes of one device.
@Suite struct LogLimitTests {
    private let testLog = TestLog()

    @Test("two who were shown different logs of a member understand each other all the same")
    func different() throws {
        // given 64 logs of Dora that Anna has, and 64 others that Ben has
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        let dora = try TestPeer(testLog, seed: 3)
        let person = try #require(dora.card.links.last?.content.person)
        // A fact that who may only read may write.
        let asking = UnverifiedFact.request(RightsRequest(person: person, flags: .editor))
        try anna.grant(.read, to: dora, in: space)
        try ben.pull(space, from: anna)
        let lives = try (0..<2).map { _ in try TestPeer(testLog, seed: 3) }
        for life in lives { try life.pull(space, from: anna) }
        for (number, (member, liar)) in zip([anna, ben], lives).enumerated() {
            for log in 0..<Limits.logsPerDevice as Range<Int> {
                liar.log = LogID(
                    device: dora.device,
                    incarnation: try #require(
                        Incarnation([UInt8](repeating: UInt8(number + 1), count: 15) + [UInt8(log)])
                    ))
                try liar.write([], clear: ClearPart(facts: [asking]), to: space)
            }
            try member.pull(space, from: liar)
            #expect(logs(of: dora, at: member, space) == Limits.logsPerDevice)
        }

        // when one of them writes
        try anna.write([titled("by Anna", 1)], to: space)
        let first = try ben.pull(space, from: anna)
        let second = try ben.pull(space, from: anna)

        // then the other one takes the logs that Anna had seen, and what she wrote
        #expect(first.refusals.map(\.reason).contains(.causalPastNeeded))
        #expect(first.refusals.allSatisfy { !$0.reason.isMisbehaviour })
        #expect(try ben.shown(1, in: space)?.value("title")?.text == "by Anna")
        #expect(second.refusal == nil)
        // but none that nobody needs
        let third = try anna.pull(space, from: ben)
        #expect(Set(third.refusals.map(\.reason)) == [.surplus])
        #expect(logs(of: dora, at: anna, space) == Limits.logsPerDevice)
        try ben.write([titled("by Ben", 2)], to: space)
        for _ in 0..<2 { try anna.pull(space, from: ben) }
        #expect(try anna.digest(space) == ben.digest(space))
        #expect(anna.store.ledger(of: space)?.watermark == ben.store.ledger(of: space)?.watermark)
    }

    private func logs(of peer: TestPeer, at other: TestPeer, _ space: SpaceID) -> Int {
        other.store.ledger(of: space)?.watermark.heads.keys.count { $0.device == peer.device } ?? 0
    }
}
