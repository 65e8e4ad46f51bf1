import Store
import SyncCore

/// Each store by itself: the file is sound, the shown records match the log, and search knows their words.
struct StoreCheck {
    let world: World

    func run() {
        for replica in world.replicas where replica.isHonest {
            guard let store = replica.store else { continue }
            do {
                for problem in try store.integrityCheck() {
                    world.report.fail("store", "\(replica.index): \(problem)")
                }
                try checkSearch(in: store, replica)
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

    /// Without room for the index, search says so.
    private func checkSearch(in store: SyncStore, _ replica: Replica) throws {
        try store.records.indexAsRoomAllows()
        guard try !store.records.lacksWords(of: world.observer.spaces) else { return }
        let verdict = try store.examination.compareShown()
        if verdict.isIndexBroken {
            world.report.fail("store", "\(replica.index) finds other records than it shows")
        }
        for fault in verdict.faults {
            world.report.fail("store", "\(replica.index) has in \(short(fault.space)) \(fault)")
        }
    }
}
