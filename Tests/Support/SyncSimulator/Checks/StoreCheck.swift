import Store
import SyncCore

/// Each store by itself: the file is sound, and the shown records match the log.
struct StoreCheck {
    let world: World

    func run() {
        for replica in world.replicas where replica.isHonest {
            guard let store = replica.store else { continue }
            do {
                for problem in try store.integrityCheck() {
                    world.report.fail("store", "\(replica.index): \(problem)")
                }
                for space in world.observer.spaces where store.ledger(of: space) != nil {
                    // A space whose schema cannot be read here shows nothing.
                    let schema = store.spaces.schema(of: space) ?? world.journal
                    let digest = try store.records.digest(of: space, under: schema)
                    try store.records.rebuild(space)
                    if try store.records.digest(of: space, under: schema) != digest {
                        world.report.fail(
                            "store",
                            "\(replica.index) shows of \(short(space)) what its log does not make")
                    }
                }
            } catch {
                world.report.fail("store", "\(replica.index) does not answer: \(error)")
            }
        }
    }
}
