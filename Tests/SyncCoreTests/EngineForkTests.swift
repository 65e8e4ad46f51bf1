import SyncCore
import TestKit
import Testing

/// What an engine makes of proofs, suspicions and those who make them up.
@Suite struct EngineForkTests {
    private var bench = Bench()
    private let session = SessionID(1)

    private func side(_ commit: VerifiedCommit) -> UnverifiedFork.Side {
        UnverifiedFork.Side(commit.encoded, commit.header)
    }

    private func report(_ suspected: [LogID: UInt64]) -> ApplyReport {
        var report = bench.report(refusals: suspected.map { .suspected($0.key, $0.value) })
        for (log, sequence) in suspected { report.found.suspect(log, at: sequence) }
        return report
    }

    /// Hands in a batch, and what the store makes of it.
    private mutating func apply(
        _ commits: [VerifiedCommit], suspecting log: LogID, _ sequence: UInt64
    ) -> [EngineAction] {
        bench.receive(.commits(bench.space, commits.map(\.commit), live: false))
        return bench.handle(.applied(report([log: sequence]), from: session))
    }

    /// Of the own log the second commit and what comes after it stand in a branch here.
    private mutating func fork() throws -> (SpaceView, branch: VerifiedCommit) {
        let branch = try #require(bench.store.commits.last)
        var view = bench.view
        view.watermark = try bench.genesisAlone()
        view.forks = [bench.own.log: ForkedLog(sequence: 2, tips: [branch.id], count: 1)]
        bench = Bench()
        bench.handle(.spaceClosed(bench.space))
        bench.handle(.spaceOpened(view))
        return (view, branch)
    }

    /// What the peer listed, each time that branches are looked for which it lacks.
    private func lookedFor(_ actions: [EngineAction]) -> [[ForkPoint]] {
        actions.compactMap {
            if case .loadForks(session, _, let question) = $0, question.after == nil {
                question.listed
            } else {
                nil
            }
        }
    }

    @Test("Branches that were being read when a comparison restarted are looked for again")
    mutating func comparedAnew() throws {
        // given
        let (view, _) = try fork()
        bench.meet()
        let points = [ForkPoint(log: bench.own.log, sequence: 2, tips: [])]
        func word(isAnswer: Bool) -> PeerMessage {
            .watermark(
                bench.space, view.watermark, forks: ForkReport(points: points), answer: isAnswer)
        }
        #expect(lookedFor(bench.receive(word(isAnswer: false))) == [points])
        #expect(lookedFor(bench.receive(word(isAnswer: false))).isEmpty)
        // when
        bench.handle(.networkChanged)
        // then the digest alone is not enough, and the answer is taken for a question, once
        let summary = SpaceSummary(space: bench.space, digest: view.watermark.digest(view.forks))
        #expect(bench.receive(.spaces([summary], answer: true)).watermarks().count == 1)
        #expect(lookedFor(bench.receive(word(isAnswer: true))) == [points])
        let none = LoadedForks(proofs: [], commits: [])
        #expect(lookedFor(bench.handle(.forksLoaded(session, bench.space, none))).isEmpty)
        #expect(lookedFor(bench.receive(word(isAnswer: true))).isEmpty)
    }

    @Test("A peer that listed branches is asked for them once another one proves the fork")
    mutating func provedByAnother() throws {
        // given a fork that is not known here
        bench.open(2, with: bench.friend)
        let tip = try #require(bench.store.commits.last).id
        let log = bench.own.log
        let point = ForkPoint(log: log, sequence: 2, tips: [tip])
        let word = PeerMessage.watermark(
            bench.space, try bench.genesisAlone(), forks: ForkReport(points: [point]), answer: true)
        #expect(bench.receive(word, on: 2).watermarks(on: 2).count == 1)
        #expect(bench.receive(word, on: 2).watermarks(on: 2).isEmpty)
        // when another connection, which is gone since, brought the proof
        var view = bench.view
        view.watermark = try bench.genesisAlone()
        view.forks = [log: ForkedLog(sequence: 2)]
        var report = bench.report()
        report.view = view
        report.found.newForks = [log]
        let proved = bench.handle(.forkApplied(report, from: session))
        // then
        #expect(proved.watermarks(on: 2) == [view.watermark])
    }

