import SyncCore
import TestKit
import Testing

/// One engine alone: no order of answers leaves it waiting for something that never comes.
@Suite struct EngineStateTests {
    private var bench = Bench()

    @Test("A watermark that comes while a batch is read is not answered with that batch's end")
    mutating func watermarkWhileLoading() throws {
        bench.open(1, with: bench.friend)
        let empty = Watermark()
        bench.receive(.watermark(bench.space, bench.store.watermark, answer: true))
        #expect(bench.shared()?.sending.isReading == false)
        let first = bench.receive(
            .watermark(bench.space, bench.friendStore.watermark, answer: true))
        #expect(first.loads.isEmpty)
        let report = bench.write().report
        bench.handle(.applied(report, from: nil))
        let loading = bench.receive(
            .watermark(bench.space, bench.friendStore.watermark, answer: true))
        #expect(loading.loads.count == 1)
        // Before the store answers, the friend says that it lacks everything.
        bench.receive(.watermark(bench.space, empty, answer: true))
        var actions = bench.handle(
            .loaded(
                SessionID(1), bench.space,
                LoadedCommits(commits: [], cursor: 99, isLast: true)))
        let again = try #require(actions.loads.first)
        #expect(again.beyond == empty)
        #expect(again.after == 0)
        let page = bench.store.page(beyond: again.beyond, after: again.after, limit: 100)
        actions = bench.handle(.loaded(SessionID(1), bench.space, page))
        #expect(actions.commits().map(\.id) == bench.store.commits.map(\.id))
        #expect(bench.shared()?.sending.hasMore == false)
    }

    @Test("A view of a space that comes late does not take back what came after it")
    mutating func lateView() throws {
        // given
        let old = bench.view
        let report = bench.write().report
        bench.handle(.applied(report, from: nil))
        // when
        bench.handle(.spaceOpened(old))
        // then
        bench.open(1, with: bench.friend)
        let asked = bench.receive(
            .spaces([SpaceSummary(space: bench.space, digest: .zero)], answer: true))
        #expect(asked.watermarks() == [report.watermark])
    }

    @Test("A member that went back to a copy without a space is offered it again")
    mutating func offerAgain() {
        // given a friend that acknowledged the space once
        let offer = Offer(title: "Arezzo", from: "", flags: .read, bytes: 0)
        let offered = OfferedSpace(offer, givers: [bench.own.person: "Ann"])
        bench.handle(.spaceDescribed(bench.space, offered))
        bench.handle(.ackLoaded(bench.ack(bench.store.watermark, by: bench.friend)))
        // when it lists the space
        let first = bench.open(1, with: bench.friend)
        let known = bench.receive(.spaces([bench.summary(of: bench.friendStore)], answer: false))
        bench.handle(.sessionClosed(SessionID(1)))
        // and later does not
        bench.open(1, with: bench.friend)
        let again = bench.receive(.spaces([], answer: false))
        // then
        #expect(first.offers.isEmpty)
        #expect(known.offers.isEmpty)
        #expect(again.offers.map(\.title) == ["Arezzo"])
        #expect(again.offers.map(\.from) == ["Ann"])
    }

    @Test("What was offered while the disk was full is passed on again when it has room")
    mutating func offeredOnFullDisk() {
        bench.meet()
        let offer = Offer(title: "Arezzo", from: "Ben", flags: .all, bytes: 0)
        let other = SpaceSummary(
            space: SpaceID(sha256([9])), digest: bench.store.watermark.digest(), offer: offer)
        func offers(_ actions: [EngineAction]) -> Int {
            actions.count { if case .offer = $0 { true } else { false } }
        }
        #expect(offers(bench.receive(.spaces([other], answer: true))) == 1)
        #expect(offers(bench.receive(.spaces([other], answer: true))) == 0)
        // when
        let listed = bench.handle(.roomReturned).messages()
        // then
        #expect(listed.contains { if case .spaces(_, answer: false) = $0 { true } else { false } })
        #expect(offers(bench.receive(.spaces([other], answer: true))) == 1)
    }

    @Test("When a commit names files, peers that may have been refused get the holdings again")
    mutating func namedAgain() throws {
        bench.meet()
        let same = UnverifiedHoldings.none(in: bench.space, of: bench.own.id)
        #expect(bench.handle(.holdingsSigned(same)).holdings().isEmpty)
        let blob = try #require(TestBlob(1, bytes: 10))
        let named = NamedBlob(blob: blob.id, size: 10, kind: .original)
        let commit = try bench.friendWrites(TestDraft(blobs: [named]))
        _ = bench.apply([commit])
        #expect(bench.handle(.holdingsSigned(same)).holdings().count == 1)
        #expect(bench.handle(.holdingsSigned(same)).holdings().isEmpty)
    }

