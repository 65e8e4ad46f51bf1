package import LocalAPI
internal import Records
internal import SyncCore

/// Making one memory of several.
extension JournalService {
    /// Returns the memory that stays.
    package func mergeMemories(_ draft: MemoryMergeDraft) async throws -> MemoryView {
        let merge = try replica.snapshot { try self.merge(draft) }
        try await Deeds(replica).write(merge.operations, to: merge.trip)
        return try view(of: merge.kept.id, in: merge.trip)
    }

    private func merge(_ draft: MemoryMergeDraft) throws -> MemoryMerge {
        let kept = try findMemory(draft.into, in: draft.trip)
        var seen: Set<RecordID> = []
        let others = try draft.memories.map { try findMemory($0, in: draft.trip) }
            .filter { seen.insert($0.entry.id).inserted }
        guard !others.isEmpty else { throw APIError.nothingToChange }
        guard !seen.contains(kept.entry.id) else { throw APIError.oneAndTheSame }
        guard others.allSatisfy({ $0.trip.id == kept.trip.id }) else {
            throw APIError(
                code: .badInput, sentence: "Those memories are not all in one trip.",
                hint: "Move them to one first: peersync memory move")
        }
        try writer.require(.write, in: kept.trip, .changeMemory)
        let merge = try MemoryMerge(records, kept, others.map(\.entry))
        try writer.require(
            requiredFlags(of: merge.operations, in: kept.trip.id, by: replica.local.person),
            in: kept.trip, .deleteMemory)
        return merge
    }
}

/// The writes of a merge of memories: the parts stay the same records, with their authors and their past, and
/// belong to another memory.
private struct MemoryMerge {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let trip: ReadableSpace
    let kept: ShownEntry
    private(set) var operations: [RecordOperation] = []

    private let records: RecordService
    private let place: RecordService.Place
    private let reader: RecordReader
    private let others: [ShownEntry]

    /// Throws ``APIError`` when something of the others would be lost from sight.
    init(
        _ records: RecordService, _ kept: JournalService.FoundMemory, _ others: [ShownEntry]
    ) throws {
        (self.records, trip, self.kept, self.others) = (records, kept.trip, kept.entry, others)
        place = try records.place(kept.trip, Collection.memory)
        reader = kept.reader
        for memory in [self.kept] + others {
            guard try reader.conflicts(of: memory, in: place.collection, of: trip).isEmpty else {
                throw MemoryMerge.inConflict(memory.record.line(Field.title))
            }
        }
        let writes = try fieldWrites() + tagWrites()
        if !writes.isEmpty { operations.append(RecordOperation(place.key(self.kept.id), writes)) }
        for collection in place.schema.collections { operations += try moved(collection) }
        operations += try others.map {
            try records.deletion(of: $0, in: Collection.memory, reader)
        }
    }

    /// Texts come one after the other; a field that the kept one does not have, from the first that has it.
    private func fieldWrites() throws -> [Write] {
        let all = [kept] + others
        let texts = all.compactMap { $0.record.value(Field.text)?.text }.filter { !$0.isEmpty }
        let text = try InputCheck.text(texts.joined(separator: "\n\n"))
        var values: [(field: String, value: Value)] =
            text.isEmpty ? [] : [(Field.text, .text(text))]
        for field in [
            Field.title, Field.at, Field.position, Field.locationName, Field.weather,
            Field.bucketItem,
        ] {
            let given = all.lazy.compactMap { $0.record.value(field) }
            if let value = given.first(where: { $0 != .null && $0 != .text("") }) {
                values.append((field, value))
            }
        }
        return try records.writes(values, to: place.key(kept.id), in: trip.id, over: kept)
    }

    private func tagWrites() -> [Write] {
        var known = Set(kept.record.elements(Field.tags))
        return others.flatMap { $0.record.elements(Field.tags) }
            .filter { known.insert($0).inserted }
            .map { Write(field: Field.tags, element: $0, value: .boolean(true)) }
    }

    // MARK: Photos, tracks and other parts

    /// The parts of the others in a collection come behind those of the kept one. A file that it has already
    /// stays with the memory that is deleted.
    private func moved(_ collection: CollectionSchema) throws -> [RecordOperation] {
        let links = collection.owners.filter { $0.target == Collection.memory }.map(\.field.name)
        guard !links.isEmpty else { return [] }
        let there = try reader.files(of: kept.id, in: collection).compactMap(\.first)
        var known = Set(there.compactMap { $0.record.value(Field.original)?.blob })
        let coming = try others.flatMap { memory in
            try reader.files(of: memory.id, in: collection).compactMap(\.first).map { (memory, $0) }
        }.filter { _, part in
            part.record.value(Field.original)?.blob.map { known.insert($0).inserted } ?? true
        }
        guard collection.name != Collection.track || there.count + coming.count <= 1 else {
            throw MemoryMerge.severalTracks
        }
        let order = collection.orderField?.name
        let keys = PositionKey.run(
            of: coming.count, after: order.flatMap { there.lastPosition(in: $0) },
            origin: records.replica.local.device.bytes)
        return try zip(coming, keys).map { coming, orderKey in
            let (memory, part) = coming
            var values: [(field: String, value: Value)] = links.filter {
                part.record.value($0)?.reference == memory.id
            }.map { ($0, .reference(kept.id)) }
            if let order { values.append((order, .text(orderKey.text))) }
            let key = RecordKey(collection: collection.name, record: part.id)
            return RecordOperation(
                key, try records.writes(values, to: key, in: trip.id, over: part))
        }
    }

    // MARK: Errors

    private static func inConflict(_ name: String) -> APIError {
        let memory = name.isEmpty ? tr("One of them") : Sentence.name(name)
        return APIError(
            code: .conflict,
            sentence: "\(memory) was changed on several devices at once. Nothing was merged.",
            hint: "Decide first, so that no value stays behind: peersync conflicts")
    }

    private static let severalTracks = APIError(
        code: .conflict,
        sentence: "Several of them have a track, and a memory has only one. Nothing was merged.",
        hint: "Take it off the others first: peersync memory edit MEMORY --clear track")
}
