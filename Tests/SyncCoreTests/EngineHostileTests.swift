import SyncCore
import TestKit
import Testing

/// What a peer can do at worst: end its own session.
@Suite struct EngineHostileTests {
    private var bench = Bench()

    @Test("While much waits to be stored questions are not answered, and asked once it is")
    mutating func waiting() throws {
        // given so many batches that wait
        bench.meet()
        var waiting: [VerifiedCommit] = []
        var said: [Watermark] = []
        func ask() {
            said += bench.receive(
                .watermark(bench.space, bench.friendStore.watermark, answer: false)
            ).watermarks()
        }
        for _ in 0..<2 * Limits.commitBatchesInFlight {
            ask()
            let commit = try bench.friendWrites()
            bench.receive(.commits(bench.space, [commit.commit], live: true))
            waiting.append(commit)
        }
        #expect(said.count == 8)
        // when the friend asks again and again
        ask()
        ask()
        let last = waiting.removeLast()
        for commit in waiting { said += bench.apply([commit]).watermarks() }
        #expect(said.count == 8)
        // then
        said += bench.apply([last]).watermarks()
        #expect(said.count == 9 && said.last == bench.friendStore.watermark)
    }

    @Test("What was refused and is needed by now is asked for again, though nothing more is here")
    mutating func needed() throws {
        bench.meet()
        _ = try bench.friendWrites()
        let late = try bench.friendWrites()
        func questions(_ refusal: SpaceLedger.Refusal) -> Int {
            bench.receive(.commits(bench.space, [late.commit], live: false))
            let report = bench.report(refusals: [refusal])
            var actions = bench.handle(.applied(report, from: SessionID(1)))
            bench.now += Limits.pullIntervalMilliseconds
            actions += bench.handle(.tick)
            return actions.watermarks().count
        }
        #expect(questions(.causalPastMissing) == 1)
        #expect(questions(.causalPastMissing) == 0)
        #expect(questions(.causalPastNeeded) == 1)
        #expect(questions(.causalPastMissing) == 0)
    }

    @Test("A stranger that lists a space, asks, acknowledges and reports learns nothing of it")
    mutating func stranger() throws {
        let opened = bench.open(1, with: bench.stranger)
        bench.handle(.ackLoaded(bench.ack(bench.store.watermark, by: bench.friend)))
        var actions = opened
        actions += bench.receive(
            .spaces([SpaceSummary(space: bench.space, digest: .zero)], answer: false))
        actions += bench.receive(.watermark(bench.space, Watermark(), answer: false))
        actions += bench.receive(.ack(bench.ack(bench.store.watermark, by: bench.stranger)))
        let report = bench.write().report
        actions += bench.handle(.applied(report, from: nil))
        actions += bench.handle(.ackSigned(bench.ack(bench.store.watermark, by: bench.own)))
        bench.now += Limits.pullIntervalMilliseconds
        actions += bench.handle(.tick)
        #expect(actions.commits().isEmpty)
        #expect(actions.loads.isEmpty)
        for message in actions.messages() {
            switch message {
            case .spaces(let summaries, _): #expect(summaries.isEmpty)
            case .watermark(_, let told, .nothing, answer: true): #expect(told.isEmpty)
            default: Issue.record("a stranger was sent \(message)")
            }
        }
        #expect(!actions.isVerifyingAck)
    }