    @Test("An ack that is read late does not take the place of a later one")
    mutating func lateAck() {
        // given
        let watermark = bench.store.watermark
        bench.handle(.ackLoaded(bench.ack(watermark, by: bench.friend, counter: 9)))
        // when
        bench.handle(.ackLoaded(bench.ack(Watermark(), by: bench.friend, counter: 8)))
        // then
        bench.open(1, with: bench.friend)
        let older = bench.ack(Watermark(), by: bench.friend, counter: 7)
        let told = bench.receive(.ack(older)).compactMap { action in
            if case .send(_, .ack(let ack)) = action { ack.said.counter } else { nil }
        }
        #expect(told == [9])
    }

    @Test("A word that is older than the one kept is answered with that one")
    mutating func olderWord() {
        bench.open(1, with: bench.friend)
        bench.handle(
            .ackLoaded(bench.ack(bench.store.watermark, by: bench.friend, counter: 9)))
        let answers = [8, 9, 10].map { (counter: UInt64) in
            bench.receive(.ack(bench.ack(Watermark(), by: bench.friend, counter: counter)))
                .compactMap { action in
                    if case .send(_, .ack(let ack)) = action { ack.said.counter } else { nil }
                }
        }
        #expect(answers == [[9], [], []])
    }

    @Test("An answer is an answer although its sender may not read or the space is not here yet")
    mutating func answerForUnreadable() throws {
        bench.open(1, with: bench.stranger)
        let proof = bench.view.proof(by: bench.stranger.id, to: bench.own.id)
        let asked = bench.receive(
            .spaces(
                [SpaceSummary(space: bench.space, digest: .zero, proof: proof)], answer: true))
        #expect(asked.watermarks() == [Watermark()])
        #expect(bench.shared()?.asking.awaitsAnswer == true)
        let actions = bench.receive(.watermark(bench.space, Watermark(), answer: true))
        #expect(actions.isEmpty)
        #expect(bench.shared()?.asking.awaitsAnswer == false)
        // A space that is not here.
        let other = SpaceID(sha256([5]))
        bench.handle(.spaceAccepted(other))
        bench.receive(.spaces([SpaceSummary(space: other, digest: .zero)], answer: true))
        let session = SessionID(1)
        #expect(bench.engine.sessions[session]?.spaces[other]?.asking.awaitsAnswer == true)
        bench.receive(.watermark(other, Watermark(), answer: true))
        #expect(bench.engine.sessions[session]?.spaces[other]?.asking.awaitsAnswer == false)
    }

    @Test("A peer that takes a space during a session hears once what others said of it")
    mutating func wordsToNewMember() throws {
        let said = Holdings(
            space: bench.space, device: bench.own.id, counter: 1, held: 3, missing: [],
            missingCount: 0, missingBytes: 0)
        bench.handle(.holdingsLoaded(UnverifiedHoldings(said, bytes: [], signature: [])))
        bench.open(1, with: bench.friend)
        // It has nothing yet and could not keep what is said of the space.
        let asked = bench.receive(.watermark(bench.space, Watermark(), answer: false))
        #expect(asked.holdings().isEmpty)
        let ack = bench.ack(bench.store.watermark, by: bench.friend)
        let told = bench.handle(.ackStored(ack, from: SessionID(1)))
        #expect(told.holdings().map(\.said.held) == [3])
        let again = bench.receive(.spaces([bench.summary(of: bench.friendStore)], answer: true))
        #expect(again.holdings().isEmpty)
    }

    @Test("What got lost on its way is said again when two comparisons show it")
    mutating func wordsLost() throws {
        let said = Holdings(
            space: bench.space, device: bench.own.id, counter: 1, held: 3, missing: [],
            missingCount: 0, missingBytes: 0)
        bench.handle(.holdingsLoaded(UnverifiedHoldings(said, bytes: [], signature: [])))
        bench.meet()
        bench.now += Limits.keepAliveMilliseconds
        let question = bench.handle(.tick).comparisons()
        let sent = try #require(question.first)
        let same = Comparison(digest: sent.digest, statements: sent.statements, answer: true)
        #expect(bench.receive(.comparison(same)).holdings().isEmpty)
        // At the first one it may still be coming.
        let other = Comparison(digest: sent.digest, statements: 7, answer: true)
        #expect(bench.receive(.comparison(other)).messages().isEmpty)
        bench.now += Limits.settlingMilliseconds
        #expect(bench.handle(.tick).comparisons().count == 1)
        #expect(bench.receive(.comparison(other)).holdings().map(\.said.held) == [3])
    }

