package import LocalAPI
internal import Store
internal import SyncCore

/// Adding many records at once.
///
/// All of them are checked before the first is written, so that a wrong line changes nothing. They are
/// written in as few commits as short turns of the store allow, here and on every device that
/// receives them; each commit is durable before the next, and arrives whole or not at all.
extension RecordService {
    package func addRecords(_ draft: RecordBatchDraft) async throws -> RecordBatchReport {
        let place = try place(draft.space, draft.collection)
        try requireOwn(place)
        guard !draft.records.isEmpty else { throw APIError.nothingToAdd }
        let reader = reader(place, isBulk: true)
        let values = RecordValues(self, place, reader)
        var plans = try plans(for: draft.records, in: place, values)
        for index in plans.indices {
            try await plans[index].finish(values, over: nil)
            plans[index].requireExistence()
        }
        try order(&plans, in: place, reader)
        var batches = RecordBatches()
        for (index, plan) in plans.enumerated() where plan.isFinished {
            guard batches.add(plan) else {
                throw RecordService.said(APIError.requestTooLarge, of: draft.records[index], index)
            }
        }
        let (count, unfinished) = (plans.count, plans.filter { !$0.isFinished })
        try await UnfinishedWriting(service: self, place: place).add(unfinished)
        try await Deeds(replica).together(
            in: place.space.id, writingTo: Set(plans.map(\.record))
        ) { try await write(batches, of: count, after: unfinished.count, to: place) }
        var report = RecordBatchReport(
            space: place.space.reference, collection: place.collection.name,
            ids: plans.map(\.record.description), commits: batches.parts.count)
        if !unfinished.isEmpty { report.unfinished = unfinished.count }
        return report
    }

    /// What every record takes, without having written or taken in anything.
    private func plans(
        for records: [RecordBatchDraft.NewRecord], in place: Place, _ values: RecordValues
    ) throws -> [RecordPlan] {
        // In order, though random: every device then writes a batch where it wrote the one before.
        let ids = records.map { _ in replica.newRecordID(in: place.space.id) }.sorted()
        return try zip(ids, records).enumerated().map { index, pair in
            var plan = RecordPlan(place, pair.0)
            do {
                try plan.set(pair.1.fields, values, over: nil, seen: nil)
                try plan.requireFields()
            } catch let error as APIError {
                throw RecordService.said(error, of: pair.1, index)
            }
            return plan
        }
    }

    private static func said(
        _ error: APIError, of record: RecordBatchDraft.NewRecord, _ index: Int
    ) -> APIError {
        record.line.map { error.inLine($0) } ?? error.inRecord(index + 1)
    }

    /// Puts the records behind all others, as they are listed.
    private func order(
        _ plans: inout [RecordPlan], in place: Place, _ reader: RecordReader
    ) throws {
        guard let field = place.collection.orderField else { return }
        let name = place.collection.name
        let last = try (reader.unfinished(in: name) + reader.shown(in: name)).compactMap { entry in
            entry.record.value(field.name)?.text.flatMap { PositionKey($0) }
        }.max()
        let keys = PositionKey.run(
            of: plans.count, after: last, origin: replica.newRecordID(in: place.space.id).bytes)
        for (index, key) in keys.enumerated() {
            plans[index].writes.append(Write(field: field.name, value: .text(key.text)))
        }
    }

    /// `added` of them are kept already.
    private func write(
        _ batches: RecordBatches, of count: Int, after added: Int, to place: Place
    ) async throws {
        var added = added
        for part in batches.parts {
            do {
                try await spaces.write(part.draft, to: place.space, .changeRecords)
                if !part.local.isEmpty {
                    try await replica.store.offloaded {
                        try $0.setLocalValues(part.local, in: place.space.id)
                    }
                }
            } catch {
                guard added > 0 else { throw error }
                throw APIError.partlyAdded(added, of: count, because: replica.sentence(for: error))
            }
            added += part.count
        }
    }
}

/// Records on their way into commits.
struct RecordBatches {
    struct Part {
        fileprivate(set) var draft = ChangeSet()
        /// Values of this device alone.
        fileprivate(set) var local: [RecordKey: [String: Value]] = [:]
        fileprivate(set) var count = 0
        fileprivate var writes = 0
        fileprivate var bytes = 0
    }

    private(set) var parts: [Part] = []

    /// To which they write.
    var records: Set<RecordID> { Set(parts.flatMap { $0.draft.operations.map(\.record) }) }

    init() {}

    /// Throws `tooLarge` where one of these fits into no commit.
    init(_ operations: [RecordOperation], tooLarge: APIError = .requestTooLarge) throws {
        for operation in operations where !add(operation, []) { throw tooLarge }
    }

    /// Writes them in their order, each write with the precedence that it has.
    func write(to space: ReadableSpace, by spaces: SpaceService) async throws {
        for part in parts {
            var draft = part.draft
            draft.keepsPrecedence = true
            try await spaces.write(draft, to: space, .changeRecords)
        }
    }

    /// Adds a record to the last commit or, when that is full, to a new one. False for one that fits
    /// into no commit.
    mutating func add(_ plan: RecordPlan) -> Bool {
        let key = plan.place.key(plan.record)
        return add(
            RecordOperation(key, plan.writes), plan.blobs,
            local: plan.local.isEmpty ? [:] : [key: plan.local])
    }

    /// The same of the writes to a record, the files that they name, and values of this device alone.
    mutating func add(
        _ operation: RecordOperation, _ blobs: [NamedBlob],
        local: [RecordKey: [String: Value]] = [:]
    ) -> Bool {
        let bytes = RecordBatches.bytes(of: operation) + blobs.count * Limits.namedBlobBytes
        guard bytes <= Limits.recordBytes else { return false }
        var part = parts.popLast() ?? Part()
        if part.count > 0,
            part.writes + operation.writes.count > Limits.writesPerTurn
                || part.bytes + bytes > Limits.commitBatchBytes
        {
            parts.append(part)
            part = Part()
        }
        part.draft.operations.append(operation)
        part.draft.blobs += blobs
        part.local.merge(local) { $1 }
        part.count += 1
        part.writes += operation.writes.count
        part.bytes += bytes
        parts.append(part)
        return true
    }

    /// Whether one operation has room in a commit.
    static func fits(_ operation: RecordOperation) -> Bool {
        bytes(of: operation) <= Limits.recordBytes
    }

    /// What an operation takes in a commit, at most.
    private static func bytes(of operation: RecordOperation) -> Int {
        operation.writes.reduce(operation.collection.utf8.count + Limits.writeBytes) { sum, write in
            sum + write.field.utf8.count + write.value.canonicalBytes.count
                + (write.element?.canonicalBytes.count ?? 0) + Limits.writeBytes
        }
    }
}

extension Limits {
    /// What a write takes in a commit beside its field and values: tags, lengths, precedence.
    static let writeBytes = 48
    /// What naming a file takes in a commit.
    static let namedBlobBytes = 64
    /// One record among those added together: its commit needs room for a header and for the files.
    static let recordBytes = commitBytes - 64 * 1024
}
