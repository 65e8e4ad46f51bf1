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
        for replica in world.replicas { world.start(replica) }
        for step in schedule.steps where !world.isHopeless { world.carryOut(step) }
        if !world.isHopeless { HealingInPart(world)?.run() }
        if !world.isHopeless { world.heal() }
        if world.violations.isEmpty { world.upgrade() }
        if world.violations.isEmpty { world.recoverForked() }
        if world.violations.isEmpty { DataSetTrial(world: world).applyLast() }
        if world.violations.isEmpty { world.checkConvergence() }
        let digest = world.trace.digest
        if isChecked, world.violations.isEmpty { world.checkEnd() }
        world.tearDown()
        return Outcome(
            digest: digest,
            violations: world.violations.map { "\($0.check): \($0.text)" },
            check: world.violations.first?.check, lines: world.trace.lines ?? [],
            replicas: world.replicas.count, operations: world.counts.operations,
            faults: world.counts.faults, commits: world.counts.commits,
            messages: world.counts.messages, events: world.counts.events,
            healingMilliseconds: world.counts.healingMilliseconds,
            forks: world.histories.values.reduce(0) { $0 + $1.forks.count },
            recovered: world.recovered.count, deeds: world.counts.deeds)
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
