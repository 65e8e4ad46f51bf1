import Foundation
import SyncCore
import TestKit
import Testing

/// Every short history of three members, and not some of them: who acts, whether they had heard of
/// everything before, and whether they write, take the next member's rights, or give them again.
@Suite("All short histories of a space") struct ShortMembershipsTests {
    private static let isSoak = ProcessInfo.processInfo.environment["PEERSYNC_TEXTS"] != nil
    private static let members = (1...3).map { TestDevice($0, person: $0) }
    private static let kinds = 4
    /// Of one act: its author, whether they had heard of everything, and what it is.
    private static let acts = 3 * 2 * kinds

    @Test(
        "two acts, and of three one in five, come to the same in every order of arrival",
        arguments: 0..<4)
    func few(part: Int) {
        compare(acts: 2, in: part, spacing: 1)
        compare(acts: 3, in: part, spacing: 5)
    }

    @Test(
        "so do three acts, all of them, and of four and five one in 61 and 3,701",
        .enabled(if: isSoak),
        arguments: 0..<4)
    func more(part: Int) {
        compare(acts: 3, in: part, spacing: 1)
        compare(acts: 4, in: part, spacing: 61)
        compare(acts: 5, in: part, spacing: 3_701)
    }

    private func compare(acts count: Int, in part: Int, spacing: Int) {
        let all = (0..<count).reduce(1) { total, _ in total * Self.acts }
        var (orders, revoked) = (0, 0)
        for number in stride(from: part, to: all, by: 4 * spacing) {
            // given
            let (start, commits) = history(number, acts: count)
            let possible = self.orders(of: commits)
            if possible.count < 2 { continue }
            // when
            let first = outcome(of: start, possible[0])
            // then
            for order in possible.dropFirst() {
                orders += 1
                if outcome(of: start, order) != first {
                    Issue.record(
                        "history \(number) of \(count) depends on the order: \(order.map(\.id))")
                }
            }
            if first.restrictionCount > 0 { revoked += 1 }
        }
        #expect(orders > all / (16 * spacing) && revoked > 10)
    }

    /// The store with the founder's commits with which every history begins, and the commits of its acts.
    private func history(
        _ number: Int, acts count: Int
    ) -> (start: MemoryStore, commits: [VerifiedCommit]) {
        let genesis = TestCommit.genesis(Self.members[0])
        var founder = MemoryStore()
        _ = founder.apply([genesis])
        var grants = [FactReference(commit: genesis.id, index: 0)]
        for index in 1...2 {
            let grant = Self.members[index].grant(from: grants[0], .all, sibling: UInt32(index))
            let draft = TestDraft(facts: [.grant(grant)])
            if let commit = founder.append(in: Self.members[0].log, clock: 2, draft) {
                grants.append(FactReference(commit: commit.id, index: 0))
            }
        }
        var stores = [founder, founder, founder]
        var commits: [VerifiedCommit] = []
        var rest = number
        for step in 0..<count {
            let act = rest % Self.acts
            rest /= Self.acts
            let author = act % 3
            if act / 3 % 2 == 1 { _ = stores[author].apply(commits) }
            let draft = draft(
                act / 6, step, by: author, in: stores[author], grants, founder.watermark)
            if let commit = stores[author].append(
                in: Self.members[author].log, clock: UInt64(10 + step * 3 % 5), draft)
            {
                commits.append(commit)
            }
        }
        return (founder, commits)
    }

    private func draft(
        _ kind: Int, _ step: Int, by author: Int, in store: MemoryStore,
        _ grants: [FactReference], _ start: Watermark
    ) -> TestDraft {
        let next = (author + 1) % 3
        func revocation(_ cut: Watermark) -> TestDraft {
            TestDraft(facts: [
                .revocation(
                    Revocation(
                        grant: grants[next], remaining: [], cut: cut, scope: .device, cascade: .all)
                )
            ])
        }
        switch kind {
        case 0: return note(1, "text \(step)")
        case 1: return revocation(store.watermark)
        case 2:
            // Also what they wrote since does not count.
            return revocation(start)
        default:
            let own = store.ledger?.membership.writingGrant(of: Self.members[author].id)
            let grant = Self.members[next].grant(
                from: own ?? grants[author], .all, sibling: UInt32(3 + step))
            return TestDraft(facts: [.grant(grant)])
        }
    }

    private func outcome(
        of start: MemoryStore, _ commits: [VerifiedCommit]
    ) -> SpaceOutcome {
        var store = start
        _ = store.apply(commits)
        return SpaceOutcome(store)
    }

    /// Every order in which a device may receive them.
    private func orders(of commits: [VerifiedCommit]) -> [[VerifiedCommit]] {
        func extended(_ order: [VerifiedCommit], _ rest: [VerifiedCommit]) -> [[VerifiedCommit]] {
            let waiting = Set(rest.map(\.id))
            let next = rest.filter { commit in
                !waiting.contains(commit.header.previous)
                    && commit.header.seen.allSatisfy { position in
                        rest.allSatisfy {
                            $0.header.log != position.log
                                || $0.header.sequence > position.head.sequence
                        }
                    }
            }
            if next.isEmpty { return [order] }
            return next.flatMap { commit in
                extended(order + [commit], rest.filter { $0.id != commit.id })
            }
        }
        return extended([], commits)
    }
}