    @Test("A stranger who names a space hears the same whether it is here or not")
    func probing() {
        let bench = Bench()
        // The stranger was told the id, and what an earlier word of the friend looked like.
        var zero = bench.summary(of: bench.friendStore)
        zero.proof = .zero
        let copied = bench.summary(of: bench.friendStore)
        let ledger = SpaceLedger(space: bench.space, role: .shared, schema: TestCommit.schema)
        let invented = TestCommit.next(
            in: bench.stranger.log, of: ledger, under: bench.root, clock: 3, TestDraft()
        ).commit
        let header = UnverifiedFork.Side(
            bytes: [1], header: invented.header, signature: [1])
        let ack = bench.ack(bench.store.watermark, by: bench.friend)
        let holdings = UnverifiedHoldings.none(in: bench.space, of: bench.friend.id)
        let messages: [PeerMessage] = [
            .spaces([zero], answer: false), .spaces([copied], answer: true),
            .spaces([SpaceSummary(space: bench.space, digest: .zero)], answer: false),
            .spaces(
                [
                    SpaceSummary(
                        space: bench.space, digest: .zero,
                        offer: Offer(title: "Crete", from: "Ann", flags: .all, bytes: 0))
                ], answer: false),
            .watermark(bench.space, bench.store.watermark, answer: false),
            .watermark(bench.space, Watermark(), answer: true),
            .watermark(bench.space, Watermark(), answer: false),
            .commits(bench.space, [invented], live: true), .commits(bench.space, [], live: false),
            .fork(bench.space, UnverifiedFork(first: header, second: header)), .ack(ack),
            .holdings(holdings), .decline(bench.space),
            .ackDifference(
                AckDifference(
                    space: bench.space, device: bench.friend.id, base: 1, counter: .max,
                    changes: [], signature: [1])),
            .ackWanted(bench.space, bench.friend.id), .heard(Heard(space: bench.space)),
            .heard(Heard(space: bench.space, sum: 1)),
            .heard(
                Heard(
                    space: bench.space,
                    entries: [Heard.Entry(device: bench.friend.id, ack: .max, holdings: .max)])),
            .reach(added: [bench.friend.id], removed: []), .spaces([], answer: false),
        ]
        let here = heard(by: bench.stranger, from: bench.engine, saying: messages)
        let elsewhere = heard(
            by: bench.stranger, from: Engine(device: bench.own.id, person: bench.own.person),
            saying: messages)
        #expect(here == elsewhere)
        #expect(here.count == messages.count)
    }

    /// What reaches the stranger, and what the store is asked to do for it, after each message and
    /// after the pull that follows.
    private func heard(
        by stranger: TestDevice, from engine: Engine, saying messages: [PeerMessage]
    ) -> [[String]] {
        var engine = engine
        var now: UInt64 = 1_000
        let peer = PeerInfo(device: stranger.id, person: stranger.person, dialed: true)
        _ = engine.handle(.sessionOpened(SessionID(1), peer), at: Instant(now))
        return messages.map { message in
            now += Limits.pullIntervalMilliseconds
            let actions =
                engine.handle(.received(SessionID(1), message), at: Instant(now))
                + engine.handle(.tick, at: Instant(now))
            // An invitation is kept for the person, and whom this device calls is its own affair: the stranger
            // hears nothing of either.
            return actions.filter {
                switch $0 {
                case .offer, .need: false
                default: true
                }
            }
            .map { "\($0)" }.filter { !$0.hasPrefix("inSync") }
        }
    }

    @Test("A member who lost the trip here sends all it has once, and not again at every pull")
    mutating func formerMember() throws {
        bench.meet()
        let report = bench.revoke(bench.friendGrant).report
        bench.handle(.applied(report, from: nil))
        let commit = try bench.friendWrites()
        // Asked with nothing told: the friend sends all it has.
        let asked = bench.receive(
            .spaces([bench.summary(of: bench.friendStore)], answer: false))
        #expect(asked.watermarks() == [Watermark()])
        bench.receive(.watermark(bench.space, bench.friendStore.watermark, answer: true))
        bench.receive(
            .commits(bench.space, bench.friendStore.commits.map(\.commit), live: false))
        let applied = bench.apply(bench.friendStore.commits)
        // What it sent is told back to it, and no more: its window moves, it learns nothing.
        #expect(applied.watermarks() == [bench.friendStore.watermark])
        #expect(applied.watermarks().allSatisfy { $0.sequence(of: bench.own.log) == 2 })
        #expect(bench.store.watermark.covers(bench.friend.log, commit.header.sequence))
        #expect(applied.commits().isEmpty)
        // The next pull asks for what lies beyond that.
        let again = bench.receive(
            .spaces([bench.summary(of: bench.friendStore)], answer: false))
        #expect(again.watermarks() == [bench.friendStore.watermark])
    }

