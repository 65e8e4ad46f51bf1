import SyncCore
import TestKit
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

    // MARK: Left, and given again

    @Test("A space that waits for an answer again is neither told of nor taken before it is opened")
    mutating func unanswered() throws {
        // given
        bench.meet()
        let commit = try bench.friendWrites()
        // when
        let closed = bench.handle(.spaceClosed(bench.space)).closed
        let late = bench.apply([commit])
        // then the session ends, and in a new one nobody hears of it
        #expect(closed == [SessionID(1): .shutdown])
        #expect(late.isEmpty)
        let greeting = bench.open(1, with: bench.friend)
        let summary = bench.summary(of: bench.friendStore)
        let answer = bench.receive(.spaces([summary], answer: false))
        #expect(lists(greeting + answer) == [[], []])
        #expect((greeting + answer).watermarks().isEmpty)
        let more = try bench.friendWrites()
        let pushed = bench.receive(.commits(bench.space, [more.commit], live: true))
        #expect(pushed.verified.isEmpty)
        // when the person accepts
        bench.now += Limits.announceIntervalMilliseconds
        let opened = bench.handle(.spaceOpened(bench.view))
        // then it is listed at once, as it is here
        #expect(lists(opened) == [[bench.store.watermark.digest()]])
        #expect(bench.engine.spaces[bench.space]?.watermark == bench.store.watermark)
    }

    @Test(
        "A space that waits for an answer is not fetched because another device of the person has it"
    )
    mutating func onOtherDevice() {
        // given
        let phone = TestDevice(4, person: 1)
        bench.handle(.spaceClosed(bench.space))
        bench.open(2, with: phone)
        // when
        let summary = SpaceSummary(space: bench.space, digest: .zero)
        let heard = bench.receive(.spaces([summary], answer: true), on: 2)
        // then
        #expect(heard.watermarks(on: 2).isEmpty)
        #expect(bench.engine.spaces[bench.space] == nil)
    }

    @Test("A peer that knows the id of a space that waits for an answer does not change the offer")
    mutating func falseOffer() {
        // given
        bench.handle(.spaceClosed(bench.space))
        bench.open(2, with: TestDevice(5, person: 5))
        // when
        let offer = Offer(title: "Alps", from: "Eve", flags: .contributor, bytes: 0)
        let summary = SpaceSummary(space: bench.space, digest: .zero, offer: offer)
        let heard = bench.receive(.spaces([summary], answer: true), on: 2)
        // then
        #expect(!heard.contains { if case .offer = $0 { true } else { false } })
    }

    // MARK: Declined, and granted again

    @Test("A declined space is offered again after another grant whose number is known")
    mutating func grantedAgain() {
        // given
        let space = TestCommit.genesis(bench.friend, nonce: 7).space
        bench.open(1, with: bench.friend)
        #expect(offers(of: space, grants: 1))
        bench.handle(.spaceDeclined(space, grants: GrantCount(1)))
        // when the same is listed again, also by a program that says no number
        for grants in [0, 1] as [UInt32] { #expect(!offers(of: space, grants: grants)) }
        // then another grant is a new offer
        #expect(offers(of: space, grants: 2))
        // when the number is not known here
        bench.handle(.spaceDeclined(space))
        // then the no is for good
        #expect(!offers(of: space, grants: 3))
    }

    /// Whether the person is asked when the friend lists a space; otherwise the friend hears a no.
    private mutating func offers(of space: SpaceID, grants: UInt32) -> Bool {
        let offer = Offer(
            title: "Crete", from: "Ann", flags: .contributor, bytes: 0, grants: GrantCount(grants))
        let summary = SpaceSummary(space: space, digest: .zero, offer: offer)
        let actions = bench.receive(.spaces([summary], answer: true))
        let isOffered = actions.contains { if case .offer = $0 { true } else { false } }
        let isDeclined = actions.messages().contains {
            if case .decline(space, _) = $0 { true } else { false }
        }
        #expect(isOffered != isDeclined)
        return isOffered
    }

    /// The digests in each list of spaces that the friend is sent.
    private func lists(_ actions: [EngineAction]) -> [[Bytes32]] {
        actions.messages().compactMap { message in
            if case .spaces(let summaries, _) = message { summaries.map(\.digest) } else { nil }
        }
    }
}
