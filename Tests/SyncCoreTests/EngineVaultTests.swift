import SyncCore
import TestKit
import Testing

/// What an engine asks for once its device reads a space that it carried before.
@Suite struct EngineVaultTests {
    private var bench = Bench()

    private func report(_ after: Watermark, withheldFrom first: [LogID: UInt64]) -> ApplyReport {
        var report = bench.report(after: after)
        report.view?.sealing = LogSealing(withheldFrom: first)
        return report
    }

    /// What is asked for again of a peer that holds the same.
    private mutating func askedAgain() -> [LogAgain] {
        let summary = SpaceSummary(space: bench.space, digest: bench.store.watermark.digest())
        bench.now += Limits.answerMilliseconds
        bench.handle(.networkChanged)
        return bench.receive(.spaces([summary], answer: true)).askedAgain()
    }

    @Test("Parts of commits that are missing are asked for until they came, and no longer")
    mutating func parts() throws {
        let log = bench.own.log
        let before = try bench.genesisAlone()
        bench.meet()
        #expect(askedAgain().isEmpty)
        bench.handle(.applied(report(bench.store.watermark, withheldFrom: [log: 2]), from: nil))
        #expect(askedAgain() == [LogAgain(log: log, after: 1)])
        // A report from before they were stored does not know of them.
        bench.handle(.applied(report(before, withheldFrom: [:]), from: nil))
        #expect(askedAgain() == [LogAgain(log: log, after: 1)])
        bench.handle(.applied(report(bench.store.watermark, withheldFrom: [:]), from: nil))
        #expect(askedAgain().isEmpty)
    }

    // MARK: Lost content

    /// The next commit of a log, of which the content was kept back.
    private func hollow(_ log: LogID, under grant: FactReference) throws -> UnverifiedCommit {
        let ledger = try #require(bench.store.ledger)
        let draft = TestDraft(operations: [RecordOperation(1, [title("lost")])])
        let commit = TestCommit.next(in: log, of: ledger, under: grant, clock: 50, draft).commit
            .withheld(isBeforeEpochs: true)
        #expect(commit.isWithheld)
        return commit
    }

    private mutating func taken(_ commit: UnverifiedCommit, on number: UInt64) -> Int? {
        let actions = bench.receive(.commits(bench.space, [commit], live: false), on: number)
        for case .verify(_, _, let commits, _) in actions { return commits.count }
        return nil
    }

    @Test("A commit without content is taken from a reader, and one's own from whoever carries it")
    mutating func lostContent() throws {
        // given
        let vault = bench.stranger
        let grant = MembershipFact.grant(vault.grant(from: bench.root, .vault))
        bench.handle(.applied(bench.write(TestDraft(facts: [grant])).report, from: nil))
        bench.meet()
        bench.open(2, with: vault)
        bench.receive(.spaces([], answer: true), on: 2)
        // when
        let friends = try hollow(bench.friend.log, under: bench.friendGrant)
        let lost = try hollow(bench.own.restored(7), under: bench.root)
        // then
        #expect(taken(friends, on: 2) == 0)
        #expect(taken(lost, on: 2) == 1)
        #expect(taken(friends, on: 1) == 1)
    }

    @Test("A reader passes on what lost its content; one that carried the space waits for others")
    mutating func passedOn() throws {
        for hasCarried in [false, true] {
            // given
            bench = Bench()
            if hasCarried {
                let grant = MembershipFact.grant(bench.own.grant(from: bench.root, .vault))
                bench.handle(.applied(bench.write(TestDraft(facts: [grant])).report, from: nil))
            }
            let lost = bench.own.restored(7)
            let known = bench.store.watermark
            let commit = try hollow(lost, under: bench.root)
            var here = known
            here.advance(lost, to: LogHead(sequence: 1, commit: commit.id))
            bench.handle(.applied(report(here, withheldFrom: [lost: 1]), from: nil))
            bench.open(1, with: bench.friend)
            // when
            let asked = bench.receive(.watermark(bench.space, known, answer: false))
            #expect(asked.loads.count == 1)
            let sent = bench.handle(
                .loaded(
                    SessionID(1), bench.space,
                    LoadedCommits(commits: [commit], cursor: 1, isLast: true)))
            // then
            #expect(sent.commits().count == (hasCarried ? 0 : 1))
        }
    }

    @Test("A peer that lacks the same parts is asked for them once")
    mutating func askedOnce() throws {
        // given
        let log = bench.own.log
        _ = try bench.genesisAlone()
        bench.meet()
        bench.handle(.applied(report(bench.store.watermark, withheldFrom: [log: 2]), from: nil))
        #expect(askedAgain() == [LogAgain(log: log, after: 1)])
        // when
        let summary = SpaceSummary(space: bench.space, digest: bench.store.watermark.digest())
        bench.receive(.watermark(bench.space, bench.store.watermark, answer: true))
        let later = bench.receive(.spaces([summary], answer: false)).askedAgain()
        // then
        #expect(later.isEmpty)
    }
}
