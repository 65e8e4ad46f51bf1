import SyncCore
import Testing

/// What an engine asks for once its device reads a space that it carried before.
@Suite struct EngineVaultTests {
    private var bench = Bench()

    private func report(_ after: Watermark, withheldFrom first: [LogID: UInt64]) -> ApplyReport {
        var report = bench.report(after: after)
        report.sealing = LogSealing(withheldFrom: first)
        return report
    }

    /// What is asked for again of a peer that holds the same.
    private mutating func askedAgain() -> [LogAgain] {
        let summary = SpaceSummary(space: bench.space, digest: bench.store.watermark.digest)
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
}
