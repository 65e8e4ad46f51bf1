import Node
import Records
import Store
import SyncCore
internal import TestKit

/// References and deletions.
extension Workshops {
    /// Deletes or restores a record, or makes one refer to another.
    func relate(_ replica: Replica) {
        guard let workshop = workshop(of: replica), let tools = workshop.tools else { return }
        do {
            var operation = RecordOperation(
                collection: tools.name,
                record: world.recordID("tool", world.random.below(3), in: workshop.space),
                writes: [])
            if world.random.chance(45) {
                if world.random.chance(40) {
                    operation.collection = "shelf"
                    operation.record = world.recordID(
                        "shelf", world.random.below(3), in: workshop.space)
                }
                let key = RecordKey(collection: operation.collection, record: operation.record)
                let state = try workshop.store.records.record(key, of: workshop.space)
                operation.writes = [.deletion(state?.isDeleted != true)]
                world.report.counts.deeds.insert(.deletion)
            } else {
                operation.writes = [reference(from: tools, in: workshop)].compactMap(\.self)
                world.report.counts.deeds.insert(.referenceEdit)
            }
            guard !operation.writes.isEmpty else { return }
            world.people.append(CommitDraft(operations: [operation]), to: workshop.space, replica)
        } catch {
            world.machines.couldNotWrite("reads nothing", error, replica)
        }
    }

    private func reference(from collection: CollectionSchema, in workshop: Workshop) -> Write? {
        let all = collection.fields.compactMap { field -> Write? in
            switch field.type {
            case .reference(let target, _):
                Write(field: field.name, value: .reference(self.target(in: target, workshop)))
            case .set(.reference(let target, _)):
                Write(
                    field: field.name, element: .reference(self.target(in: target, workshop)),
                    value: .boolean(true))
            default: nil
            }
        }
        return world.random.pick(all)
    }
}
