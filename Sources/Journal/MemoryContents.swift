internal import LocalAPI
internal import Records
internal import SyncCore

/// The shown memories of one trip, or some of them, read once for one request.
struct MemoryContents {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let trip: ReadableSpace
    let reader: RecordReader
    let states: RecordSyncStates
    /// Names of tags and titles of bucket items, safe to print.
    let tags: [RecordID: String]
    let bucketItems: [RecordID: String]
    let memory: CollectionSchema
    let media: CollectionSchema
    let track: CollectionSchema

    /// `memories` are those that are asked about; with `isPart` what belongs to all others is not read.
    init(
        _ trip: ReadableSpace, _ records: RecordService, reader: RecordReader? = nil,
        memories: [ShownEntry], isPart: Bool = false
    ) throws {
        let isBulk = !isPart && memories.count > Limits.recordsReadSingly
        let place = try records.place(trip, Collection.memory)
        self.trip = trip
        memory = place.collection
        media = try records.place(trip, Collection.media).collection
        track = try records.place(trip, Collection.track).collection
        let reader = isBulk ? nil : reader
        self.reader = reader ?? records.reader(place, isBulk: isBulk)
        states = try RecordSyncStates(self.reader, isBulk: isBulk)
        try states.prepare(memories, in: Collection.memory)
        tags = try self.reader.shown(in: Collection.tag).reduce(into: [:]) { names, tag in
            names[tag.id] = tag.record.line(Field.name)
        }
        bucketItems = try self.reader.shown(in: Collection.bucketItem).reduce(into: [:]) {
            names, item in
            names[item.id] = item.record.line(Field.title)
        }
    }

    /// In the order that people gave them; a file that was added twice is shown once.
    func media(of memory: RecordID) throws -> [ShownEntry] {
        try reader.files(of: memory, in: media).compactMap(\.first)
    }

    func track(of memory: RecordID) throws -> ShownEntry? {
        try reader.files(of: memory, in: track).first?.first
    }

    /// Names of a memory's tags, each once: two people may have added the same.
    func tagNames(of memory: ShownEntry) -> [String] {
        var seen: Set<String> = []
        return memory.record.elements(Field.tags).compactMap { $0.reference.flatMap { tags[$0] } }
            .sorted().filter { seen.insert(Lookup.fold($0)).inserted }
    }

    func status(of entry: ShownEntry, in collection: CollectionSchema) throws -> RecordStatus {
        try states.status(of: entry, in: collection)
    }

    /// Bytes of a file that are verified on this device.
    func bytesHere(of entry: ShownEntry) throws -> Int64 {
        let bytes = entry.record.count(Field.size)
        guard let blob = entry.record.value(Field.original)?.blob else { return bytes }
        let file = try states.file(blob)
        return file.isHere ? bytes : min(Int64(clamping: file.bytesHere), bytes)
    }
}
