import Foundation
import SyncCore
import TestKit
import Testing

/// Every history of three writers and four commits, and not some of them: which of the others' commits a
/// writer had received before, and one of two values for each strategy, for sets and for deletions.
@Suite("All short histories of a record") struct ShortHistoriesTests {
    /// `Tests/soak texts` takes all, other runs one in sixteen.
    private static let spacing =
        ProcessInfo.processInfo.environment["PEERSYNC_TEXTS"] == nil ? 16 : 1
    private static let writers = (1...3).map { TestDevice($0, person: $0) }
    /// Of one commit: its writer, whether each of two others was heard of before, and the value.
    private static let acts = 3 * 2 * 2 * 2

    @Test(
        "the record is the same whatever order the commits of a history come in", arguments: 0..<4)
    func orders(part: Int) throws {
        // The first commit has heard of nobody; the first writer stands for all three.
        let count = 2 * Self.acts * Self.acts * Self.acts
        var (found, conflicts) = (0, 0)
        for number in stride(from: part, to: count, by: 4 * Self.spacing) {
            // given
            let commits = try history(number)
            // when
            let orders = orders(of: commits)
            let first = try replica(commits, in: orders[0])
            // then
            for order in orders.dropFirst() {
                let other = try replica(commits, in: order)
                if other.state != first.state || other.shownBytes != first.shownBytes {
                    Issue.record("history \(number) depends on the order \(order)")
                }
            }
            found += orders.count
            if first.state.isConflicted(under: MergingReplica.collection) { conflicts += 1 }
        }
        #expect(found > count / (4 * Self.spacing) && conflicts > 100)
    }

    private func history(_ number: Int) throws -> [LawCommit] {
        var rest = number / 2
        var received = [MergingReplica(), MergingReplica(), MergingReplica()]
        var commits = [commit(0, by: 0, value: number % 2, on: received[0])]
        try received[0].apply(commits[0])
        for step in 1...3 {
            let act = rest % Self.acts
            rest /= Self.acts
            let writer = act % 3
            for (bit, other) in [(3, (writer + 1) % 3), (6, (writer + 2) % 3)]
            where act / bit % 2 == 1 {
                received[writer] = try received[writer].merged(with: received[other])
            }
            commits.append(
                commit(step, by: writer, value: act / 12, on: received[writer]))
            try received[writer].apply(commits[step])
        }
        return commits
    }

    /// One write for each strategy, over what the writer is shown; every second one names it.
    private func commit(
        _ step: Int, by writer: Int, value: Int, on replica: MergingReplica
    ) -> LawCommit {
        let (log, known) = (Self.writers[writer].log, replica.known)
        let shown = MergingReplica.schema.shown(replica.state, in: "memory")
        let words = (shown?.value("text")?.text ?? "a b c").split(separator: " ")
        let text = value == 0 ? ["w\(step)"] + words : words.dropLast() + ["w\(step)"]
        let radius = Double(step * (value + 1) % 3)
        let place = PositionValue(latitude: 48, longitude: 16, radiusMetres: radius)
        let name = String(repeating: "n", count: step % 2 + value + 1)
        var writes = [
            Write(field: "last", value: .text("v\(value)")),
            Write(field: "longest", value: .text(name)),
            Write(field: "text", value: .text(text.joined(separator: " "))),
            Write(field: "place", value: .position(place)),
            Write(field: "choice", value: .integer(Int64(value))),
            Write(field: "tags", element: .text("t"), value: .boolean(value == 0)),
            .deletion(step % 2 == value),
        ]
        for index in writes.indices.prefix(5) where (index + step) % 2 == 0 {
            writes[index].replaces = shown?.writes(writes[index].field) ?? []
        }
        // Clocks that lie.
        let clock = HybridTime(raw: UInt64((step * 7 + value * 3) % 5))
        let sequence = (known[log] ?? 0) + 1
        let header = CommitHeader(
            space: .zero, log: log, sequence: sequence, previous: .zero, clock: clock, seen: [],
            grant: .none, schema: TestCommit.schema.schema, schemaVersion: 1, clearHash: .zero,
            operationsHash: .zero)
        let id = CommitID(number: UInt64(step * 100 + writer * 10 + value))
        return LawCommit(
            applied: AppliedCommit(id: id, header: header, clock: clock, seen: known), seen: known,
            clock: clock, operation: RecordOperation(1, writes))
    }

    /// Every order in which a device may receive them.
    private func orders(of commits: [LawCommit]) -> [[Int]] {
        func extended(_ order: [Int]) -> [[Int]] {
            let known = order.reduce(into: [LogID: UInt64]()) {
                $0[commits[$1].log] = commits[$1].applied.sequence
            }
            let next = commits.indices.filter { index in
                !order.contains(index)
                    && (known[commits[index].log] ?? 0) + 1 == commits[index].applied.sequence
                    && commits[index].seen.allSatisfy { known[$0] ?? 0 >= $1 }
            }
            return next.isEmpty ? [order] : next.flatMap { extended(order + [$0]) }
        }
        return extended([])
    }

    private func replica(_ commits: [LawCommit], in order: [Int]) throws -> MergingReplica {
        var replica = MergingReplica()
        for index in order { try replica.apply(commits[index]) }
        return replica
    }
}
