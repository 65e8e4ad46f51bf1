import Store
import SyncCore

/// References are complete: a record that an effective commit refers to, and that its author had
/// before it, is here.
struct ReferenceCheck {
    let world: World

    func run() {
        for space in world.observer.spaces {
            guard let history = world.observer.histories[space] else { continue }
            for replica in world.convergence.groups(of: space).flatMap({ $0 }) {
                do {
                    try checkReferences(of: replica, in: space, history)
                } catch {
                    world.report.fail("references", "\(replica.index) does not answer: \(error)")
                }
            }
        }
    }

    private func checkReferences(
        of replica: Replica, in space: SpaceID, _ history: SpaceHistory
    ) throws {
        guard let store = replica.store else { return }
        let effective = try world.convergence.effectiveCommits(of: space, store)
        let schema = store.spaces.schema(of: space)
        // With all former names of a collection: an edition may not know a name given by another
        // one.
        var keys: [RecordID: Set<RecordKey>] = [:]
        var makers: [RecordID: [Int]] = [:]
        for (number, entry) in history.entries.enumerated()
        where effective.contains(entry.commit.id) {
            for operation in entry.commit.operations {
                makers[operation.record, default: []].append(number)
                keys[operation.record, default: []].insert(
                    RecordKey(schema?.current(operation) ?? operation))
            }
        }
        let named = Set(try store.files.named(of: space).map(\.blob))
        for (number, entry) in history.entries.enumerated()
        where effective.contains(entry.commit.id) {
            for operation in entry.commit.operations {
                for write in operation.writes {
                    if let blob = write.value.blob, !named.contains(blob) {
                        world.report.fail(
                            "references", "\(replica.index) does not know a file is named")
                    }
                    guard let target = write.element?.reference ?? write.value.reference,
                        makers[target]?.contains(where: { history.precedes($0, number) }) == true
                    else { continue }
                    let isHere = try keys[target]?.contains { key in
                        try store.records.record(key, of: space) != nil
                    }
                    if isHere != true {
                        world.report.fail(
                            "references",
                            "\(replica.index) misses what \(entry.commit.summary) refers to")
                    }
                }
            }
        }
    }
}
