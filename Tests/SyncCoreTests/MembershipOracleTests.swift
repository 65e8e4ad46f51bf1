import SyncCore
import TestKit
import Testing

/// Membership looks only at what concerns a grant; it gives what the plain reading of the rules gives.
@Suite struct MembershipOracleTests {
    @Test(
        "It gives what every grant against every fact gives, after each commit, in any order",
        arguments: TestSeeds.some(60))
    func sameAsPlain(seed: UInt64) {
        var history = RandomHistory(seed: seed, rounds: 60)
        for order in [history.commits, history.shuffled().commits] {
            var membership = Membership()
            for count in order.indices {
                if count == order.count / 2 {
                    // Half of it is known when somebody proves that a log forked.
                    let header = order[count].header
                    _ = membership.fork(header.log, at: max(header.sequence / 2, 1))
                }
                let before = Judged(membership, order)
                let isChanged = membership.add(order[count])
                let now = Judged(membership, order)
                #expect(isChanged || before == now, "seed \(seed), commit \(count)")
                guard !order[count].facts.isEmpty else { continue }
                let plain = PlainMembership(order[...count], forks: membership.forks)
                #expect(now == Judged(plain, order), "seed \(seed), commit \(count)")
            }
            var atOnce = Membership()
            for commit in order.reversed() { atOnce.collect(commit) }
            for (log, sequence) in membership.forks { _ = atOnce.fork(log, at: sequence) }
            atOnce.evaluate()
            #expect(Judged(atOnce, order) == Judged(membership, order), "seed \(seed)")
        }
    }
}

/// What a membership says of every grant at every position of some commits.
private struct Judged: Equatable {
    private struct Line: Equatable {
        let place: [UInt32]
        let allowed: [Permissions]
    }

    private var lines: [FactReference: Line] = [:]

    init(_ membership: Membership, _ commits: [VerifiedCommit]) {
        for (id, standing) in membership.standings {
            lines[id] = Line(
                place: [standing.order.rank, standing.order.siblingIndex],
                allowed: commits.map {
                    membership.permissions(under: id, at: $0.header.log, $0.header.sequence)
                } + [standing.current])
        }
    }

    init(_ membership: PlainMembership, _ commits: [VerifiedCommit]) {
        for (id, standing) in membership.standings {
            lines[id] = Line(
                place: [standing.order.rank, standing.order.siblingIndex],
                allowed: commits.map {
                    membership.permissions(under: id, at: $0.header.log, $0.header.sequence)
                } + [standing.current])
        }
    }
}
