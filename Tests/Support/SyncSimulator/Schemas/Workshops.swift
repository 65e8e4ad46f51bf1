import Node
import Records
import Store
import SyncCore
internal import TestKit

/// Records of a workshop: every strategy, set elements, and saves of forms opened long ago.
final class Workshops {
    unowned let world: World
    /// Records inserted between others.
    private(set) var placements: [Placement] = []

    init(world: World) { self.world = world }

    /// A workshop that a device has and can read, as its person sees it.
    struct Workshop {
        let space: SpaceID
        let store: SyncStore
        let schema: Schema
        /// Its highest precedence.
        let precedence: UInt32

        /// The collection of tools, under any name.
        var tools: CollectionSchema? {
            schema.collections.first { $0.root == "tool" }
        }
    }

    /// A record inserted between two others, with the keys they all had then.
    struct Placement: Sendable {
        let space: SpaceID
        let collection: String
        let record: RecordID
        let key: PositionKey
        let above: (record: RecordID, key: PositionKey)?
        let below: (record: RecordID, key: PositionKey)?
    }

    func establish(_ replica: Replica) {
        let pin = WorkshopSchemas.editions[1]?.first?.pin
        world.people.found(.shared, following: pin, by: replica) { space in
            RecordOperation(
                collection: "shelf", record: world.recordID("shelf", 0, in: space),
                writes: [Write(field: "name", value: .text("Shelf \(world.observer.spaces.count)"))]
            )
        }
    }

    /// One of a device's workshops; nil if it has none that its program can read: there it writes
    /// nothing.
    func workshop(of replica: Replica, with flags: Permissions = .read) -> Workshop? {
        guard let store = replica.store else { return nil }
        let journal = world.schemas.builtInSchema.id
        let all = world.observer.activeSpaces(of: replica, with: flags).filter {
            store.ledger(of: $0).map { $0.schema.schema != journal } ?? false
        }
        guard let space = world.random.pick(all), let ledger = store.ledger(of: space) else {
            return nil
        }
        guard let schema = store.spaces.schema(of: space) else {
            world.report.counts.deeds.insert(.readOnly)
            return nil
        }
        let grant = ledger.membership.writingGrant(of: replica.device)
        return Workshop(
            space: space, store: store, schema: schema,
            precedence: grant.flatMap { ledger.membership.standings[$0]?.precedence } ?? 0)
    }

    func edit(_ replica: Replica) {
        guard let workshop = workshop(of: replica) else { return }
        do {
            for _ in 0...world.random.index(below: 2) where replica.isUp {
                var operations = [try edit(in: workshop, replica)]
                if world.random.chance(15) { operations.append(try edit(in: workshop, replica)) }
                world.people.append(
                    CommitDraft(operations: operations), to: workshop.space, replica)
            }
        } catch {
            world.machines.couldNotWrite("reads nothing", error, replica)
        }
    }

    /// A new form, or one opened before: others may have written meanwhile.
    private func edit(in workshop: Workshop, _ replica: Replica) throws -> RecordOperation {
        let open = replica.forms.firstIndex { $0.space == workshop.space }
        if let open, world.random.chance(40) {
            let form = replica.forms.remove(at: open)
            if let collection = workshop.schema.collection(form.key.collection) {
                return try save(collection, form.key.record, in: workshop) { now in
                    if now != form.seen { world.report.counts.deeds.insert(.staleSave) }
                    return form.seen
                }
            }
        }
        let own = workshop.schema.collections.filter { collection in
            !Schema.everywhere.contains { $0.name == collection.name }
        }
        let collection =
            (world.random.chance(75) ? workshop.tools : world.random.pick(own))
            ?? Schema.everywhere[0]
        let record = world.recordID(collection.root, world.random.below(3), in: workshop.space)
        return try save(collection, record, in: workshop) { now in
            if world.random.chance(50), replica.forms.count < 4 {
                let key = RecordKey(collection: collection.name, record: record)
                replica.forms.append(Replica.Form(space: workshop.space, key: key, seen: now))
            }
            return world.random.chance(50) ? now : nil
        }
    }

    /// Some fields of a record; `seen` derives the author's view from the present state.
    private func save(
        _ collection: CollectionSchema, _ record: RecordID, in workshop: Workshop,
        _ seen: ([String: [WriteID]]) -> [String: [WriteID]]?
    ) throws -> RecordOperation {
        let key = RecordKey(collection: collection.name, record: record)
        let state = try workshop.store.records.record(key, of: workshop.space)
        let seen = seen((state?.fields ?? [:]).mapValues { $0.writes.map(\.id) })
        var writes: [Write] = []
        for _ in 0...world.random.index(below: 3) {
            // The first ones more often, so that people's edits collide.
            let count = collection.fields.count
            let place = min(world.random.index(below: count), world.random.index(below: count))
            guard let field = collection.fields.dropFirst(place).first else { continue }
            guard
                let write = write(to: field, of: key, state, seen, in: workshop),
                !writes.contains(where: { $0.field == write.field })
            else { continue }
            writes.append(write)
        }
        if writes.isEmpty { writes.append(.deletion(false)) }
        return RecordOperation(collection: collection.name, record: record, writes: writes)
    }

