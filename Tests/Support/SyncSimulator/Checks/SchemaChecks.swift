import Store
import SyncCore
internal import TestKit

/// Checks of the effective commits of a space and its schema.
extension World {
    func checkSpaces() {
        random = SeededGenerator(seed: schedule.seed ^ 0x6C61_7773)
        for space in spaces {
            guard let history = histories[space] else { continue }
            for group in groups(of: space) {
                guard let store = group.first?.store else { continue }
                do {
                    // All replicas of a group count the same commits.
                    let effective = try effectiveCommits(of: space, store)
                    let log = EffectiveLog(
                        history, effective, under: store.spaces.schema(of: space))
                    checkPins(in: space, log, group)
                    try checkMerging(in: space, log, group)
                    try checkLaws(in: space, log, history)
                    try checkOrder(in: space, log, group)
                    try checkPresence(in: space, log, group)
                    let isRetold =
                        schedule.seed.isMultiple(of: 4) || schedule.canary == .firstToArrive
                    if history.forks.isEmpty, isRetold {
                        try checkRetelling(of: space, log, history, group[0])
                    }
                } catch {
                    fail("simulator", "a store does not answer: \(error)")
                }
            }
        }
    }
}