    @Test("Losing the right to read while a batch is read ends the sending, and a sync")
    mutating func revokedWhileLoading() throws {
        bench.meet()
        let first = bench.write().report
        bench.receive(.watermark(bench.space, Watermark(), answer: true))
        bench.handle(.applied(first, from: nil))
        #expect(bench.shared()?.sending.isReading == true)
        let (commit, report) = bench.revoke(bench.friendGrant)
        #expect(commit != nil)
        #expect(bench.handle(.applied(report, from: nil)).messages().isEmpty)
        let page = bench.store.page(beyond: Watermark(), after: 0, limit: 100)
        let actions = bench.handle(.loaded(SessionID(1), bench.space, page))
        #expect(actions.commits().isEmpty)
        let request = SyncRequestID(1)
        bench.handle(.syncRequested(request))
        #expect(bench.receive(.spaces([], answer: true)).finishedSyncs == [request])
    }

    @Test("Pushes stop when none is acknowledged, and what was left out is announced")
    mutating func pushWindow() throws {
        bench.meet()
        var pushed = 0
        for _ in 0..<200 {
            let report = bench.write().report
            bench.now += 200
            pushed += bench.handle(.applied(report, from: nil)).commits().count
        }
        #expect(pushed > 4)
        #expect(pushed < Limits.commitBatchesUnapplied)
        // The friend asks for the rest.
        _ = bench.friendStore.apply(bench.store.commits.prefix(3).map(\.self))
        bench.receive(.watermark(bench.space, bench.friendStore.watermark, answer: false))
        #expect(bench.shared()?.sending.isReading == true)
    }

