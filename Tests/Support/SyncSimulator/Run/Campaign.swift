import Dispatch
internal import Synchronization

/// Many seeds, some of them run twice, on all processors.
package struct Campaign: Sendable {
    package struct Failure: Sendable {
        package let seed: UInt64
        package let outcome: Simulation.Outcome
    }

    package struct Report: Sendable {
        package var runs = 0
        package var replicas = 0
        package var steps = 0
        package var operations = 0
        package var faults = 0
        package var commits = 0
        package var messages = 0
        package var hostile = 0
        package var forks = 0
        package var recovered = 0
        /// A digest over all runs, in any order of their ends: equal as long as devices behave the
        /// same.
        package var digest: UInt64 = 0
        /// The number of schedules with each deed.
        package var deeds: [Deed: Int] = [:]
        package var longestHealing: UInt64 = 0
        package var seconds = 0.0
        /// One line for people: the deeds that not every schedule has.
        package var variety: String {
            let parts = Deed.allCases.map { "\(deeds[$0] ?? 0) \($0.rawValue)" }
            return "schedules with: " + parts.joined(separator: ", ")
        }

        /// In the order of their seeds.
        package var failures: [Failure] = []

        /// One line for people.
        package var summary: String {
            let count = Double(max(1, runs))
            func average(_ sum: Int) -> String {
                let tenths = Int(Double(sum) / count * 10)
                return "\(tenths / 10).\(tenths % 10)"
            }
            return "\(runs) schedules in \(Int(seconds)) s "
                + "(\(Int(count / max(seconds, 0.001))) a second); on average "
                + "\(average(replicas)) replicas, \(average(steps)) steps, "
                + "\(average(operations)) writes, \(average(faults)) faults, "
                + "\(average(commits)) commits, \(average(messages)) messages; "
                + "\(hostile) with a hostile member; \(forks) forked logs, "
                + "\(recovered) commits recovered; longest healing "
                + "\(longestHealing / 1000) s; digest \(String(digest, radix: 16)); "
                + "\(failures.count) failed"
        }
    }

    private let seeds: Range<UInt64>
    private let canary: Canary?
    /// Of this number of seeds one is run twice.
    private let comparing: UInt64
    /// After this number of failures the rest is skipped.
    private let failureLimit: Int

    private let seconds: Double?

    /// `seconds` is the time during which new schedules start. Of `comparing` seeds one is run twice.
    package init(
        seeds: Range<UInt64>, canary: Canary? = nil, comparing: UInt64 = 1, failureLimit: Int = 8,
        seconds: Double? = nil
    ) {
        self.seeds = seeds
        self.comparing = comparing
        self.seconds = seconds
        self.canary = canary
        self.failureLimit = failureLimit
    }

    package func run(threads: Int) throws -> Report {
        let start = ContinuousClock.now
        let end = seconds.map { start + .seconds($0) }
        let next = Atomic<UInt64>(seeds.lowerBound)
        let report = Mutex(Report())
        let simulations = try (0..<threads).map { _ in try Simulation.maker() }
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            while true {
                let seed = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard seed < seeds.upperBound, end.map({ .now < $0 }) ?? true,
                    report.withLock({ $0.failures.count < failureLimit })
                else { return }
                var schedule = Schedule(seed: seed)
                schedule.canary = canary
                let simulation = simulations[thread]()
                let isCompared = seed % comparing == 0
                let outcome =
                    isCompared ? simulation.runTwice(schedule) : simulation.run(schedule)
                report.withLock { $0.add(outcome, schedule) }
            }
        }
        var result = report.withLock { $0 }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        result.seconds = Double(seconds) + Double(attoseconds) / 1e18
        result.failures.sort { $0.seed < $1.seed }
        return result
    }
}

extension Campaign.Report {
    fileprivate mutating func add(_ outcome: Simulation.Outcome, _ schedule: Schedule) {
        runs += 1
        digest &+= outcome.digest &* (2 &* schedule.seed &+ 1)
        replicas += outcome.replicas
        steps += schedule.steps.count
        operations += outcome.operations
        faults += outcome.faults
        commits += outcome.commits
        messages += outcome.messages
        hostile += schedule.roles.contains { $0 != .honest } ? 1 : 0
        forks += outcome.forks
        recovered += outcome.recovered
        for deed in outcome.deeds { deeds[deed, default: 0] += 1 }
        longestHealing = max(longestHealing, outcome.healingMilliseconds)
        if outcome.check != nil {
            failures.append(Campaign.Failure(seed: schedule.seed, outcome: outcome))
        }
    }
}