    @Test("A member removed during a transfer is sent nothing more of the space")
    mutating func shutOutInTheMiddle() throws {
        // given a friend that has nothing yet, and the first of several batches
        bench.open(1, with: bench.friend)
        let session = SessionID(1)
        let asked = bench.receive(.watermark(bench.space, Watermark(), answer: false))
        #expect(asked.loads.count == 1)
        let all = bench.store.commits.map(\.commit)
        let first = LoadedCommits(commits: [all[0]], cursor: 1, isLast: false)
        let sent = bench.handle(.loaded(session, bench.space, first))
        #expect(sent.commits().map(\.id) == [all[0].id])
        #expect(sent.loads.count == 1)
        // when it is shut out while the next one is read
        let report = bench.revoke(bench.friendGrant).report
        var later = bench.handle(.applied(report, from: nil))
        let second = LoadedCommits(commits: [all[1]], cursor: 2, isLast: true)
        later += bench.handle(.loaded(session, bench.space, second))
        // then neither that nor an ack, holdings, a fork or an answer goes to it
        later += bench.handle(.ackSigned(bench.ack(bench.store.watermark, by: bench.own)))
        later += bench.handle(.holdingsSigned(.none(in: bench.space, of: bench.own.id)))
        let head = Watermark([
            all[0].header.log: LogHead(sequence: 1, commit: all[0].id)
        ])
        later += bench.handle(.ackStored(bench.ack(head, by: bench.friend), from: session))
        later += bench.receive(.watermark(bench.space, head, answer: false))
        later += bench.handle(.loaded(session, bench.space, second))
        let other = bench.write().report
        later += bench.handle(.applied(other, from: nil))
        bench.now += Limits.pullIntervalMilliseconds
        later += bench.handle(.tick)
        #expect(later.loads.isEmpty)
        for message in later.messages() {
            guard case .spaces(let summaries, _) = message, summaries.isEmpty else {
                Issue.record("it was sent \(message)")
                continue
            }
        }
    }

    @Test("Unknown spaces without end are not remembered without end")
    mutating func manySpaces() {
        bench.open(1, with: bench.stranger)
        for round in 0..<20 as Range<UInt64> {
            let summaries = (0..<1000 as Range<UInt64>).map { number in
                SpaceSummary(
                    space: SpaceID(sha256(bigEndian(round * 1000 + number))), digest: .zero,
                    offer: Offer(title: "", from: "", flags: .all, bytes: 0))
            }
            bench.receive(.spaces(summaries, answer: true))
        }
        let count = bench.engine.sessions[SessionID(1)]?.spaces.count ?? 0
        #expect(count > 0)
        #expect(count <= Limits.listEntries)
    }

