internal import LocalAPI
internal import Store
package import SyncCore

/// Turns records of one collection into views of the local API.
struct RecordViews {
    private let service: RecordService
    private let place: RecordService.Place
    private let reader: RecordReader
    private let short: ShortIDs
    private let states: RecordSyncStates
    private let retired: RetiredRows
    private let local: [RecordID: [String: Value]]

    /// Of `entries`; with `isPart` only what belongs to them is read. `retired` are read unless they are given.
    init(
        _ service: RecordService, _ place: RecordService.Place, _ reader: RecordReader,
        _ entries: [ShownEntry], isPart: Bool = false, retired: RetiredRows? = nil
    ) throws {
        (self.service, self.place, self.reader) = (service, place, reader)
        self.retired = try retired ?? RetiredRows(reader)
        short = try ShortIDs(of: entries.map { place.key($0.id) }, on: service.replica)
        states = try RecordSyncStates(
            reader, isBulk: !isPart && entries.count > Limits.recordsReadSingly)
        try states.prepare(entries, in: place.collection.name)
        for derived in isPart ? place.collection.derived : [] {
            guard let through = place.schema.collection(derived.collection)?.field(derived.through)
            else { continue }
            try reader.prepare(
                linksTo: entries.map(\.id), in: derived.collection, through: through)
        }
        local = try RecordViews.local(in: place.collection, of: place.space.id, service.replica)
    }

    /// Values of a collection that only this device has, by record and field; includes those under former
    /// names.
    static func local(
        in collection: CollectionSchema, of space: SpaceID, _ replica: any Replica
    ) throws -> [RecordID: [String: Value]] {
        let fields = collection.fields.filter(\.isLocal)
        guard !fields.isEmpty else { return [:] }
        let names = [collection.name] + collection.formerNames
        let kept = try names.reduce(into: [RecordID: [String: Value]]()) { found, name in
            let kept = try replica.store.records.localValues(of: space, in: name)
            found.merge(kept) { now, former in now.merging(former) { value, _ in value } }
        }
        return kept.mapValues { values in
            let found = fields.map { field in
                (
                    field.name,
                    ([field.name] + field.formerNames).lazy.compactMap { values[$0] }.first
                )
            }
            return Dictionary(found) { first, _ in first }.compactMapValues(\.self)
        }
    }

    func view(_ entry: ShownEntry) throws -> RecordView {
        let id = entry.id.description
        let last = reader.lastChange(of: entry.state)
        let conflicts = try reader.conflicts(of: entry, in: place.collection, of: place.space)
        return RecordView(
            .init(
                id: id, shortID: short[id], space: place.space.reference,
                collection: place.collection.name,
                name: reader.title(entry.record, in: place.collection.name),
                fields: try fields(of: entry), derived: try derived(of: entry.id),
                unknown: try unknown(of: entry)),
            .init(
                try standing(of: entry), conflicts: conflicts.map(\.field).sorted(),
                overruled: try overruled(in: entry), seen: VersionToken.token(of: entry.state),
                author: last.author, changed: last.at,
                status: try states.status(of: entry, in: place.collection)))
    }

