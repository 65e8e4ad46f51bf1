import Journal
import Node
import Records
import SyncCore

/// The run of one schedule, and its result.
package struct Simulation: Sendable {
    package struct Outcome: Sendable {
        /// Over every event, action and draw: equal in every run of the schedule.
        package let digest: UInt64
        package let violations: [String]
        /// The first violation's checker; nil if there is none.
        package let check: String?
        /// The events, if they are to be read.
        package let lines: [String]
        package let replicas: Int
        package let operations: Int
        package let faults: Int
        package let commits: Int
        package let messages: Int
        package let events: Int
        package let healingMilliseconds: UInt64
        /// The number of forked logs, and of commits recovered because of that.
        package let forks: Int
        package let recovered: Int
        package let deeds: Set<Deed>
    }

    private let schemas: SchemaCache
    private let signatures = KnownSignatures()

    package init() throws {
        self.init(schemas: try SchemaCache())
    }

    private init(schemas: SchemaCache) {
        self.schemas = schemas
    }

    /// Makes simulations that share nothing but the schemas: remembered signatures are forgotten
    /// with each one.
    static func maker() throws -> @Sendable () -> Simulation {
        let schemas = try SchemaCache()
        return { Simulation(schemas: schemas) }
    }

    /// Runs one schedule; `isRead` keeps the events in words.
    package func run(_ schedule: Schedule, isRead: Bool = false) -> Outcome {
        run(schedule, isRead: isRead, isChecked: true)
    }

    private func run(_ schedule: Schedule, isRead: Bool, isChecked: Bool) -> Outcome {
        let world = World(schedule, schemas: schemas, signatures: signatures, isRead: isRead)
        for replica in world.replicas { world.machines.start(replica) }
        for step in schedule.steps where !world.report.isHopeless { world.carryOut(step) }
        if !world.report.isHopeless { HealingInPart(world)?.run() }
        if !world.report.isHopeless { world.healing.heal() }
        if world.report.violations.isEmpty { world.machines.upgrade() }
        if world.report.violations.isEmpty { world.recovery.recoverForked() }
        if world.report.violations.isEmpty { world.dataSets.applyLast() }
        if world.report.violations.isEmpty { world.convergence.checkConvergence() }
        let digest = world.report.trace.digest
        if isChecked, world.report.violations.isEmpty { world.healing.checkEnd() }
        world.healing.tearDown()
        return Outcome(
            digest: digest,
            violations: world.report.violations.map { "\($0.check): \($0.text)" },
            check: world.report.violations.first?.check, lines: world.report.trace.lines ?? [],
            replicas: world.replicas.count, operations: world.report.counts.operations,
            faults: world.report.counts.faults, commits: world.report.counts.commits,
            messages: world.report.counts.messages, events: world.report.counts.events,
            healingMilliseconds: world.report.counts.healingMilliseconds,
            forks: world.observer.histories.values.reduce(0) { $0 + $1.forks.count },
            recovered: world.recovery.recovered.count, deeds: world.report.counts.deeds)
    }

    /// Runs a schedule twice: the second run must equal the first.
    package func runTwice(_ schedule: Schedule) -> Outcome {
        let first = run(schedule)
        // The final records are part of both traces; checking them once is enough.
        let second = run(schedule, isRead: false, isChecked: false)
        guard first.digest != second.digest else { return first }
        return first.with("determinism: two runs of one seed went different ways")
    }
}

extension Simulation.Outcome {
    fileprivate func with(_ violation: String) -> Simulation.Outcome {
        Simulation.Outcome(
            digest: digest, violations: violations + [violation], check: check ?? "determinism",
            lines: lines, replicas: replicas, operations: operations, faults: faults,
            commits: commits, messages: messages, events: events,
            healingMilliseconds: healingMilliseconds, forks: forks, recovered: recovered,
            deeds: deeds)
    }
}
