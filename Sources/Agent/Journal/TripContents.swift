import LocalAPI
import Store
import SyncCore

/// What one trip shows of its memories, or of one of them, read once for one request.
struct TripContents {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let trip: KnownTrip
    let reference: Reference
    /// By memory, in the order people gave them.
    private let media: [RecordID: [ShownEntry]]
    private let tracks: [RecordID: ShownEntry]
    /// Names of tags and titles of bucket items, fit to show.
    let tags: [RecordID: String]
    let bucketItems: [RecordID: String]
    let readers: ReaderStandings
    private let isMissing: (BlobID) throws -> Bool
    private let partlyHere: (BlobID, UInt64) throws -> UInt64

    /// With `memory` only that one's files are read.
    init(
        _ trip: KnownTrip, of journal: JournalService, short: ShortIDs, memory: RecordID? = nil
    ) throws {
        let replica = journal.replica
        let space = trip.space
        self.trip = trip
        reference = journal.trips.reference(trip, short)
        media = TripContents.byMemory(
            try replica.shown(space, Collection.media, mentioning: memory))
        tracks = TripContents.byMemory(
            try replica.shown(space, Collection.track, mentioning: memory)
        ).compactMapValues(\.first)
        tags = try replica.shown(space, Collection.tag).reduce(into: [:]) { names, tag in
            names[tag.id] = tag.record.line(Field.name)
        }
        bucketItems = try replica.shown(space, Collection.bucketItem).reduce(into: [:]) {
            names, item in
            names[item.id] = item.record.line(Field.title)
        }
        readers = try replica.readers(of: space)
        if memory == nil {
            let missing = Set(try replica.store.missingBlobs(of: space).map(\.blob))
            isMissing = { missing.contains($0) }
        } else {
            isMissing = { try !replica.media.isHere($0) }
        }
        partlyHere = { try replica.media.bytesHere($0, size: $1) }
    }

    /// The same file is shown once, whoever added it again under whatever id.
    func media(of memory: RecordID) -> [ShownEntry] {
        var seen: Set<BlobID> = []
        return allMedia(of: memory).filter { entry in
            entry.record.value(Field.original)?.blob.map { seen.insert($0).inserted } ?? true
        }
    }

    /// With those that are not shown, because an earlier one is of the same file.
    func allMedia(of memory: RecordID) -> [ShownEntry] { media[memory] ?? [] }

    func track(of memory: RecordID) -> ShownEntry? { tracks[memory] }

    /// Photos and the track of a memory.
    func files(of memory: RecordID) -> [ShownEntry] {
        media(of: memory) + [track(of: memory)].compactMap(\.self)
    }

    /// Names of a memory's tags that are here, each once: two people may have brought the same.
    func tagNames(of memory: ShownEntry) -> [String] {
        var seen: Set<String> = []
        return memory.record.elements(Field.tags).compactMap { $0.reference.flatMap { tags[$0] } }
            .sorted().filter { seen.insert(NameFolding.fold($0)).inserted }
    }

    /// Of a memory with its files.
    func status(of memory: ShownEntry) throws -> RecordStatus {
        readers.status(of: try standing(of: memory))
    }

    /// Of a memory with its files; of a deleted one without: they were deleted with it.
    func standing(of memory: ShownEntry) throws -> RecordStanding {
        var standing = RecordStanding()
        standing.add(memory.state)
        standing.isConflicted = !TripContents.conflicts(in: memory).isEmpty
        standing.isDeleted = memory.record.isDeleted
        for part in files(of: memory.id) {
            standing.add(part.state)
            standing.files += [try file(of: part)].compactMap(\.self)
        }
        return standing
    }

    /// Of a photo or track; fields that two devices made differ (the order, say) are no conflict.
    func status(ofFile entry: ShownEntry) throws -> RecordStatus {
        readers.status(of: try standing(ofFile: entry))
    }

    func standing(ofFile entry: ShownEntry) throws -> RecordStanding {
        var standing = RecordStanding()
        standing.isFile = true
        standing.add(entry.state)
        standing.isDeleted = entry.record.isDeleted
        standing.files = [try file(of: entry)].compactMap(\.self)
        return standing
    }

    /// Bytes of a file that are verified on this device.
    func bytesHere(of entry: ShownEntry) throws -> Int64 {
        let bytes = entry.record.count(Field.size)
        guard let file = try file(of: entry), !file.isHere else { return bytes }
        return min(Int64(clamping: file.bytesHere), bytes)
    }

    /// Nil when the record names no file.
    private func file(of entry: ShownEntry) throws -> RecordStanding.File? {
        guard let blob = entry.record.value(Field.original)?.blob else { return nil }
        let bytes = UInt64(entry.record.count(Field.size))
        guard try isMissing(blob) else {
            return RecordStanding.File(blob: blob, isHere: true, bytesHere: bytes, size: bytes)
        }
        return RecordStanding.File(
            blob: blob, isHere: false, bytesHere: try partlyHere(blob, bytes), size: bytes)
    }

    /// The fields of a memory, in the order people see them, that two devices changed at once and
    /// that somebody should decide.
    static func conflicts(in memory: ShownEntry) -> [(shown: String, field: String)] {
        JournalSchema.memoryFields.filter { memory.record.isConflicted($0.field) }
    }

    /// By position key; what has none comes last, and record ids decide between equal ones.
    private static func byMemory(_ entries: [ShownEntry]) -> [RecordID: [ShownEntry]] {
        var groups: [RecordID: [(key: PositionKey?, entry: ShownEntry)]] = [:]
        for entry in entries {
            guard let memory = entry.record.value(Field.memory)?.reference else { continue }
            let key = entry.record.value(Field.order)?.text.flatMap { PositionKey($0) }
            groups[memory, default: []].append((key, entry))
        }
        return groups.mapValues { group in
            group.sorted { one, other in
                switch (one.key, other.key) {
                case (let left?, let right?) where left != right: left < right
                case (.some, nil): true
                case (nil, .some): false
                default: one.entry.id < other.entry.id
                }
            }.map(\.entry)
        }
    }
}
