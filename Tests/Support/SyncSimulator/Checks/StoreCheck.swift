import Store
import SyncCore

/// Each store by itself: the file is sound, and the shown records match the log.
extension World {
    func checkStores() {
        for replica in replicas where replica.isHonest {
            guard let store = replica.store else { continue }
            do {
                for problem in try store.integrityCheck() {
                    fail("store", "\(replica.index): \(problem)")
                }
                for space in spaces where store.ledger(of: space) != nil {
                    // A space whose schema cannot be read here shows nothing.
                    let schema = store.spaces.schema(of: space) ?? journal
                    let digest = try store.records.digest(of: space, under: schema)
                    try store.records.rebuild(space)
                    if try store.records.digest(of: space, under: schema) != digest {
                        fail(
                            "store",
                            "\(replica.index) shows of \(short(space)) what its log does not make")
                    }
                }
            } catch {
                fail("store", "\(replica.index) does not answer: \(error)")
            }
        }
    }
}
