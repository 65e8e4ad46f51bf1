import Store
import SyncCore

/// The shown records equal the result of merging the history alone in writing order, in every order
/// of arrival, and after every way of reading the store.
struct MergeCheck {
    let world: World

    func run(
        in space: SpaceID, _ log: EffectiveLog, _ group: [Replica]
    ) throws {
        let expected = try log.states(of: log.entries.indices)
        let conflicts = expected.filter {
            $0.value.isConflicted(under: log.schema?.collection($0.key.collection))
        }.map(\.key).sorted()
        for replica in group {
            guard let store = replica.store else { continue }
            for (key, state) in expected where try store.records.record(key, of: space) != state {
                world.report.fail(
                    "merging",
                    "\(replica.index) makes something else of \(key.collection) "
                        + "\(key.record) in \(short(space))")
            }
            if try store.records.conflicts(of: space) != conflicts {
                world.report.fail(
                    "merging", "\(replica.index) asks about other records of \(short(space))")
            }
        }
    }
}
