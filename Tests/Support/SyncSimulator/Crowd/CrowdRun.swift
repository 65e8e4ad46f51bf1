import SyncCore
internal import TestKit

/// A day of a crowd in some minutes: edits while devices come and go, a network that splits in two,
/// and the cost of it all.
package struct CrowdRun {
    package struct Figures {
        /// Milliseconds until an edit was on all devices that were up, in order.
        package var arrivals: [UInt64] = []
        /// The same for edits while devices came and went.
        package var unrestArrivals: [UInt64] = []
        /// Bytes and messages that a device sent on average in the ten seconds after an edit.
        package var bytes: [Int] = []
        package var messages: [Int] = []
        /// How often a device received a commit, at most and on average.
        package var mostCopies = 0
        package var copies = 0.0
        /// Sessions of a running device, at most and on average, while nothing changes.
        package var mostSessions = 0
        package var sessions = 0.0
        /// Milliseconds until all were the same after the network was whole again.
        package var healing: UInt64 = 0
        /// The share of others' acks that each device knows at the end.
        package var knownAcks = 0.0
        package var violations: [String] = []
    }

    private let crowd: Crowd
    private var random: SeededGenerator
    private var figures = Figures()
    private let size: Int

    package init(size: Int, seed: UInt64) {
        self.size = size
        crowd = Crowd(size: size, seed: seed)
        random = SeededGenerator(seed: seed ^ 0x63_726F_7764)
    }

    package mutating func run(edits: Int) -> Figures {
        // One in ten is asleep.
        for index in 0..<size where !index.isMultiple(of: 10) { crowd.start(index) }
        crowd.pass(60_000)
        for _ in 0..<edits { calmEdit() }
        countSessions()
        for _ in 0..<edits { unrestEdit() }
        parting()
        countAcks()
        figures.violations = crowd.violations
        return figures
    }

    private func up() -> [Int] { crowd.devices.filter(\.isUp).map(\.index) }

    private func hasArrived(_ commit: CommitID, among some: [Int]) -> Bool {
        some.allSatisfy { crowd.devices[$0].copies[commit] != nil }
    }

    private mutating func calmEdit() {
        let up = up()
        let before = up.reduce((0, 0)) {
            ($0.0 + crowd.devices[$1].sent.bytes, $0.1 + crowd.devices[$1].sent.messages)
        }
        let start = crowd.now
        let commit = crowd.write(random.pick(up) ?? 0)
        let taken = crowd.pass(until: { hasArrived(commit, among: up) }, within: 30_000)
        if let taken { figures.arrivals.append(taken) } else { lost(commit, up) }
        crowd.pass(10_000 - min(10_000, crowd.now - start))
        let after = up.reduce((0, 0)) {
            ($0.0 + crowd.devices[$1].sent.bytes, $0.1 + crowd.devices[$1].sent.messages)
        }
        figures.bytes.append((after.0 - before.0) / up.count)
        figures.messages.append((after.1 - before.1) / up.count)
        count([commit], up)
    }

    private mutating func lost(_ commit: CommitID, _ up: [Int]) {
        let without = up.filter { crowd.devices[$0].copies[commit] == nil }
        crowd.violations.append("an edit does not reach \(without.prefix(5)) in time")
    }

    private mutating func count(_ commits: [CommitID], _ up: [Int]) {
        var all = 0
        for index in up {
            for commit in commits {
                let copies = crowd.devices[index].copies[commit] ?? 0
                all += copies
                figures.mostCopies = max(figures.mostCopies, copies)
            }
        }
        let mean = Double(all) / Double(max(1, up.count * commits.count))
        figures.copies = max(figures.copies, mean)
    }

    /// One in a hundred leaves, and as many arrive, while an edit spreads.
    private mutating func unrestEdit() {
        let (awake, asleep) = (up(), crowd.devices.filter { !$0.isUp }.map(\.index))
        let leaving = (0..<max(1, size / 100)).compactMap { _ in random.pick(awake) }
        for index in Set(leaving).sorted() { crowd.stop(index) }
        for _ in leaving { crowd.start(random.pick(asleep) ?? 0) }
        let there = awake.filter { !leaving.contains($0) }
        let commit = crowd.write(random.pick(there) ?? 0)
        let taken = crowd.pass(until: { hasArrived(commit, among: there) }, within: 60_000)
        if let taken { figures.unrestArrivals.append(taken) } else { lost(commit, there) }
        crowd.pass(3_000)
    }

    /// The network splits in two; both halves continue writing, and it becomes whole again with all
    /// devices.
    private mutating func parting() {
        crowd.part { $0 % 2 }
        crowd.pass(20_000)
        for _ in 0..<3 {
            crowd.write(random.pick(up()) ?? 0)
            crowd.pass(2_000)
        }
        crowd.part { _ in 0 }
        for index in 0..<size { crowd.start(index) }
        let crowd = crowd
        let healed = crowd.pass(
            until: {
                let first = crowd.devices.first?.ledger.watermark
                return crowd.devices.allSatisfy { $0.ledger.watermark == first }
            }, within: 120_000)
        figures.healing = healed ?? .max
        crowd.checkEnd()
    }

    private mutating func countSessions() {
        let counts = crowd.devices.filter(\.isUp).map(\.sessions.count)
        figures.mostSessions = counts.max() ?? 0
        figures.sessions = Double(counts.reduce(0, +)) / Double(max(1, counts.count))
    }

    private mutating func countAcks() {
        let known = crowd.devices.reduce(0) { $0 + $1.acks.heard.count }
        figures.knownAcks = Double(known) / Double(size * max(1, size - 1))
    }
}
