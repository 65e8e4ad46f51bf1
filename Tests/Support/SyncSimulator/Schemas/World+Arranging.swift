import Node
import Records
import Store
import SyncCore
internal import TestKit

/// Order, references and deletions.
extension World {
    /// A record inserted between two others, with the keys they all had then.
    struct Placement: Sendable {
        let space: SpaceID
        let collection: String
        let record: RecordID
        let key: PositionKey
        let above: (record: RecordID, key: PositionKey)?
        let below: (record: RecordID, key: PositionKey)?
    }

    /// Adds a record to a list or moves one in it.
    func arrange(_ replica: Replica) {
        guard let workshop = workshop(of: replica), let tools = workshop.tools,
            let field = tools.orderField
        else { return }
        do {
            let record = recordID("tool", random.below(12), in: workshop.space)
            let others = try list(of: tools, by: field, in: workshop.space, workshop.store)
                .filter { $0.record != record }
            let place = random.index(below: others.count + 1)
            let above = place > 0 ? others[place - 1] : nil
            let below = place < others.count ? others[place] : nil
            let key = PositionKey.between(
                above?.key, below?.key, mark: [random.next(), random.next()])
            placements.append(
                Placement(
                    space: workshop.space, collection: "tool", record: record, key: key,
                    above: above, below: below))
            counts.deeds.insert(.orderEdit)
            append(
                CommitDraft(
                    operations: [
                        RecordOperation(
                            collection: tools.name, record: record,
                            writes: [Write(field: field.name, value: .text(key.text))])
                    ]), to: workshop.space, replica)
        } catch {
            couldNotWrite("reads nothing", error, replica)
        }
    }

    /// The records of a collection that have a position, in order.
    func list(
        of collection: CollectionSchema, by field: FieldSchema, in space: SpaceID,
        _ store: SyncStore
    ) throws -> [(record: RecordID, key: PositionKey)] {
        let schema = store.spaces.schema(of: space)
        return try store.records.list(of: space, in: collection.name).compactMap { stored in
            schema?.shown(stored.state, in: collection.name)?.value(field.name)?.text
                .flatMap { PositionKey($0) }.map { (stored.record, $0) }
        }.sorted { one, other in
            one.1 == other.1 ? one.0 < other.0 : one.1 < other.1
        }
    }

    /// Deletes or restores a record, or makes one refer to another.
    func relate(_ replica: Replica) {
        guard let workshop = workshop(of: replica), let tools = workshop.tools else { return }
        do {
            var operation = RecordOperation(
                collection: tools.name,
                record: recordID("tool", random.below(3), in: workshop.space),
                writes: [])
            if random.chance(45) {
                if random.chance(40) {
                    operation.collection = "shelf"
                    operation.record = recordID("shelf", random.below(3), in: workshop.space)
                }
                let key = RecordKey(collection: operation.collection, record: operation.record)
                let state = try workshop.store.records.record(key, of: workshop.space)
                operation.writes = [.deletion(state?.isDeleted != true)]
                counts.deeds.insert(.deletion)
            } else {
                operation.writes = [reference(from: tools, in: workshop)].compactMap(\.self)
                counts.deeds.insert(.referenceEdit)
            }
            guard !operation.writes.isEmpty else { return }
            append(CommitDraft(operations: [operation]), to: workshop.space, replica)
        } catch {
            couldNotWrite("reads nothing", error, replica)
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
        return random.pick(all)
    }
}
