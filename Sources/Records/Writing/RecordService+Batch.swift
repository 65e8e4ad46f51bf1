package import LocalAPI
internal import Store
internal import SyncCore

/// Adds many records at once.
///
/// Checks all before the first is written, so that a wrong line changes nothing. Uses commits of a size that
/// is quickly sent and stored; those of one group are written together, and shown together on every device.
extension RecordService {
    package func addRecords(_ draft: RecordBatchDraft) async throws -> RecordBatchReport {
        let place = try place(draft.space, draft.collection)
        try requireOwn(place)
        guard !draft.records.isEmpty else { throw APIError.nothingToAdd }
        let reader = reader(place, isBulk: true)
        let values = RecordValues(self, place, reader)
        var plans = try plans(for: draft.records, in: place, values)
        // A person without the right is told so before minutes of copying.
        let writing = UnfinishedWriting(service: self, place: place)
        try writing.requireWriting()
        for index in plans.indices {
            try await plans[index].finish(values, over: nil)
            plans[index].requireExistence()
        }
        try order(&plans, in: place, reader)
        var batches = RecordBatches()
        for (index, plan) in plans.enumerated() {
            guard try plan.isFinished ? batches.add(plan) : writing.fits(plan) else {
                throw RecordService.said(APIError.requestTooLarge, of: draft.records[index], index)
            }
        }
        let operations = batches.parts.flatMap(\.draft.operations)
        for touch in try replica.touches(for: operations, in: place.space.id) {
            batches.add(touch: touch)
        }
        let unfinished = plans.filter { !$0.isFinished }
        let finished = plans.count - unfinished.count
        try await Deeds(replica).together(
            in: place.space.id, writingTo: Set(plans.map(\.record))
        ) { try await write(batches, of: finished, to: place) }
        // Last, as less can go wrong with them.
        do {
            try await writing.add(unfinished)
        } catch {
            guard finished > 0 else { throw error }
            throw onlyFinished(because: replica.sentence(for: error))
        }
        var report = RecordBatchReport(
            space: place.space.reference, collection: place.collection.name,
            ids: plans.map(\.record.description), commits: batches.parts.count)
        if !unfinished.isEmpty { report.unfinished = unfinished.count }
        return report
    }

    /// The plans for all records, without writing or adding anything.
    private func plans(
        for records: [RecordBatchDraft.NewRecord], in place: Place, _ values: RecordValues
    ) throws -> [RecordPlan] {
        // Sorted, though random: every device then writes each batch next to the one before.
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

    /// Puts the records after all others, as they are listed.
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

    private func write(
        _ batches: RecordBatches, of count: Int, to place: Place
    ) async throws {
        var added = 0
        for group in batches.groups {
            do {
                try await writer.write(group.map(\.draft), to: place.space, .changeRecords)
                let local = group.reduce(into: [:]) { $0.merge($1.local) { $1 } }
                if !local.isEmpty {
                    try await replica.store.offloaded {
                        try $0.records.setLocalValues(local, in: place.space.id)
                    }
                }
            } catch {
                guard added > 0 else { throw error }
                throw partlyAdded(added, of: count, because: replica.sentence(for: error))
            }
            added += group.reduce(0) { $0 + $1.count }
        }
    }
}

/// Records, divided into commits.
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

    /// The parts as they are written: one group unless there are more than ``Limits/commitsOfGroup``.
    var groups: [ArraySlice<Part>] {
        stride(from: 0, to: parts.count, by: Limits.commitsOfGroup).map {
            parts[$0..<min($0 + Limits.commitsOfGroup, parts.count)]
        }
    }

    /// The records that they write to, without those that they only touch.
    var records: Set<RecordID> {
        Set(parts.flatMap(\.draft.operations).filter { !$0.isTouch }.map(\.record))
    }

    init() {}

    /// Throws `tooLarge` when one of these does not fit into a commit.
    init(_ operations: [RecordOperation], tooLarge: APIError = .requestTooLarge) throws {
        for operation in operations where !add(operation, []) { throw tooLarge }
    }

    /// Writes the operations in order, each write with its own precedence.
    func write(to space: ReadableSpace, by writer: SpaceWriter) async throws {
        var batches = self
        for index in parts.indices { batches.parts[index].draft.keepsPrecedence = true }
        try await batches.write(to: space, by: writer, .changeRecords)
    }

    /// Writes the operations in order, with this person's precedence.
    func write(
        to space: ReadableSpace, by writer: SpaceWriter, _ action: SpaceAction
    ) async throws {
        for group in groups { try await writer.write(group.map(\.draft), to: space, action) }
    }

    /// Adds a record to the last commit or, when that is full, to a new one. False when it does not fit
    /// into a commit.
    mutating func add(_ plan: RecordPlan) -> Bool {
        let key = plan.place.key(plan.record)
        return add(
            RecordOperation(key, plan.writes), plan.blobs,
            local: plan.local.isEmpty ? [:] : [key: plan.local])
    }

    /// The same for a touch, which counts as no record.
    mutating func add(touch: RecordOperation) {
        let isAdded = add(touch, [], counting: 0)
        precondition(isAdded, "a touch does not fit into a commit")
    }

    /// The same for writes to a record, the files that they name, and values of this device alone.
    mutating func add(
        _ operation: RecordOperation, _ blobs: [NamedBlob],
        local: [RecordKey: [String: Value]] = [:], counting count: Int = 1
    ) -> Bool {
        let bytes = RecordBatches.bytes(of: operation) + blobs.count * Limits.namedBlobBytes
        guard bytes <= Limits.recordBytes else { return false }
        var part = parts.popLast() ?? Part()
        if !part.draft.operations.isEmpty,
            part.writes + operation.writes.count > Limits.writesPerTurn
                || part.bytes + bytes > Limits.commitBatchBytes
        {
            parts.append(part)
            part = Part()
        }
        part.draft.operations.append(operation)
        part.draft.blobs += blobs
        part.local.merge(local) { $1 }
        part.count += count
        part.writes += operation.writes.count
        part.bytes += bytes
        parts.append(part)
        return true
    }

    /// Whether an operation fits into a commit.
    static func fits(_ operation: RecordOperation) -> Bool {
        bytes(of: operation) <= Limits.recordBytes
    }

    /// The most bytes that an operation takes in a commit.
    private static func bytes(of operation: RecordOperation) -> Int {
        operation.writes.reduce(operation.collection.utf8.count + Limits.writeBytes) { sum, write in
            sum + write.field.utf8.count + write.value.canonicalBytes.count
                + (write.element?.canonicalBytes.count ?? 0) + Limits.writeBytes
        }
    }
}

extension Limits {
    /// Bytes of a write in a commit, without its field and values: tags, lengths, precedence.
    static let writeBytes = 48
    /// Bytes for naming a file in a commit.
    static let namedBlobBytes = 64
    /// Bytes of one record among several: its commit also needs room for a header and for the files.
    static let recordBytes = commitBytes - 64 * 1024
}

/// `reason` stopped it after some were durable.
private func partlyAdded(
    _ added: Int, of all: Int, because reason: APIError
) -> APIError {
    APIError(
        code: reason.code,
        sentence: "Only the first \(added) of \(all) records were added. \(reason.message)",
        hint: reason.advice)
}

/// `reason` stopped it after all finished records were durable.
private func onlyFinished(because reason: APIError) -> APIError {
    APIError(
        code: reason.code,
        sentence: """
            The finished records were added, and the unfinished ones were not. \(reason.message)
            """,
        hint: reason.advice)
}
