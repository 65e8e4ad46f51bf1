import Store
import SyncCore
internal import TestKit

/// Checks of the effective commits of a space and its schema.
struct SchemaChecks {
    let world: World

    func run() {
        world.random = SeededGenerator(seed: world.schedule.seed ^ 0x6C61_7773)
        for space in world.observer.spaces {
            guard let history = world.observer.histories[space] else { continue }
            for group in world.convergence.groups(of: space) {
                guard let store = group.first?.store else { continue }
                do {
                    // All replicas of a group count the same commits.
                    let effective = try world.convergence.effectiveCommits(of: space, store)
                    let log = EffectiveLog(
                        history, effective, under: store.spaces.schema(of: space))
                    PinCheck(world: world).run(in: space, log, group)
                    try MergeCheck(world: world).run(in: space, log, group)
                    try ShownCheck(world: world).run(in: space, log, group)
                    try LawCheck(world: world).run(in: space, log, history)
                    try OrderCheck(world: world).run(in: space, log, group)
                    try PresenceCheck(world: world).run(in: space, log, group)
                    let isRetold =
                        world.schedule.seed.isMultiple(of: 4)
                        || world.schedule.canary == .firstToArrive
                    if history.forks.isEmpty, isRetold {
                        try RetellingCheck(world: world).run(of: space, log, history, group[0])
                    }
                } catch {
                    world.report.fail("simulator", "a store does not answer: \(error)")
                }
            }
        }
    }
}