    @Test("Of the offers of one device few are passed on, and the same one not again and again")
    mutating func manyOffers() {
        bench.open(1, with: bench.stranger)
        func offers(_ title: String) -> [SpaceSummary] {
            (0..<1000 as Range<UInt64>).map { number in
                SpaceSummary(
                    space: SpaceID(sha256(bigEndian(number))), digest: .zero,
                    offer: Offer(title: title, from: "", flags: .all, bytes: 0))
            }
        }
        let first = bench.receive(.spaces(offers("one"), answer: true))
        #expect(first.offerCount == Limits.offersPerDevice)
        #expect(bench.receive(.spaces(offers("one"), answer: true)).offerCount == 0)
        // What changed is passed on, of no more spaces than before
        #expect(
            bench.receive(.spaces(offers("two"), answer: true)).offerCount
                == Limits.offersPerDevice)
        // And all of it again after a pull: the person may have answered some
        bench.now += Limits.pullIntervalMilliseconds
        bench.handle(.tick)
        #expect(
            bench.receive(.spaces(offers("two"), answer: true)).offerCount
                == Limits.offersPerDevice)
    }

    @Test("Each claim to know more of the own log is looked into once, and few of them")
    mutating func manyClaims() {
        bench.meet()
        func claims(_ numbers: Range<UInt64>) -> PeerMessage {
            let logs = numbers.map { number in
                LogPosition(
                    log: bench.own.restored(1000 + number),
                    head: LogHead(sequence: 9, commit: .zero))
            }
            return .watermark(bench.space, Watermark(logs), answer: true)
        }
        #expect(bench.receive(claims(0..<40)).claimCount == 40)
        #expect(bench.receive(claims(0..<40)).claimCount == 0)
        #expect(bench.receive(claims(30..<90)).claimCount == Limits.logsPerDevice - 40)
        #expect(bench.receive(claims(100..<150)).claimCount == 0)
        let many = bench.receive(claims(0..<UInt64(Limits.logsPerDevice) + 1))
        #expect(many.closed == [SessionID(1): .misbehaved])
    }

    @Test("Watermarks and commits of spaces that are not here leave nothing behind")
    mutating func unknownSpaces() {
        bench.open(1, with: bench.stranger)
        let other = TestCommit.genesis(bench.stranger, nonce: 8)
        let far = Watermark([
            bench.stranger.log: LogHead(sequence: Limits.sequence, commit: other.id)
        ])
        let actions =
            bench.receive(.watermark(other.space, far, answer: false))
            + bench.receive(.commits(other.space, [other.commit], live: true))
            + bench.receive(
                .ack(
                    UnverifiedAck(
                        Ack(
                            space: other.space, device: bench.stranger.id, counter: 1,
                            watermark: far), bytes: [], signature: [])))
        #expect(actions.isEmpty)
        #expect(bench.engine.sessions[SessionID(1)]?.spaces.isEmpty == true)
    }

    @Test("Acks and holdings of devices that are no members are not even looked at")
    mutating func foreignReports() {
        bench.meet()
        let ack = bench.ack(bench.store.watermark, by: bench.stranger)
        #expect(!bench.receive(.ack(ack)).isVerifyingAck)
        let holdings = UnverifiedHoldings(
            Holdings(
                space: bench.space, device: bench.stranger.id, counter: 1, held: 9, missing: [],
                missingCount: 0, missingBytes: 0), bytes: [], signature: [])
        #expect(!bench.receive(.holdings(holdings)).isVerifyingHoldings)
        #expect(bench.receive(.ack(bench.ack(Watermark(), by: bench.friend))).isVerifyingAck)
    }

    @Test("An ack that names logs without end does not fill the memory")
    mutating func hugeAck() {
        bench.meet()
        for counter in 1...3 as ClosedRange<UInt64> {
            let logs = (0..<500 as Range<UInt64>).map { number in
                LogPosition(
                    log: bench.friend.restored(counter * 1000 + number),
                    head: LogHead(sequence: 9, commit: .zero))
            }
            let ack = bench.ack(Watermark(logs), by: bench.friend, counter: counter)
            bench.handle(.ackStored(ack, from: SessionID(1)))
        }
        #expect((bench.shared()?.remote?.heads.count ?? 0) <= bench.store.watermark.heads.count)
    }

    @Test("Too many batches at once cost the session, and what comes after is not looked at")
    mutating func flood() throws {
        bench.meet()
        let commit = try bench.friendWrites()
        let message = PeerMessage.commits(bench.space, [commit.commit], live: true)
        for _ in 0..<Limits.commitBatchesUnapplied {
            #expect(bench.receive(message).closed.isEmpty)
        }
        #expect(bench.receive(message).closed == [SessionID(1): .misbehaved])
        #expect(bench.receive(message).isEmpty)
        #expect(bench.receive(.ping(token: 1)).isEmpty)
    }

    @Test(
        "Messages that have no place in a session end it",
        arguments: [
            PeerMessage.have(Have(request: 1, held: true, length: 0, chunkHashes: [])),
            .want(
                Want(
                    request: 1, space: TestBlob.space, blob: BlobID(sha256([1])), list: true,
                    firstChunk: 0, chunkCount: 1)),
            .commits(SpaceID(sha256([1])), [], live: false),
        ])
    mutating func outOfPlace(message: PeerMessage) {
        bench.meet()
        bench.handle(.spaceAccepted(SpaceID(sha256([1]))))
        #expect(bench.receive(message).closed == [SessionID(1): .misbehaved])
    }

    @Test("Commits under another space's name end the session")
    mutating func wrongSpace() {
        bench.meet()
        let other = TestCommit.genesis(bench.friend, nonce: 4)
        let actions = bench.receive(.commits(bench.space, [other.commit], live: true))
        #expect(actions.closed == [SessionID(1): .misbehaved])
    }

    @Test("A connection that opens and closes while answers are due upsets nothing")
    mutating func lateAnswers() throws {
        bench.meet()
        let commit = try bench.friendWrites()
        let received = bench.receive(.commits(bench.space, [commit.commit], live: true))
        #expect(received.verified == [[commit.id]])
        bench.receive(.watermark(bench.space, Watermark(), answer: false))
        bench.handle(.sessionClosed(SessionID(1)))
        let session = SessionID(1)
        let page = bench.store.page(beyond: Watermark(), after: 0, limit: 10)
        #expect(bench.handle(.loaded(session, bench.space, page)).isEmpty)
        #expect(bench.apply([commit]).messages().isEmpty)
        #expect(bench.store.watermark.covers(bench.friend.log, 1))
        #expect(bench.engine.spaces[bench.space]?.watermark == bench.store.watermark)
    }
}

extension [EngineAction] {
    fileprivate var offerCount: Int {
        count { if case .offer = $0 { true } else { false } }
    }

    fileprivate var claimCount: Int {
        count { if case .ownLogAhead = $0 { true } else { false } }
    }
}