    @Test("A device that could not store a proof accuses nobody of leaving something out")
    mutating func proofNotStored() throws {
        bench.meet()
        _ = try bench.friendWrites()
        let second = try bench.friendWrites()
        func getSecond() {
            bench.receive(.commits(bench.space, [second.commit], live: false))
            _ = bench.apply([second])
        }
        getSecond()
        bench.now += 30_000
        #expect(bench.gap() == 30_000)
        // when
        bench.handle(.forkRefused(bench.space, .notStored, from: session))
        getSecond()
        bench.now += 30_000
        // then
        #expect(bench.gap() == 0)
        bench.handle(.forkApplied(report([:]), from: session))
        getSecond()
        bench.now += 30_000
        #expect(bench.gap() == 30_000)
    }

    @Test("A peer that has our log as a branch of a fork is not sent it again and again")
    mutating func branchKnown() throws {
        bench.meet()
        let log = bench.own.log
        let tip = try #require(bench.store.commits.last).id
        let claimed = try bench.genesisAlone()
        for isKnown in [false, true] {
            let point = ForkPoint(log: log, sequence: 2, tips: isKnown ? [tip] : [])
            let word = PeerMessage.watermark(
                bench.space, claimed, forks: ForkReport(points: [point]), answer: true)
            let loads = bench.receive(word).loads
            #expect(loads.count == (isKnown ? 0 : 1))
            guard let load = loads.first else { continue }
            let page = bench.store.page(beyond: load.beyond, after: 0, limit: 100)
            let sent = bench.handle(.loaded(session, bench.space, page))
            #expect(sent.commits().map(\.id) == [tip])
        }
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
        let refused = bench.handle(.forkRefused(bench.space, .invalid, from: session))
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
        #expect(first.askedAgain() == [LogAgain(log: log, after: 0)])
        #expect(first.closed.isEmpty)
        // when what was on its way comes again before the answer
        #expect(apply([lie], suspecting: log, 2).closed.isEmpty)
        // and the peer answers, sends the log as it is known here, and the same commit
        bench.receive(.watermark(bench.space, bench.store.watermark, answer: true))
        let last = apply(bench.store.commits + [lie], suspecting: log, 2)
        // then
        #expect(last.closed == [session: .misbehaved])
    }

    @Test("A peer that reports less than it sent takes us for no member, and is not blamed")
    mutating func toldNothing() throws {
        bench.meet()
        let commit = try bench.friendWrites()
        let log = commit.header.log
        for _ in 0..<3 {
            let asked = apply([commit], suspecting: log, 1).askedAgain()
            #expect(asked == [LogAgain(log: log, after: 0)])
            bench.receive(.watermark(bench.space, Watermark(), answer: true))
        }
        #expect(apply([commit], suspecting: log, 1).closed.isEmpty)
    }

    @Test(
        "A peer whose grant stands in a branch gets the proof, and is not asked for the branch again"
    )
    mutating func proofForFormerMember() throws {
        // given
        let (view, branch) = try fork()
        bench.open(1, with: bench.stranger)
        let proof = view.proof(by: bench.stranger.id, to: bench.own.id)
        bench.receive(
            .spaces(
                [SpaceSummary(space: bench.space, digest: .zero, proof: proof)], answer: true))
        // when
        bench.receive(.commits(bench.space, [branch.commit], live: false))
        var report = bench.report(after: view.watermark)
        report.view?.forks = view.forks
        report.found.lastBranch = BranchPlace(branch.commit)
        let actions = bench.handle(.applied(report, from: session))
        // then
        #expect(actions.watermarks().isEmpty)
        #expect(lookedFor(actions) == [[]])
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
        #expect(actions.askedAgain() == [LogAgain(log: log, after: 102 - Limits.forkSearch)])
    }

    @Test("A peer that wants a log again gets it again, whatever it acknowledged or sent of it")
    mutating func again() throws {
        bench.meet()
        let log = bench.own.log
        let wanted = ForkReport(again: [LogAgain(log: log, after: 0)])
        let asked = bench.receive(
            .watermark(bench.space, bench.store.watermark, forks: wanted, answer: false))
        let load = try #require(asked.loads.first)
        #expect(load.beyond.sequence(of: log) == 0)
        bench.handle(.ackStored(bench.ack(bench.store.watermark, by: bench.friend), from: session))
        let last = try #require(bench.store.commits.last?.commit)
        #expect(last.header.log == log && last.header.sequence > 1)
        bench.receive(.commits(bench.space, [last], live: false))
        let page = bench.store.page(beyond: load.beyond, after: 0, limit: 100)
        let sent = bench.handle(.loaded(session, bench.space, page))
        #expect(sent.commits().map(\.id) == bench.store.commits.map(\.id))
    }
}
