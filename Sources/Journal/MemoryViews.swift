internal import LocalAPI
internal import Records
internal import SyncCore

/// The memories of one trip, as views of the local API.
struct MemoryViews {
    typealias Field = JournalSchema.Field

    let contents: MemoryContents

    init(_ contents: MemoryContents) { self.contents = contents }

    func summary(_ memory: ShownEntry, _ short: ShortIDs) throws -> MemorySummary {
        let id = memory.id.description
        return MemorySummary(
            id: id, shortID: short[id], trip: contents.trip.reference,
            title: memory.record.line(Field.title), at: Moment(memory.record.value(Field.at)?.time),
            position: Position(memory.record.value(Field.position)?.position),
            tags: contents.tagNames(of: memory),
            mediaCount: try contents.media(of: memory.id).count,
            hasTrack: try contents.track(of: memory.id) != nil,
            status: try contents.status(of: memory, in: contents.memory))
    }

    func view(_ memory: ShownEntry, notices: [String] = []) throws -> MemoryView {
        let media = try contents.media(of: memory.id)
        return MemoryView(
            try content(of: memory, media),
            try state(of: memory, notices: notices + undecoded(media)))
    }

    private func content(
        of memory: ShownEntry, _ media: [ShownEntry]
    ) throws -> MemoryView.Content {
        let record = memory.record
        let own = reference(memory)
        return .init(
            id: own.id, shortID: own.shortID, trip: contents.trip.reference, title: own.name,
            text: record.lines(Field.text), at: Moment(record.value(Field.at)?.time),
            position: Position(record.value(Field.position)?.position),
            locationName: record.line(Field.locationName), weather: record.line(Field.weather),
            tags: tags(of: memory), bucketItem: bucketItem(of: memory),
            media: try media.map { try view(media: $0, of: own) },
            track: try contents.track(of: memory.id).map { try view(track: $0) })
    }

    private func state(of memory: ShownEntry, notices: [String]) throws -> MemoryView.State {
        let last = contents.reader.lastChange(of: memory.state)
        return .init(
            author: last.author, changed: last.at,
            status: try contents.status(of: memory, in: contents.memory),
            conflicts: try contents.reader.conflicts(
                of: memory, in: contents.memory, of: contents.trip),
            seen: VersionToken.token(of: memory.state), notices: notices)
    }

    func reference(_ memory: ShownEntry) -> Reference {
        Reference(memory.id, name: memory.record.line(Field.title))
    }

    /// Photos and the track of a memory.
    func files(of memory: ShownEntry) throws -> [MediaView] {
        let reference = reference(memory)
        return try contents.media(of: memory.id).map { try view(media: $0, of: reference) }
            + [contents.track(of: memory.id)].compactMap(\.self)
            .map { try view(media: $0, isTrack: true, of: reference) }
    }

    /// A photo or a track, as a file of a memory.
    private func view(
        media: ShownEntry, isTrack: Bool = false, of memory: Reference
    ) throws -> MediaView {
        let record = media.record
        let id = media.id.description
        return MediaView(
            id: id, shortID: ShortIDs.alone(id), memory: memory, trip: contents.trip.reference,
            fileName: record.line(Field.fileName),
            mediaType: isTrack ? "application/gpx+xml" : record.line(Field.mediaType),
            bytes: record.count(Field.size), blobID: blobText(record),
            taken: Moment(record.value(isTrack ? Field.start : Field.taken)?.time),
            position: Position(record.value(Field.position)?.position),
            caption: record.line(Field.caption), camera: record.line(Field.camera),
            hasThumbnail: record.value(Field.thumbnail)?.blob != nil,
            bytesHere: try contents.bytesHere(of: media),
            status: try contents.status(of: media, in: isTrack ? contents.track : contents.media))
    }

    private func view(track: ShownEntry) throws -> TrackView {
        let record = track.record
        let id = track.id.description
        return TrackView(
            id: id, shortID: ShortIDs.alone(id), fileName: record.line(Field.fileName),
            bytes: record.count(Field.size), blobID: blobText(record),
            points: Int(clamping: record.count(Field.points)),
            length: Double(record.count(Field.lengthMetres)),
            start: Moment(record.value(Field.start)?.time),
            end: Moment(record.value(Field.end)?.time),
            bytesHere: try contents.bytesHere(of: track),
            status: try contents.status(of: track, in: contents.track))
    }

    private func blobText(_ record: ShownRecord) -> String {
        record.value(Field.original)?.blob?.description ?? ""
    }

    private func tags(of memory: ShownEntry) -> [Reference] {
        memory.record.elements(Field.tags).compactMap(\.reference).compactMap { id in
            contents.tags[id].map { Reference(id, name: $0) }
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private func bucketItem(of memory: ShownEntry) -> Reference? {
        guard let id = memory.record.value(Field.bucketItem)?.reference else { return nil }
        return contents.bucketItems[id].map { Reference(id, name: $0) }
    }

    private func undecoded(_ media: [ShownEntry]) -> [String] {
        media.filter { entry in
            entry.record.value(Field.problem)?.text.map { $0 != FileFacts.noDecoder } ?? false
        }
        .map { entry in
            let name = Sentence.plain(entry.record.line(Field.fileName))
            return entry.record.value(Field.thumbnail)?.blob == nil
                ? tr(
                    """
                    \(name) could not be read as a picture; it is kept and synced whole, without \
                    thumbnail.
                    """)
                : tr(
                    """
                    \(name) is damaged: its thumbnail shows the part that could be read. The file is kept and \
                    synced whole.
                    """)
        }
    }
}
