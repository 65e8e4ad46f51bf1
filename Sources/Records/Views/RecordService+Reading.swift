package import LocalAPI
internal import SyncCore

/// Reads records.
extension RecordService {
    package func list(_ filter: RecordFilter) throws -> RecordList {
        let place = try place(filter.space, filter.collection)
        let parts = try RecordParts(filter, of: place.collection)
        let reader = reader(place, isBulk: filter.text == nil && parts == nil)
        let fields = try RecordValues(self, place, reader).wanted(filter.fields)
        let retired = try RetiredRows(reader)
        func isWanted(_ entry: ShownEntry) throws -> Bool {
            let presence = try reader.presence(place.key(entry.id))
            guard filter.deleted ? presence == .deleted : presence.isShown else { return false }
            if !filter.deleted, !filter.retired, retired.contains(entry, of: place.collection) {
                return false
            }
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
        let views = try RecordViews(
            self, place, reader, entries, isPart: parts != nil, retired: retired)
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
}
