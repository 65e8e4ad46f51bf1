import Dispatch
import SyncCore
internal import Synchronization

/// Evaluates membership histories in several orders, and with the reference.
package struct MembershipTrial: Sendable {
    /// The rule under test.
    package enum Rule: Sendable {
        /// The product's rule.
        case membership
        /// Facts are judged by earlier arrivals only: the rule that a canary plants.
        case arrival
        /// Another wrong rule.
        case naive(String)
    }

    /// Simpler rules that are wrong.
    package static let naiveRules: [String] = ReferenceMembership.Naive.allCases.map { "\($0)" }

    package struct Report: Sendable {
        package var histories = 0
        package var commits = 0
        /// Effective grants over all histories, and how many of them were partly revoked.
        package var standing = 0
        package var restricted = 0
        package var epochs = 0
        package var seconds = 0.0
        /// For each seed, the difference and the reduced history.
        package var failures: [UInt64: String] = [:]

        package var summary: String {
            "\(histories) membership histories in \(Int(seconds)) s; \(commits) commits, "
                + "\(standing) grants that count, \(restricted) of them restricted, "
                + "\(epochs) epochs; "
                + "\(failures.count) failed"
        }
    }

    private let rule: Rule

    package init(rule: Rule = .membership) {
        self.rule = rule
    }

    /// Evaluates the histories of some seeds; stops after a few failures.
    package func run(_ seeds: Range<UInt64>, threads: Int) -> Report {
        let start = ContinuousClock.now
        let next = Atomic<UInt64>(seeds.lowerBound)
        let report = Mutex(Report())
        let batch: UInt64 = 64
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while true {
                let first = next.wrappingAdd(batch, ordering: .relaxed).oldValue
                guard first < seeds.upperBound, report.withLock({ $0.failures.count < 4 }) else {
                    return
                }
                var part = Report()
                for seed in first..<min(first + batch, seeds.upperBound) { look(seed, &part) }
                report.withLock { $0.add(part) }
            }
        }
        var result = report.withLock { $0 }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        result.seconds = Double(seconds) + Double(attoseconds) / 1e18
        return result
    }

    private func look(_ seed: UInt64, _ report: inout Report) {
        var history = MembershipHistory(seed: seed)
        report.histories += 1
        report.commits += history.commits.count
        guard difference(in: &history, &report) != nil else { return }
        // The same history without its last operations is a history as well.
        for operations in 1...20 {
            var shorter = MembershipHistory(seed: seed, operations: operations)
            var ignored = Report()
            if let what = difference(in: &shorter, &ignored) {
                report.failures[seed] = "\(what)\n\(shorter.story)"
                return
            }
        }
    }

    /// The difference between two orders, or between one of them and the reference.
    private func difference(
        in history: inout MembershipHistory, _ report: inout Report
    ) -> String? {
        for view in history.views() {
            let orders = [history.order(of: view), history.order(of: view)]
            let reference = ReferenceMembership(orders[0], forks: history.forks)
            let wanted = MembershipVerdict(reference, orders[0])
            for (place, order) in orders.enumerated() {
                let found: MembershipVerdict
                switch rule {
                case .arrival:
                    found = MembershipVerdict(ArrivalMembership(order, history.forks), orders[0])
                case .naive(let name):
                    let naive = ReferenceMembership(
                        order, forks: history.forks,
                        naive: ReferenceMembership.Naive.allCases.first { "\($0)" == name })
                    found = MembershipVerdict(naive, orders[0])
                case .membership:
                    // Once commit by commit, and once as a store is opened.
                    let comesSingly = place == 0
                    guard
                        let membership = membership(
                            order, history.forks, at: history.place(below: order.count),
                            comesSingly: comesSingly)
                    else { return "a change of rights was not told" }
                    found = MembershipVerdict(membership, orders[0])
                }
                if let what = wanted.difference(to: found) { return what }
            }
            report.standing += wanted.standing
            report.restricted += wanted.restricted
            report.epochs += wanted.epochCount
        }
        return nil
    }

    /// Nil if the effect of grants changed without a report. Forks become known at some point.
    private func membership(
        _ order: [VerifiedCommit], _ forks: [LogID: UInt64], at point: Int, comesSingly: Bool
    ) -> Membership? {
        var membership = Membership()
        for (place, commit) in order.enumerated() {
            if place == point {
                let here = comesSingly ? order.prefix(place) : order[...]
                for (log, sequence) in forks {
                    let branches = here.filter {
                        $0.header.log == log && $0.header.sequence >= sequence
                    }
                    membership.collectFork(
                        of: log, at: sequence, branches: branches.map { BranchLink($0.commit) })
                }
                if comesSingly { membership.evaluate() }
            }
            guard comesSingly else {
                membership.collect(commit, seen: seen(by: commit))
                continue
            }
            let before = (membership.standings, membership.epochs)
            let fork = forks[commit.header.log] ?? .max
            let isTold = membership.add(
                commit, seen: seen(by: commit),
                isBranch: place >= point && commit.header.sequence >= fork)
            if before != (membership.standings, membership.epochs), !isTold { return nil }
        }
        if !comesSingly { membership.evaluate() }
        return membership
    }

    /// A commit of these histories lists everything that it had seen, not only new positions.
    private func seen(by commit: VerifiedCommit) -> [LogID: UInt64] {
        Dictionary(uniqueKeysWithValues: commit.header.seen.map { ($0.log, $0.head.sequence) })
    }
}

extension MembershipTrial.Report {
    fileprivate mutating func add(_ part: MembershipTrial.Report) {
        histories += part.histories
        commits += part.commits
        standing += part.standing
        restricted += part.restricted
        epochs += part.epochs
        failures.merge(part.failures) { first, _ in first }
    }
}
