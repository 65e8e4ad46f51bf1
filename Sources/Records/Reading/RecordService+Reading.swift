package import LocalAPI
internal import Store
package import SyncCore

/// Reads records.
extension RecordService {
    package func list(_ filter: RecordFilter) throws -> RecordList {
        let place = try place(filter.space, filter.collection)
        let parts = try RecordParts(filter, of: place.collection)
        let reader = reader(place, isBulk: filter.text == nil && parts == nil)
        let fields = try RecordValues(self, place, reader).wanted(filter.fields)
        func isWanted(_ entry: ShownEntry) throws -> Bool {
            let presence = try reader.presence(place.key(entry.id))
            guard filter.deleted ? presence == .deleted : presence.isShown else { return false }
            return fields.allSatisfy { field, value in
                if case .set = field.type {
                    return entry.record.elements(field.name).contains(value)
                }
                return (entry.record.value(field.name) ?? .null) == value
            }
        }
        let meter = ProgressMeter(.reading)
        var (entries, next): ([ShownEntry], String?) = ([], nil)
        if let parts {
            (entries, next) = try parts.entries(in: reader, where: isWanted)
        } else {
            let name = place.collection.name
            let all =
                try filter.text.map { try reader.found($0)[name] ?? [] }
                ?? reader.unfinished(in: name) + reader.all(in: name)
            entries = try all.filter(isWanted)
        }
        let views = try RecordViews(self, place, reader, entries, isPart: parts != nil)
        let sorted = RecordService.sorted(entries, in: place.collection, reader)
        return RecordList(
            collection: SchemaView.Collection(place.collection),
            records: try sorted.map { entry in
                try Task.checkCancellation()
                meter.add()
                return try views.view(entry)
            }, next: next)
    }

    package func record(_ record: String, _ scope: RecordScope) throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        var view = try RecordViews(self, place, reader, []).view(entry)
        view.content.schema = SchemaView.Collection(place.collection)
        view.state.origin = try origin(of: place.key(entry.id), in: place.space.id)
        return view
    }

    /// Writes a file of a record to a path of this computer.
    package func export(_ record: String, _ export: RecordExport) async throws -> ExportedFile {
        let place = try place(export.space, export.collection)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        guard let blob = entry.record.value(export.field)?.blob else {
            throw APIError(
                code: .notFound,
                sentence: "There is no file in \(Sentence.name(ShownText.line(export.field))).",
                hint: "See what there is: peersync record get SPACE COLLECTION RECORD")
        }
        let name = reader.title(entry.record, in: place.collection.name)
        return try await replica.export(
            blob, called: name, of: place.space.id, suggestedName: name, to: export.path)
    }

    /// By the order that people gave, or else by title or name, then by time; record ids decide between
    /// equal ones.
    package static func sorted(
        _ entries: [ShownEntry], in collection: CollectionSchema, _ reader: RecordReader
    ) -> [ShownEntry] {
        let order = collection.orderField?.name
        let time = collection.timeField?.name
        let isNamed = collection.isListedByName
        return entries.map { entry in
            let name = isNamed ? reader.title(entry.record, in: collection.name) : ""
            let folded = Array(Lookup.fold(name).utf8)
            let title = isNamed ? collection.titleField : nil
            let text = title.flatMap { entry.record.value($0.name)?.text }
            return ListPlace(
                position: order.flatMap { entry.record.value($0)?.text }
                    .flatMap { PositionKey($0) },
                indexed: text.flatMap { NameKey.key(of: $0) } ?? [], name: folded,
                time: time.flatMap { entry.record.value($0)?.time?.milliseconds } ?? .max,
                entry: entry)
        }.sorted { $0.isBefore($1) }.map(\.entry)
    }

    /// The position of a record in a list.
    private struct ListPlace {
        let position: PositionKey?
        /// The beginning of its name, as the store's index orders names; empty without one.
        let indexed: [UInt8]
        let name: [UInt8]
        let time: Int64
        let entry: ShownEntry

        func isBefore(_ other: ListPlace) -> Bool {
            switch (position, other.position) {
            case (let left?, let right?) where left != right: return left < right
            case (.some, nil): return true
            case (nil, .some): return false
            default: break
            }
            if indexed != other.indexed {
                return indexed.lexicographicallyPrecedes(other.indexed)
            }
            if name != other.name { return name.lexicographicallyPrecedes(other.name) }
            if time != other.time { return time < other.time }
            return entry.id < other.entry.id
        }
    }
}
