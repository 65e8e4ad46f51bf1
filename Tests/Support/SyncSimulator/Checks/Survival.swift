import Store
import SyncCore

/// No value disappears without a later write that superseded it: compares a store's registers with
/// those derived from the history alone.
struct Survival {
    let world: World

    private struct Place: Hashable {
        let key: RecordKey
        let field: String
        let element: Value?
    }

    private struct Candidate {
        let id: WriteID
        let number: Int
        let write: Write
    }

    func run() {
        for space in world.observer.spaces {
            guard let history = world.observer.histories[space] else { continue }
            for replica in world.convergence.groups(of: space).flatMap({ $0 }) {
                guard let store = replica.store else { continue }
                do {
                    try checkSurvival(in: space, history, store, replica)
                } catch {
                    world.report.fail("survival", "\(replica.index) does not answer: \(error)")
                }
            }
        }
    }

    private func checkSurvival(
        in space: SpaceID, _ history: SpaceHistory, _ store: SyncStore, _ replica: Replica
    ) throws {
        let effective = try world.convergence.effectiveCommits(of: space, store)
        let schema = store.spaces.schema(of: space)
        var candidates: [Place: [Candidate]] = [:]
        for (number, entry) in history.entries.enumerated()
        where effective.contains(entry.commit.id) && history.numbers[entry.commit.id] == number {
            var index: UInt32 = 0
            for operation in entry.commit.operations {
                let operation = schema?.current(operation) ?? operation
                let key = RecordKey(operation)
                for write in operation.writes {
                    let place = Place(key: key, field: write.field, element: write.element)
                    let id = WriteID(commit: entry.commit.id, index: index)
                    candidates[place, default: []].append(
                        Candidate(id: id, number: number, write: write))
                    index += 1
                }
            }
        }
        for (place, written) in candidates {
            let expected = written.filter { one in
                !written.contains { supersedes($0, one, history) }
            }.map(\.id).sorted()
            let state = try store.records.record(place.key, of: space)
            let register =
                place.element.map { state?.sets[place.field]?[$0] } ?? state?.fields[place.field]
            let found = register?.writes.map(\.id) ?? []
            if found != expected {
                world.report.fail(
                    "survival",
                    "\(replica.index) keeps \(names(found, history)) of \(place.key.collection) "
                        + "\(place.field), not \(names(expected, history))")
                return
            }
        }
    }

    private func supersedes(
        _ later: Candidate, _ earlier: Candidate, _ history: SpaceHistory
    ) -> Bool {
        guard later.id != earlier.id, later.write.precedence >= earlier.write.precedence,
            later.write.replaces?.contains(earlier.id) ?? true
        else { return false }
        if later.number == earlier.number { return later.id.index > earlier.id.index }
        return history.precedes(earlier.number, later.number)
    }

    private func names(_ writes: [WriteID], _ history: SpaceHistory) -> String {
        writes.map { write in
            let number = history.numbers[write.commit]
            return number.map { history.entries[$0].commit.summary } ?? short(write.commit)
        }.joined(separator: ", ")
    }
}
