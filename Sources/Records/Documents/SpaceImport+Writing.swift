package import LocalAPI
internal import Store
package import SyncCore

/// Imports an archive as a new space of the importing person.
extension SpaceImport {
    /// Throws ``APIError`` when the archive has something that does not fit into a commit.
    package func check(_ service: RecordService) throws {
        _ = try InputCheck.name(description.space.name, .spaceName)
        _ = try batches(in: SpaceID.zero, [:], service)
    }

    /// Makes the space. `keep` makes its files durable before any record names them, and returns the blobs
    /// whose encryption gave them other ids.
    ///
    /// Until all is written its name says that it is not; when that fails, the error does, and what there is of
    /// it goes when an agent starts again.
    package func write(
        _ service: RecordService, isEncrypted: Bool,
        keep: (SpaceID) async throws -> [BlobID: NamedBlob]
    ) async throws -> TripView {
        let name = try InputCheck.name(description.space.name, .spaceName)
        let making = tr("\(name) (importing)")
        let unfinished = UnfinishedImports(service.replica)
        try unfinished.note(making, isUnderWay: true)
        let made = try await SpaceService(service.replica).create(
            following: pin, name: making, .spaceName, isEncrypted: isEncrypted)
        do {
            let space = try service.directory.readable(made.id)
            let kept = try await keep(space.id)
            try await batches(in: space.id, kept, service)
                .write(to: space, by: service.writer, .changeRecords)
            try await service.writer.write(
                ChangeSet(operations: try title(name, in: space.id, service)), to: space, .rename)
            try unfinished.note(making, isUnderWay: false)
            return try SpaceService(service.replica).show(made.id)
        } catch {
            throw importNotFinished(making, because: service.replica.sentence(for: error))
        }
    }

    // MARK: Records

    private func batches(
        in space: SpaceID, _ kept: [BlobID: NamedBlob], _ service: RecordService
    ) throws -> RecordBatches {
        let files = Dictionary(uniqueKeysWithValues: files.map { ($0.id, $0.blob) })
            .merging(kept) { $1 }
        // Sorted, though random: every device then writes each batch next to the one before.
        let random = records.map { _ in service.replica.newRecordID(in: space) }.sorted()
        // New ids, so that they differ from those of the archived space.
        let copying = RecordCopying(
            records, to: space, under: schema,
            Dictionary(uniqueKeysWithValues: zip(records, random).map { ($0.key, $1) }), files,
            service.replica)
        let title = schema.titleRecord(in: space).collection
        var batches = RecordBatches()
        for record in records where record.key.collection != title {
            guard copying.add(record, to: &batches) else { throw APIError.requestTooLarge }
        }
        return batches
    }

    /// The original name, further fields of that record, and the origin of the space.
    private func title(
        _ name: String, in space: SpaceID, _ service: RecordService
    ) throws -> [RecordOperation] {
        let key = schema.titleRecord(in: space)
        let shown = try RecordReader(service.replica, space, schema).entry(key)?.record
        let archived = records.first { $0.key.collection == key.collection }
        let others = (archived?.values ?? []).filter { $0.field.name != "name" }
            .map { ($0.field.name, $0.value) }
        let writes = try FieldWrites.writes(
            [("name", .text(name))] + others, over: shown, seen: nil)
        let source = [
            Write(field: Schema.Origin.author, value: .text(description.person)),
            Write(field: Schema.Origin.written, value: .time(description.written.value)),
            Write(field: Schema.Origin.source, value: .text(description.space.id)),
        ]
        return [
            RecordOperation(key, writes),
            RecordOperation(Schema.origin(of: nil, in: space), source),
        ]
    }
}

/// `reason` stopped it after the space was made.
private func importNotFinished(_ name: String, because reason: APIError) -> APIError {
    APIError(
        code: reason.code,
        sentence: "The archive was imported in part only. \(reason.message)",
        hint: """
            Import it again. What there is of it goes with the next start of the agent, or now: \
            peersync space delete \(Sentence.quoted(name))
            """)
}
