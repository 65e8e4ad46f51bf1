import SyncCore
import Testing

/// What an engine makes of proofs, suspicions and those who make them up.
@Suite struct EngineForkTests {
    private var bench = Bench()
    private let session = SessionID(1)

    private func side(_ commit: VerifiedCommit) -> UnverifiedFork.Side {
        UnverifiedFork.Side(commit.encoded, commit.header)
    }

    private func report(_ suspected: [LogID: UInt64]) -> ApplyReport {
        var report = ApplyReport(
            space: bench.space, after: bench.store.watermark,
            role: .shared, membership: bench.membership, stored: [],
            refusals: suspected.map { .suspected($0.key, $0.value) }, needs: [])
        report.suspected = suspected
        return report
    }

    private func asked(_ actions: [EngineAction]) -> [LogAgain] {
        actions.messages().flatMap { message -> [LogAgain] in
            if case .watermark(_, _, let forks, false) = message { forks.again } else { [] }
        }
    }

    /// Hands in a batch, and what the store makes of it.
    private mutating func apply(
        _ commits: [VerifiedCommit], suspecting log: LogID, _ sequence: UInt64
    ) -> [EngineAction] {
        bench.receive(.commits(bench.space, commits.map(\.commit), live: false))
        bench.handle(.verified(session, bench.space, commits, .sound))
        return bench.handle(.applied(report([log: sequence]), from: session))
    }

    @Test("A false proof costs the session and changes nothing")
    mutating func falseProof() throws {
        bench.meet()
        let log = bench.own.log
        let real = try #require(bench.store.commits.last)
        var header = real.header
        header.clock = HybridTime(raw: 99)
        let invented = TestCommit.sealed(header, ClearPart(), [], facts: [])
        let proof = UnverifiedFork(first: side(real), second: side(invented))
        let actions = bench.receive(.fork(bench.space, proof))
        let isVerifying = actions.contains {
            if case .verifyFork = $0 { true } else { false }
        }
        #expect(isVerifying)
        let refused = bench.handle(.forkRefused(bench.space, .false, from: session))
        #expect(refused.closed == [session: .misbehaved])
        #expect(bench.engine.spaces[bench.space]?.forks[log] == nil)
    }

    @Test("A peer that names commits nobody wrote is asked for the log and then loses its session")
    mutating func falseSeen() throws {
        bench.meet()
        let log = bench.own.log
        let lie = try bench.friendWrites()
        // given a commit that has seen what does not stand here
        let first = apply([lie], suspecting: log, 2)
        #expect(asked(first) == [LogAgain(log: log, after: 0)])
        #expect(first.closed.isEmpty)
        // when what was on its way comes again before the answer
        #expect(apply([lie], suspecting: log, 2).closed.isEmpty)
        // and the peer answers, sends the log as it is known here, and the same commit
        bench.receive(.watermark(bench.space, bench.store.watermark, answer: true))
        let last = apply(bench.store.commits + [lie], suspecting: log, 2)
        // then
        #expect(last.closed == [session: .misbehaved])
    }

    @Test(
        "A peer whose grant stands in a branch gets the proof, and is not asked for the branch again"
    )
    mutating func proofForFormerMember() throws {
        // given
        let log = bench.own.log
        let branch = try #require(bench.store.commits.last)
        var view = bench.view
        view.watermark.cut(
            log, to: LogHead(sequence: 1, commit: try #require(bench.store.commits.first).id))
        view.forks = [log: ForkedLog(sequence: 2, tips: [branch.id], count: 1)]
        bench = Bench()
        bench.handle(.spaceClosed(bench.space))
        bench.handle(.spaceOpened(view))
        bench.open(1, with: bench.stranger)
        let proof = view.proof(by: bench.stranger.id, to: bench.own.id)
        bench.receive(
            .spaces(
                [SpaceSummary(space: bench.space, digest: .zero, proof: proof)], answer: true))
        // when
        bench.receive(.commits(bench.space, [branch.commit], live: false))
        bench.handle(.verified(session, bench.space, [branch], .sound))
        var report = ApplyReport(
            space: bench.space, after: view.watermark, role: .shared,
            membership: view.membership, stored: [], refusals: [], needs: [])
        report.forks = view.forks
        report.lastBranch = BranchPlace(branch.commit)
        let actions = bench.handle(.applied(report, from: session))
        // then
        #expect(actions.watermarks().isEmpty)
        let loaded = actions.contains {
            if case .loadForks(session, _, let listed, nil) = $0 { listed.isEmpty } else { false }
        }
        #expect(loaded)
        let fork = UnverifiedFork(first: side(branch), second: side(branch))
        let sent = bench.handle(
            .forksLoaded(session, bench.space, LoadedForks(proofs: [fork], commits: [])))
        #expect(sent.messages() == [.fork(bench.space, fork)])
    }

    @Test("A peer that calls the log forked is not blamed: its proof is on the way")
    mutating func proofOnItsWay() throws {
        bench.meet()
        let log = bench.own.log
        let lie = try bench.friendWrites()
        _ = apply([lie], suspecting: log, 2)
        let point = ForkPoint(log: log, sequence: 2, tips: [])
        bench.receive(
            .watermark(
                bench.space, bench.friendStore.watermark, forks: ForkReport(points: [point]),
                answer: true))
        #expect(apply([lie], suspecting: log, 2).closed.isEmpty)
    }

    @Test("A watermark with another head at the same sequence is asked for, from a little before")
    mutating func equalHeads() throws {
        for _ in 0..<100 { _ = bench.write() }
        bench.handle(.spaceOpened(bench.view))
        bench.meet()
        let log = bench.own.log
        var other = bench.store.watermark
        other.cut(log, to: LogHead(sequence: 102, commit: CommitID(number: 5)))
        let actions = bench.receive(.watermark(bench.space, other, answer: true))
        #expect(asked(actions) == [LogAgain(log: log, after: 102 - Limits.forkSearch)])
    }

    @Test("Somebody who wants a log again gets it again, whatever was acknowledged")
    mutating func again() throws {
        bench.meet()
        let log = bench.own.log
        let wanted = ForkReport(again: [LogAgain(log: log, after: 0)])
        let asked = bench.receive(
            .watermark(bench.space, bench.store.watermark, forks: wanted, answer: false))
        let load = try #require(asked.loads.first)
        #expect(load.beyond.sequence(of: log) == 0)
        bench.handle(.ackStored(bench.ack(bench.store.watermark, by: bench.friend), from: session))
        let page = bench.store.page(beyond: load.beyond, after: 0, limit: 100)
        let sent = bench.handle(.loaded(session, bench.space, page))
        #expect(sent.commits().map(\.id) == bench.store.commits.map(\.id))
    }
}