    private func write(
        to field: FieldSchema, of key: RecordKey, _ state: RecordState?,
        _ seen: [String: [WriteID]]?, in workshop: Workshop
    ) -> Write? {
        var write: Write
        switch field.type {
        case .order: return nil
        case .reference(let collection, _):
            write = Write(
                field: field.name, value: .reference(target(in: collection, workshop)))
            world.report.counts.deeds.insert(.referenceEdit)
        case .set(.reference(let collection, _)):
            world.report.counts.deeds.insert(.referenceEdit)
            return Write(
                field: field.name, element: .reference(target(in: collection, workshop)),
                value: .boolean(world.random.chance(70)))
        case .set:
            world.report.counts.deeds.insert(.setEdit)
            return Write(
                field: field.name, element: .text("mark \(world.random.below(5))"),
                value: .boolean(world.random.chance(65)))
        default:
            let shown = state.flatMap { workshop.schema.shown($0, in: key.collection) }
            let value =
                world.random.chance(5) ? .null : value(of: field, shown?.value(field.name)?.text)
            write = Write(field: field.name, value: value)
        }
        write.replaces = seen.map { $0[field.name] ?? [] }
        write.precedence = precedence(in: workshop)
        return write
    }

    /// Usually a person's precedence; sometimes that of a data set, or of an authority if allowed.
    func precedence(in workshop: Workshop) -> UInt32 {
        let mayOutrank = workshop.precedence >= Precedence.authority.rawValue
        switch world.random.below(12) {
        case 0: return Precedence.dataSet.rawValue
        case 1,
            2 where mayOutrank:
            world.report.counts.deeds.insert(.authorityWrite)
            return Precedence.authority.rawValue
        default: return Precedence.user.rawValue
        }
    }

    func target(in collection: String, _ workshop: Workshop) -> RecordID {
        let root = workshop.schema.collection(collection)?.root ?? collection
        return world.recordID(root, world.random.below(3), in: workshop.space)
    }

    private func value(of field: FieldSchema, _ shown: String?) -> Value {
        let number = world.random.next() & 0xFFFF
        switch field.type {
        case .integer: return .integer(Int64(number) - 0x8000)
        case .decimal: return .decimal("\(number % 100).\(number % 7)0")
        case .boolean: return .boolean(number & 1 == 0)
        case .time: return .time(TimeValue(milliseconds: Int64(number), offsetMinutes: 60))
        case .json: return .json("{ \"n\":\(number) }")
        case .position:
            let radius = Double(number % 4)
            return .position(
                PositionValue(
                    latitude: 48, longitude: Double(number % 90),
                    radiusMetres: radius == 0 ? nil : radius))
        default:
            return .text(
                field.strategy == .mergeText
                    ? world.journaling.anotherText(
                        shown ?? "Sharpen it. Oil it, and hang it up.", number)
                    : String(repeating: "e\u{301} ", count: Int(number % 3)) + "\(number)")
        }
    }

    // MARK: Order

    /// Adds a record to a list or moves one in it.
    func arrange(_ replica: Replica) {
        guard let workshop = workshop(of: replica), let tools = workshop.tools,
            let field = tools.orderField
        else { return }
        do {
            let record = world.recordID("tool", world.random.below(12), in: workshop.space)
            let others = try list(of: tools, by: field, in: workshop.space, workshop.store)
                .filter { $0.record != record }
            let place = world.random.index(below: others.count + 1)
            let above = place > 0 ? others[place - 1] : nil
            let below = place < others.count ? others[place] : nil
            let key = PositionKey.between(
                above?.key, below?.key, mark: [world.random.next(), world.random.next()])
            placements.append(
                Placement(
                    space: workshop.space, collection: "tool", record: record, key: key,
                    above: above, below: below))
            world.report.counts.deeds.insert(.orderEdit)
            world.people.append(
                CommitDraft(
                    operations: [
                        RecordOperation(
                            collection: tools.name, record: record,
                            writes: [Write(field: field.name, value: .text(key.text))])
                    ]), to: workshop.space, replica)
        } catch {
            world.machines.couldNotWrite("reads nothing", error, replica)
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
}

extension CollectionSchema {
    /// Its first name.
    var root: String { formerNames.first ?? name }
}
