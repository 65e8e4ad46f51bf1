import SyncCore
import Testing

/// When a device is told what a space is called that it was given.
@Suite struct EngineOfferTests {
    private var bench = Bench()

    private mutating func describe(_ title: String) -> [String] {
        bench.now += Limits.announceIntervalMilliseconds
        let offer = Offer(title: title, from: "", flags: [], bytes: 0, schema: "")
        let actions = bench.handle(.spaceDescribed(bench.space, OfferedSpace(offer, givers: [:])))
        return actions.messages().flatMap { message -> [String] in
            guard case .spaces(let summaries, true) = message else { return [] }
            return summaries.compactMap { $0.offer?.title }
        }
    }

    @Test("A peer that was offered a space hears its name as soon as it is known")
    mutating func describedLater() {
        bench.open(1, with: bench.friend)
        bench.receive(.spaces([], answer: true))
        #expect(describe("Alps") == ["Alps"])
        #expect(describe("Alps") == [])
        #expect(describe("Alps 2026") == ["Alps 2026"])
        bench.receive(.spaces([SpaceSummary(space: bench.space, digest: .zero)], answer: true))
        let ack = bench.ack(bench.store.watermark, by: bench.friend)
        bench.handle(.ackStored(ack, from: SessionID(1)))
        #expect(describe("Alps 2027") == [])
    }
}