    private func fields(of entry: ShownEntry) throws -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        for field in place.collection.fields {
            if field.isLocal {
                if let value = local[entry.id]?[field.name] {
                    fields[field.name] = try self.value(value, field.type)
                }
            } else if case .set(let type) = field.type {
                let elements = entry.record.elements(field.name)
                if !elements.isEmpty {
                    fields[field.name] = .set(try elements.map { try self.value($0, type) })
                }
            } else if let value = entry.record.value(field.name) {
                fields[field.name] = try self.value(value, field.type)
            }
        }
        return fields
    }

    private func derived(of record: RecordID) throws -> [String: FieldValue] {
        var values: [String: FieldValue] = [:]
        // Several derived values may use the same records.
        var known: [String: [(id: RecordID, record: ShownRecord)]] = [:]
        for derived in place.collection.derived {
            guard let through = place.schema.collection(derived.collection)?.field(derived.through)
            else { continue }
            let way = "\(derived.collection).\(through.name)"
            let referring =
                try known[way]
                ?? reader.referring(to: record, in: derived.collection, through: through)
                .map { ($0.id, $0.record) }
            known[way] = referring
            let value = derived.value(over: referring)
            guard value != .null else { continue }
            let source = derived.field.flatMap {
                place.schema.collection(derived.collection)?.field($0)
            }
            values[derived.name] = try self.value(value, source?.type ?? .integer)
        }
        return values
    }

    private func unknown(of entry: ShownEntry) throws -> [String: FieldValue] {
        var values: [String: FieldValue] = [:]
        for (name, register) in entry.state.fields
        where name != Write.existence && place.collection.field(name) == nil {
            if let value = register.latest?.value, value != .null {
                values[name] = try plain(value)
            }
        }
        for name in entry.state.sets.keys
        where name != Write.existence && place.collection.field(name) == nil {
            values[name] = .set(try entry.state.elements(of: name).map { try plain($0) })
        }
        for field in place.collection.fields where !field.isLocal {
            let left = try entry.state.leftBehind(in: field).map { try plain($0) }
            if !left.isEmpty { values[field.name] = left.count == 1 ? left[0] : .set(left) }
        }
        return values
    }

    /// Values that an authority overruled, in the order of the schema.
    private func overruled(in entry: ShownEntry) throws -> [RecordView.Overruled] {
        var found: [RecordView.Overruled] = []
        for field in place.collection.fields {
            switch field.type {
            case .order: continue
            case .set(let type):
                let elements = (entry.state.sets[field.name] ?? [:]).sorted {
                    $0.key.canonicalBytes.lexicographicallyPrecedes($1.key.canonicalBytes)
                }
                for (element, register) in elements {
                    guard let outranked = register.outranked else { continue }
                    found.append(try overruled(element, type, field.name, outranked))
                }
            default:
                guard let outranked = entry.state.fields[field.name]?.outranked else { continue }
                found.append(
                    try overruled(outranked.write.value, field.type, field.name, outranked))
            }
        }
        return found
    }

    private func overruled(
        _ value: Value, _ type: FieldType, _ field: String,
        _ outranked: (write: SurvivingWrite, by: SurvivingWrite)
    ) throws -> RecordView.Overruled {
        RecordView.Overruled(
            field: field, value: try self.value(value, type),
            author: reader.author(of: outranked.write), by: reader.author(of: outranked.by))
    }

    private func value(_ value: Value, _ type: FieldType) throws -> FieldValue {
        if case .reference(let record) = value, case .reference(let collection, _) = type {
            return .reference(try reference(record, in: collection))
        }
        return try plain(value)
    }

    private func reference(_ record: RecordID, in collection: String) throws -> RecordReference {
        let key = RecordKey(collection: collection, record: record)
        let id = record.description
        let presence = try reader.presence(key)
        let title = try reader.entry(key).map { reader.title($0.record, in: collection) }
        return RecordReference(
            id: id, shortID: String(id.prefix(8)), name: presence.isShown ? title : nil,
            state: presence == .pending ? .pending : presence.isShown ? .shown : .deleted)
    }

    private func plain(_ value: Value) throws -> FieldValue {
        switch value {
        case .null: .null
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        case .decimal(let digits): .decimal(digits)
        case .boolean(let flag): .boolean(flag)
        case .time(let time): Moment(time).map { .time($0) } ?? .null
        case .position(let position): Position(position).map { .position($0) } ?? .null
        case .json(let text): .json(text)
        case .blob(let blob): .blob(try reference(blob))
        case .reference(let record): .reference(RecordReference(id: record.description))
        case .unknown(let bytes): .unknown(hexadecimal(bytes))
        }
    }

    private func reference(_ blob: BlobID) throws -> BlobReference {
        let file = try states.file(blob)
        return BlobReference(
            id: blob.description, bytes: Int64(clamping: file.size), here: file.isHere)
    }

    private func standing(of entry: ShownEntry) throws -> RecordView.Standing {
        switch try reader.presence(place.key(entry.id)) {
        case .held: .held
        case .hidden: .hidden
        case .deleted: .deleted
        case .shown, .pending:
            retired.contains(entry, of: place.collection) ? .retired : .shown
        }
    }
}

extension Limits {
    /// Up to this number of records, files are looked up one by one; beyond it, all files of the space are
    /// read at once.
    package static let recordsReadSingly = 100
}
