import Media
import SyncCore

/// The records of files that belong to one memory.
struct AttachmentRecords {
    typealias Field = JournalSchema.Field

    let replica: AgentNode
    let space: SpaceID
    let memory: RecordID

    /// What files add to a commit.
    struct Addition {
        var operations: [RecordOperation] = []
        var blobs: [NamedBlob] = []
        /// Names of files that the memory has already, or that were given twice.
        var duplicates: [String] = []
    }

    /// Records for photos, after those that the memory shows already, and for a track, which takes
    /// the place of another. Every field is written, so that of two devices that add the same file
    /// one wins whole.
    func add(_ files: FileIntake.Taken, to shown: [ShownEntry]) -> Addition {
        var addition = Addition()
        var known = Set(shown.map(\.id))
        let shownFiles = Set(shown.compactMap { $0.record.value(Field.original)?.blob })
        var fresh: [(id: RecordID, file: MediaLibrary.AddedFile)] = []
        for file in files.photos {
            let id = replica.mediaID(of: file.original.blob, in: memory, space: space)
            if known.insert(id).inserted, !shownFiles.contains(file.original.blob) {
                fresh.append((id, file))
            } else {
                addition.duplicates.append(ShownText.line(file.fileName))
            }
        }
        let last = shown.compactMap { $0.record.value(Field.order)?.text }
            .compactMap { PositionKey($0) }.max()
        let keys = PositionKey.run(
            of: fresh.count, after: last, origin: replica.identity.deviceID.bytes)
        for (photo, key) in zip(fresh, keys) {
            addition.operations.append(operation(photo.id, photo.file, key))
            addition.blobs.append(photo.file.original)
            if let thumbnail = photo.file.thumbnail { addition.blobs.append(thumbnail) }
        }
        if let track = files.track {
            addition.operations.append(operation(track))
            addition.blobs.append(track.original)
        }
        return addition
    }

    private func operation(
        _ id: RecordID, _ file: MediaLibrary.AddedFile, _ key: PositionKey
    ) -> RecordOperation {
        let facts = file.facts
        let size = facts.pixelSize.map { size in
            facts.orientation.map { size.upright($0) } ?? size
        }
        return RecordOperation(
            collection: JournalSchema.Collection.media, record: id,
            writes: [
                .deletion(false), Write(field: Field.memory, value: .reference(memory)),
                Write(field: Field.order, value: .text(key.text)),
                Write(field: Field.fileName, value: .text(file.fileName)),
                Write(field: Field.mediaType, value: .text(facts.mediaType)),
                Write(field: Field.original, value: .blob(file.original.blob)),
                Write(field: Field.size, value: .integer(Int64(clamping: file.original.size))),
                Write(
                    field: Field.thumbnail, value: file.thumbnail.map { .blob($0.blob) } ?? .null),
                Write(field: Field.taken, value: facts.takenAt.map { .time($0.value) } ?? .null),
                Write(
                    field: Field.position,
                    value: facts.position.map { .position($0.value) } ?? .null),
                Write(field: Field.width, value: size.map { .integer(Int64($0.width)) } ?? .null),
                Write(field: Field.height, value: size.map { .integer(Int64($0.height)) } ?? .null),
                Write(field: Field.problem, value: facts.problem.map { .text($0.word) } ?? .null),
            ])
    }

    private func operation(_ file: MediaLibrary.AddedTrack) -> RecordOperation {
        let track = file.track
        return RecordOperation(
            collection: JournalSchema.Collection.track,
            record: replica.trackID(of: memory, space: space),
            writes: [
                .deletion(false), Write(field: Field.memory, value: .reference(memory)),
                Write(field: Field.fileName, value: .text(file.fileName)),
                Write(field: Field.original, value: .blob(file.original.blob)),
                Write(field: Field.size, value: .integer(Int64(clamping: file.original.size))),
                Write(field: Field.points, value: .integer(Int64(track.pointCount))),
                Write(
                    field: Field.lengthMetres,
                    value: .integer(Int64(exactly: track.lengthMetres.rounded()) ?? 0)),
                Write(field: Field.start, value: moment(track.startMilliseconds)),
                Write(field: Field.end, value: moment(track.endMilliseconds)),
            ])
    }

    private func moment(_ milliseconds: Int64?) -> Value {
        milliseconds.map { .time(TimeValue(milliseconds: $0, offsetMinutes: nil)) } ?? .null
    }
}

extension MediaProblem {
    /// What the record says: a word for programs, not for people.
    fileprivate var word: String {
        switch self {
        case .unreadable: "unreadable"
        case .noDecoder: "no_decoder"
        case .tooLarge: "too_large"
        case .damaged: "damaged"
        case .timedOut: "timed_out"
        case .decoderFailed: "decoder_failed"
        }
    }
}

extension FileIntake.Taken {
    /// When and where the memory was, by its files: the first photo that says so, else the track.
    var moment: TimeValue? {
        photos.lazy.compactMap { $0.facts.takenAt?.value }.first
            ?? track?.track.startMilliseconds.map {
                TimeValue(milliseconds: $0, offsetMinutes: nil)
            }
    }

    var position: PositionValue? {
        photos.lazy.compactMap { $0.facts.position?.value }.first
            ?? track?.track.segments.first?.first.map {
                PositionValue(
                    latitude: $0.latitude, longitude: $0.longitude,
                    altitudeMetres: $0.elevationMetres)
            }
    }
}
