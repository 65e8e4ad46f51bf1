package import LocalAPI
package import SyncCore

/// Reads records.
extension RecordService {
    package func list(_ filter: RecordFilter) throws -> RecordList {
        let place = try place(filter.space, filter.collection)
        let reader = reader(place, isBulk: filter.text == nil)
        let wanted = try RecordValues(self, place, reader).wanted(filter.fields)
        let name = place.collection.name
        var entries =
            if let text = filter.text {
                try reader.found(text)[name] ?? []
            } else {
                try reader.unfinished(in: name) + reader.all(in: name)
            }
        entries = try entries.filter { entry in
            let presence = try reader.presence(place.key(entry.id))
            return filter.deleted ? presence == .deleted : presence.isShown
        }
        entries = entries.filter { entry in
            wanted.allSatisfy { field, value in
                if case .set = field.type {
                    return entry.record.elements(field.name).contains(value)
                }
                return (entry.record.value(field.name) ?? .null) == value
            }
        }
        let views = try RecordViews(self, place, reader, entries)
        let sorted = RecordService.sorted(entries, in: place.collection, reader)
        return RecordList(
            collection: SchemaView.Collection(place.collection),
            records: try sorted.map { try views.view($0) })
    }

    package func record(_ record: String, _ scope: RecordScope) throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        var view = try RecordViews(self, place, reader, []).view(entry)
        view.schema = SchemaView.Collection(place.collection)
        view.origin = try origin(of: place.key(entry.id), in: place.space.id)
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
        let time = collection.fields.first { $0.type == .time }?.name
        // Records with a time and without a name, such as purchases, are sorted by time.
        let isNamed = time == nil || ["title", "name"].contains { collection.field($0) != nil }
        return entries.map { entry in
            let name = isNamed ? reader.title(entry.record, in: collection.name) : ""
            return ListPlace(
                key: order.flatMap { entry.record.value($0)?.text }.flatMap { PositionKey($0) },
                name: Array(Lookup.fold(name).utf8),
                time: time.flatMap { entry.record.value($0)?.time?.milliseconds } ?? .max,
                entry: entry)
        }.sorted { $0.isBefore($1) }.map(\.entry)
    }

    /// The position of a record in a list.
    private struct ListPlace {
        let key: PositionKey?
        let name: [UInt8]
        let time: Int64
        let entry: ShownEntry

        func isBefore(_ other: ListPlace) -> Bool {
            switch (key, other.key) {
            case (let left?, let right?) where left != right: return left < right
            case (.some, nil): return true
            case (nil, .some): return false
            default: break
            }
            if name != other.name { return name.lexicographicallyPrecedes(other.name) }
            if time != other.time { return time < other.time }
            return entry.id < other.entry.id
        }
    }
}
