import Node
import Records
import Store
import SyncCore

/// Lists that people arranged: no inserted record is missing, and a record inserted between two
/// others stays between them until somebody moves one of the three.
struct OrderCheck {
    let world: World

    func run(in space: SpaceID, _ log: EffectiveLog, _ group: [Replica]) throws {
        guard let tools = log.schema?.collections.first(where: { $0.root == "tool" }),
            let field = tools.orderField
        else { return }
        // Undone, a first position leaves none.
        let (placed, emptied) = log.positions(in: tools, by: field)
        for replica in group {
            guard let store = replica.store else { continue }
            let list = try world.workshops.list(of: tools, by: field, in: space, store)
            let shown = Set(list.map(\.record))
            for record in placed.subtracting(emptied) where !shown.contains(record) {
                let key = RecordKey(collection: tools.name, record: record)
                if try store.records.record(key, of: space)?.isDeleted != true {
                    world.report.fail(
                        "order", "\(replica.index) lists no \(record) in \(short(space))")
                }
            }
            guard replica.index == group[0].index else { continue }
            let keys = Dictionary(list.map { ($0.record, $0.key) }) { first, _ in first }
            for placement in world.workshops.placements where placement.space == space {
                guard keys[placement.record] == placement.key else { continue }
                check(placement, keys)
            }
        }
    }

    private func check(_ placement: Workshops.Placement, _ keys: [RecordID: PositionKey]) {
        if let above = placement.above, keys[above.record] == above.key,
            above.key >= placement.key, placement.hasRoom
        {
            world.report.fail("order", "\(placement.record) does not stand below \(above.record)")
        }
        if let below = placement.below, keys[below.record] == below.key,
            below.key <= placement.key, placement.hasRoom
        {
            world.report.fail("order", "\(placement.record) does not stand above \(below.record)")
        }
    }
}

extension Workshops.Placement {
    /// Whether there was anything between the two.
    fileprivate var hasRoom: Bool {
        guard let above, let below else { return true }
        return above.key < below.key
    }
}

extension EffectiveLog {
    /// The records that got a position, and those of which one was taken away.
    fileprivate func positions(
        in collection: CollectionSchema, by field: FieldSchema
    ) -> (placed: Set<RecordID>, emptied: Set<RecordID>) {
        var (placed, emptied): (Set<RecordID>, Set<RecordID>) = ([], [])
        for operation in entries.flatMap(\.operations) where operation.collection == collection.name
        {
            for write in operation.writes where write.field == field.name {
                if write.value == .null {
                    emptied.insert(operation.record)
                } else {
                    placed.insert(operation.record)
                }
            }
        }
        return (placed, emptied)
    }
}
