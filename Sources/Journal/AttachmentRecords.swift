internal import Records
internal import SyncCore

/// The records of files that belong to one memory.
struct AttachmentRecords {
    typealias Field = JournalSchema.Field

    private let device: DeviceID
    private let ids: AttachmentIDs
    private let reader: RecordReader?
    private let memory: RecordID
    /// The fields of photos in the space's version of the journal.
    private let fields: Set<String>

    init(_ replica: any Replica, in space: SpaceID, memory: RecordID) {
        device = replica.local.device
        ids = AttachmentIDs(
            of: memory, in: space, addedBy: replica.local.person, replica.membership(of: space))
        self.memory = memory
        let schema = replica.schema(of: space)
        reader = schema.map { RecordReader(replica, space, $0) }
        let media = schema?.collection(JournalSchema.Collection.media)
        fields = Set(media?.fields.map(\.name) ?? [])
    }

    /// The part of a commit that adds files.
    struct Addition {
        var operations: [RecordOperation] = []
        var blobs: [NamedBlob] = []
        /// Names of files that the memory has already, or that were given twice.
        var duplicates: [String] = []
    }

    /// Records for photos, after those that the memory shows already, and for a track, which replaces the
    /// shown one. Writes every field, so that when two devices add the same file, all fields come from one of
    /// them.
    func add(
        _ files: FileIntake.Taken, to shown: [ShownEntry], replacing shownTrack: ShownEntry? = nil
    ) throws -> Addition {
        var addition = Addition()
        var known = Set(shown.map(\.id))
        let shownFiles = Set(shown.compactMap { $0.record.value(Field.original)?.blob })
        var fresh: [(id: RecordID, file: ImportedFile)] = []
        let collection = JournalSchema.Collection.media
        let first = files.photos.map { ids.media($0.original.blob) }
        // Of nearly all new files no record has the id.
        let used = try reader.map { try $0.replica.used(first, in: collection, of: $0.space) } ?? []
        for (file, first) in zip(files.photos, first) {
            let id = used.contains(first) ? try free(first, collection) : first
            if known.insert(id).inserted, !shownFiles.contains(file.original.blob) {
                fresh.append((id, file))
            } else {
                addition.duplicates.append(ShownText.line(file.name))
            }
        }
        let keys = PositionKey.run(
            of: fresh.count, after: shown.lastPosition(in: Field.order), origin: device.bytes)
        for (photo, key) in zip(fresh, keys) {
            addition.operations.append(operation(photo.id, photo.file, key))
            addition.blobs.append(photo.file.original)
            if let thumbnail = photo.file.thumbnail { addition.blobs.append(thumbnail) }
        }
        if let track = files.track {
            let id =
                try shownTrack?.id ?? free(ids.track, JournalSchema.Collection.track)
            addition.operations.append(operation(id, track))
            addition.blobs.append(track.original)
        }
        return addition
    }

    private func operation(
        _ id: RecordID, _ file: ImportedFile, _ key: PositionKey
    ) -> RecordOperation {
        let facts = file.facts
        let writes = [
            .deletion(false), Write(field: Field.memory, value: .reference(memory)),
            Write(field: Field.order, value: .text(key.text)),
            Write(field: Field.fileName, value: .text(file.name)),
            Write(field: Field.mediaType, value: .text(facts.mediaType)),
            Write(field: Field.original, value: .blob(file.original.blob)),
            Write(field: Field.size, value: .integer(Int64(clamping: file.bytes))),
            Write(
                field: Field.thumbnail, value: file.thumbnail.map { .blob($0.blob) } ?? .null),
            Write(field: Field.taken, value: facts.taken.map { .time($0) } ?? .null),
            Write(field: Field.position, value: facts.position.map { .position($0) } ?? .null),
            Write(field: Field.width, value: facts.width.map { .integer(Int64($0)) } ?? .null),
            Write(
                field: Field.height, value: facts.height.map { .integer(Int64($0)) } ?? .null),
            Write(field: Field.problem, value: facts.problem.map { .text($0) } ?? .null),
            Write(field: Field.camera, value: facts.camera.map { .text($0) } ?? .null),
            Write(
                field: Field.direction,
                value: facts.direction.map { .integer(Int64($0)) } ?? .null),
        ]
        return RecordOperation(
            collection: JournalSchema.Collection.media, record: id,
            writes: writes.filter {
                $0.field == Write.existence || fields.contains($0.field)
            })
    }

    /// The id, or the next one that no file of another memory has: files keep their ids when memories are merged.
    private func free(_ id: RecordID, _ collection: String) throws -> RecordID {
        var id = id
        while let owner = try reader?.entry(RecordKey(collection: collection, record: id))?.record
            .value(Field.memory)?.reference, owner != memory
        {
            id = ids.next(after: id, in: collection)
        }
        return id
    }

    private func operation(_ id: RecordID, _ track: ImportedTrack) -> RecordOperation {
        RecordOperation(
            collection: JournalSchema.Collection.track,
            record: id,
            writes: [
                .deletion(false), Write(field: Field.memory, value: .reference(memory)),
                Write(field: Field.fileName, value: .text(track.name)),
                Write(field: Field.original, value: .blob(track.original.blob)),
                Write(field: Field.size, value: .integer(Int64(clamping: track.bytes))),
                Write(field: Field.points, value: .integer(Int64(track.points))),
                Write(field: Field.lengthMetres, value: .integer(track.lengthMetres)),
                Write(field: Field.start, value: track.start.map { .time($0) } ?? .null),
                Write(field: Field.end, value: track.end.map { .time($0) } ?? .null),
            ])
    }
}

extension FileIntake.Taken {
    /// Time and place of the memory by its files: of the first photo that has one, or else of the track.
    var moment: TimeValue? { photos.lazy.compactMap(\.facts.taken).first ?? track?.start }

    var position: PositionValue? {
        photos.lazy.compactMap(\.facts.position).first ?? track?.position
    }
}