    @Test("A commit that the peer has by then is not pushed again")
    mutating func pushedOnce() throws {
        bench.meet()
        let (commit, report) = bench.write()
        // The store has it before the engine hears of it; a load finds it.
        bench.receive(.watermark(bench.space, bench.friendStore.watermark, answer: true))
        bench.handle(.tick)
        let page = bench.store.page(
            beyond: bench.friendStore.watermark, after: 0, limit: 100)
        let head = LogHead(sequence: 3, commit: try #require(commit).id)
        #expect(page.commits.map(\.id) == [head.commit])
        bench.receive(.watermark(bench.space, bench.store.watermark, answer: true))
        #expect(bench.handle(.applied(report, from: nil)).commits().isEmpty)
    }

    @Test("Several batches that build on something missing are asked for once")
    mutating func askedOnce() throws {
        bench.meet()
        try bench.friendWrites()
        let late = [
            try bench.friendWrites(), try bench.friendWrites(), try bench.friendWrites(),
        ]
        for commit in late {
            bench.receive(.commits(bench.space, [commit.commit], live: true))
        }
        var asked = 0
        for commit in late { asked += bench.apply([commit]).watermarks().count }
        #expect(asked == 1)
        #expect(bench.shared()?.asking.awaitsAnswer == true)
        #expect(bench.shared()?.receiving.unapplied == 0)
    }

    @Test("A space that is closed and listed again while a batch is stored counts right")
    mutating func closedWhileApplying() throws {
        bench.meet()
        let commit = try bench.friendWrites()
        bench.receive(.commits(bench.space, [commit.commit], live: true))
        bench.handle(.spaceClosed(bench.space))
        bench.handle(.spaceOpened(bench.view))
        bench.meet()
        _ = bench.apply([commit])
        #expect(bench.shared()?.receiving.unapplied == 0)
        #expect(bench.shared()?.asking.reasons == [])
    }

    @Test("Every way a batch can end counts it as applied")
    mutating func unapplied() throws {
        bench.meet()
        let first = try bench.friendWrites()
        let session = SessionID(1)
        // Nothing of it verifies: the session goes.
        bench.receive(.commits(bench.space, [first.commit], live: true))
        #expect(bench.apply([], .broken).closed == [session: .misbehaved])
        bench.handle(.sessionClosed(session))
        // A part of it verifies: that is stored, and the session goes.
        bench.meet()
        bench.receive(.commits(bench.space, [first.commit], live: true))
        let partial = bench.apply([first], .broken)
        #expect(partial.closed == [session: .misbehaved])
        #expect(partial.acknowledges == 1)
        bench.handle(.ackSigned(bench.ack(bench.store.watermark, by: bench.own)))
        bench.handle(.sessionClosed(session))
        // All of it was known: acknowledged, so that the sender's window moves.
        bench.meet()
        bench.receive(.commits(bench.space, [first.commit], live: false))
        #expect(bench.apply([first]).acknowledges == 1)
        #expect(bench.shared()?.receiving.unapplied == 0)
    }

    @Test("A commit of an unknown device is asked for again once, and nobody is accused")
    mutating func keyless() throws {
        bench.meet()
        let first = try bench.friendWrites()
        for round in 0..<2 {
            bench.receive(.commits(bench.space, [first.commit], live: true))
            let left = bench.apply([], .keysMissing)
            #expect(left.closed.isEmpty)
            // It was asked for already: nothing new is here since.
            #expect(left.watermarks().count == (round == 0 ? 1 : 0))
            #expect(bench.shared()?.receiving.unapplied == 0)
        }
        // Something else came: now it may fit.
        let other = try bench.friendWrites()
        bench.receive(.commits(bench.space, [first.commit, other.commit], live: true))
        #expect(bench.apply([first], .keysMissing).watermarks().count == 1)
    }

    @Test("A peer that leaves out predecessors is noted, until they came from anywhere")
    mutating func gap() throws {
        bench.meet()
        let first = try bench.friendWrites()
        let second = try bench.friendWrites()
        bench.receive(.commits(bench.space, [second.commit], live: true))
        #expect(bench.gap() == 0)
        _ = bench.apply([second])
        bench.now += 30_000
        #expect(bench.gap() == 30_000)
        bench.receive(.commits(bench.space, [second.commit], live: true))
        _ = bench.apply([second])
        bench.now += 30_000
        #expect(bench.gap() == 60_000)
        // Nobody owes anything in a space that was taken from this device.
        for isTaken in [true, false] {
            bench.handle(.spaceTaken(bench.space, isTaken: isTaken))
            #expect(bench.gap() == (isTaken ? 0 : 60_000))
        }
        bench.receive(.commits(bench.space, [first.commit, second.commit], live: false))
        _ = bench.apply([first, second])
        #expect(bench.gap() == 0)
        bench.now += 30_000
        #expect(bench.gap() == 0)
    }

    @Test("An ack that could not be stored is made again with the next look at the others")
    mutating func unsaid() throws {
        bench.meet()
        let first = try bench.friendWrites()
        bench.receive(.commits(bench.space, [first.commit], live: true))
        #expect(bench.apply([first]).acknowledges == 1)
        bench.handle(.statementNotStored(bench.space))
        bench.now += Limits.pullIntervalMilliseconds
        #expect(bench.handle(.tick).acknowledges == 1)
        bench.receive(.spaces([bench.summary(of: bench.friendStore)], answer: true))
        bench.now += Limits.pullIntervalMilliseconds
        #expect(bench.handle(.tick).acknowledges == 0)
    }

    @Test("Commits of an accepted space that does not come to be leave nothing counted")
    mutating func unappliedUnknownSpace() throws {
        bench.open(1, with: bench.friend)
        let other = TestCommit.genesis(bench.friend, nonce: 3)
        bench.receive(.spaces([SpaceSummary(space: other.space, digest: .zero)], answer: true))
        bench.handle(.spaceAccepted(other.space))
        let ledger = SpaceLedger(space: other.space, role: .shared, schema: TestCommit.schema)
        let orphan = TestCommit.next(
            in: bench.friend.log, of: ledger, under: .none, clock: 3, TestDraft())
        bench.receive(.commits(other.space, [orphan.commit], live: false))
        let session = SessionID(1)
        #expect(bench.engine.sessions[session]?.spaces[other.space]?.receiving.unapplied == 1)
        let report = ApplyReport(
            space: other.space, after: Watermark(), Membership(),
            refusals: [ApplyReport.Refusal(orphan, .causalPastMissing)])
        let actions = bench.handle(.applied(report, from: session))
        #expect(actions.acknowledges == 0)
        #expect(actions.watermarks() == [Watermark()])
        #expect(bench.engine.sessions[session]?.spaces[other.space]?.receiving.unapplied == 0)
        #expect(bench.engine.spaces[other.space] == nil)
    }

    @Test("Equal digests end the wait for an ack that got lost")
    mutating func lostAck() throws {
        bench.meet()
        let report = bench.write().report
        #expect(bench.handle(.applied(report, from: nil)).commits().count == 1)
        #expect(bench.shared()?.sending.inFlight.count == 1)
        let request = SyncRequestID(1)
        bench.handle(.syncRequested(request))
        let actions = bench.receive(.spaces([bench.summary(of: bench.store)], answer: true))
        #expect(bench.shared()?.sending.inFlight.isEmpty == true)
        #expect(actions.finishedSyncs == [request])
    }

    @Test("A sync waits for the connection that takes the place of the one it asked")
    mutating func syncSurvivesDuplicate() throws {
        bench.meet()
        try bench.friendWrites()
        let request = SyncRequestID(1)
        #expect(bench.handle(.syncRequested(request)).finishedSyncs.isEmpty)
        let opened = bench.open(2, with: bench.friend)
        #expect(opened.closed == [SessionID(1): .duplicate])
        #expect(opened.finishedSyncs.isEmpty)
        let answered = bench.receive(
            .spaces([bench.summary(of: bench.friendStore)], answer: true), on: 2)
        #expect(answered.finishedSyncs.isEmpty)
        #expect(answered.watermarks(on: 2).count == 1)
    }

    @Test("A sync with nobody there is done at once")
    mutating func syncAlone() {
        #expect(bench.handle(.syncRequested(SyncRequestID(4))).finishedSyncs == [SyncRequestID(4)])
    }

    @Test("A peer that is silent for five seconds after a pull is closed, and a sync goes on")
    mutating func silentPeer() throws {
        bench.meet()
        bench.now += Limits.reachMilliseconds
        bench.handle(.tick)
        let request = SyncRequestID(1)
        bench.handle(.syncRequested(request))
        let wait = try #require(bench.engine.nextTick(at: Instant(bench.now)))
        #expect(wait == Limits.answerMilliseconds)
        bench.now += wait - 1
        #expect(bench.handle(.tick).closed.isEmpty)
        bench.now += 1
        let actions = bench.handle(.tick)
        #expect(actions.closed == [SessionID(1): .silent])
        #expect(actions.finishedSyncs == [request])
        #expect(bench.engine.nextTick(at: Instant(bench.now)) == nil)
    }

    @Test("A peer that says anything after a pull stays")
    mutating func talkingPeer() {
        bench.meet()
        bench.now += Limits.keepAliveMilliseconds
        #expect(bench.handle(.tick).messages().count == 1)
        bench.receive(.ping(token: 1))
        bench.now += Limits.answerMilliseconds * 2
        #expect(bench.handle(.tick).closed.isEmpty)
    }

    @Test("After a tick another one is wanted only later, whatever waits")
    mutating func noBusyLoop() throws {
        bench.meet()
        let report = bench.write().report
        _ = bench.receive(.watermark(bench.space, Watermark(), answer: true))
        bench.handle(.applied(report, from: nil))
        bench.handle(.syncRequested(SyncRequestID(1)))
        for _ in 0..<50 {
            bench.handle(.tick)
            guard let wait = bench.engine.nextTick(at: Instant(bench.now)) else { return }
            #expect(wait > 0)
            bench.now += wait
            if bench.now % 2 == 0 { bench.receive(.pong(token: 0)) }
        }
    }

    @Test("A statement that comes while a space is closed counts once it is open again")
    func closedMeanwhile() throws {
        // given
        let (kept, reopened) = (try heardOfStranger(), try heardOfStranger(closing: true))
        // then
        #expect(kept.before == reopened.before)
        #expect(kept.after == reopened.after)
        #expect(kept.before != kept.after)
    }

    /// What is told of statements before and after a third member's second one.
    private func heardOfStranger(
        closing: Bool = false
    ) throws -> (before: UInt64, after: UInt64) {
        var bench = Bench()
        let grant = MembershipFact.grant(bench.stranger.grant(from: bench.root, .all))
        let report = bench.write(TestDraft(facts: [grant])).report
        bench.handle(.applied(report, from: nil))
        _ = bench.friendStore.apply(bench.store.commits)
        bench.meet()
        bench.handle(.ackLoaded(bench.ack(bench.store.watermark, by: bench.stranger)))
        let before = try toldSum(&bench)
        if closing { bench.handle(.spaceClosed(bench.space)) }
        bench.handle(.ackLoaded(bench.ack(bench.store.watermark, by: bench.stranger, counter: 2)))
        if closing {
            bench.handle(.spaceOpened(bench.view))
            bench.meet()
        }
        return (before, try toldSum(&bench))
    }

    private func toldSum(_ bench: inout Bench) throws -> UInt64 {
        bench.now += Limits.keepAliveMilliseconds
        let asked = bench.handle(.tick)
        bench.receive(.pong(token: 0))
        return try #require(asked.comparisons().first).statements
    }
}
