package import LocalAPI
internal import Records
internal import SyncCore

/// Moving memories to another trip.
extension JournalService {
    /// Returns the memories as they are in the new trip.
    package func moveMemories(_ draft: MoveDraft) async throws -> [MemoryView] {
        let target = try directory.trip(draft.to)
        let move = try replica.snapshot { try self.move(draft, to: target) }
        return try await move.carryOut(.addMemory, .deleteMemory)
            .map { try view(of: $0, in: target) }
    }

    private func move(_ draft: MoveDraft, to target: ReadableSpace) throws -> RecordMove {
        let found = try memories(draft, to: target)
        guard let source = found.first?.trip else { throw APIError.nothingToChange }
        guard found.allSatisfy({ $0.trip.id == source.id }) else {
            throw APIError(
                code: .badInput, sentence: "Those memories are not all in one trip.",
                hint: "Move those of one trip at a time: --from")
        }
        guard source.id != target.id else {
            throw APIError(
                code: .badInput, sentence: "It is in \(Sentence.name(target.name)) already.",
                hint: "Name another trip: --to")
        }
        var seen: Set<RecordID> = []
        let counterparts = try Counterparts(self, from: source, to: target)
        return try RecordMove(
            records, found.map(\.entry).filter { seen.insert($0.id).inserted },
            from: records.place(source, Collection.memory),
            to: records.place(target, Collection.memory),
            leavingOut: [Field.camera, Field.direction], counterpart: counterparts.find)
    }

    /// After an interrupted move memories are in both trips: takes them from the old one.
    private func memories(_ draft: MoveDraft, to target: ReadableSpace) throws -> [FoundMemory] {
        if draft.from == nil,
            let source = try InterruptedMoves(replica).source(ofMoveTo: target.id)?.description,
            let found = try? draft.memories.map({ try findMemory($0, in: source) })
        {
            return found
        }
        return try draft.memories.map { try findMemory($0, in: draft.from) }
    }
}

/// Finds or makes tags and list items in another trip for moved memories, by name.
private struct Counterparts {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    private let source: ReadableSpace
    private let target: ReadableSpace
    private let lists: JournalLists
    private let home: TagBook
    private let here: TagBook
    private let there: TagBook

    init(_ journal: JournalService, from source: ReadableSpace, to target: ReadableSpace) throws {
        (self.source, self.target) = (source, target)
        lists = JournalLists(journal.replica)
        home = try TagBook(journal, journal.replica.local.homeSpace)
        here = try TagBook(journal, source.id)
        there = try TagBook(journal, target.id)
    }

    func find(_ key: RecordKey, _ entry: ShownEntry) throws -> RecordMove.Counterpart? {
        switch key.collection {
        case Collection.tag: tag(entry)
        case Collection.bucketItem: try lists.counterpart(of: entry, from: source, in: target)
        default: nil
        }
    }

    private func tag(_ entry: ShownEntry) -> RecordMove.Counterpart {
        let name = entry.record.value(Field.name)?.text ?? ""
        let (id, operations) = there.resolve(name, home: home)
        let category = entry.record.value(Field.category)?.reference.flatMap {
            here.categories[$0]
        }
        // A new tag that is not a copy of the person's own keeps its category.
        guard let category, operations.count == 1, home.named(name).isEmpty else {
            return (id, operations)
        }
        let found = there.resolve(category: category)
        return (
            id,
            found.operations
                + [TagBook.operation(Collection.tag, id, named: name, category: found.id)]
        )
    }
}
