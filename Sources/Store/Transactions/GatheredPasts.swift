internal import GRDB
internal import SyncCore

/// The pasts of records whose texts are put together, read from the log for many of them at a time: a commit that wrote
/// to a thousand records is decoded once for all of those, and not for each.
struct GatheredPasts {
    private let database: Database
    private let schema: Schema?
    private let texts: CommitTexts
    /// In the order in which they are asked for.
    private var waiting: ArraySlice<WrittenRecord>
    private var gathered: [RecordKey: WrittenPast] = [:]

    init(
        of records: [WrittenRecord], under schema: Schema?, _ texts: CommitTexts,
        _ database: Database
    ) {
        (waiting, self.schema, self.texts, self.database) = (records[...], schema, texts, database)
    }

    /// Hands over the past of a record; nil for one that is not among the records. They are asked for in their order, each
    /// once.
    mutating func remove(_ key: RecordKey) throws -> WrittenPast? {
        if waiting.first?.key == key { try gather() }
        return gathered.removeValue(forKey: key)
    }

    /// Reads the commits of the next records in storing order.
    private mutating func gather() throws {
        precondition(gathered.isEmpty, "\(gathered.count) pasts were not asked for")
        var part = PastsInPart(of: waiting)
        var visits = part.visits[...]
        while let row = visits.first?.row {
            let here = visits.prefix { $0.row == row }
            visits = visits.dropFirst(here.count)
            let readers = part.readers(here.map(\.past))
            if !readers.isEmpty { try read(row, for: readers, into: &part) }
        }
        waiting = waiting.dropFirst(part.pasts.count)
        for past in part.pasts {
            past.check()
            gathered[past.record.key] = past
        }
    }

    private func read(
        _ row: Int64, for readers: [RecordKey: PastsInPart.Reader], into part: inout PastsInPart
    ) throws {
        let written = try texts.writes(
            to: Set(readers.keys.map(\.record)), under: schema, by: row, in: database)
        guard let written else {
            for reader in readers.values { part.noteLoss(in: reader.past) }
            return
        }
        var author: WrittenPast.Author?
        for write in written {
            guard write.write.element == nil, let reader = readers[write.key],
                reader.fields.contains(write.write.field)
            else { continue }
            author = try author ?? self.author(in: row)
            guard let author else { return }
            part.note(write, of: author, in: reader.past)
        }
        part.shorten()
    }

    private func author(in row: Int64) throws -> WrittenPast.Author? {
        try database.row(
            """
            SELECT commit_id, log, sequence, clock, device, incarnation
            FROM commits JOIN logs ON logs.id = commits.log WHERE commits.id = ?
            """, [row]
        ).map { found in
            WrittenPast.Author(
                row: row, id: try found.identifier("commit_id"), log: try found.log(),
                logRow: try found.integer("log"), sequence: try found.sequence("sequence"),
                clock: HybridTime(raw: try found.unsigned("clock")))
        }
    }
}

/// The first of some records, as many as fit into memory together with their pasts, at least one.
private struct PastsInPart {
    /// Reads a commit for a record.
    struct Reader {
        let past: Int
        let fields: [String]
    }

    private(set) var pasts: [WrittenPast] = []
    private var bytes = 0

    init(of records: ArraySlice<WrittenRecord>) {
        var writes = 0
        for record in records {
            writes += (record.writers?.count ?? 0) * record.fields.count
            guard pasts.isEmpty || writes <= Limits.gatheredWrites else { break }
            pasts.append(WrittenPast(of: record))
        }
    }

    /// Which commit is to be read for which past, in storing order.
    var visits: [(row: Int64, past: Int)] {
        var visits: [(row: Int64, past: Int)] = []
        for (index, past) in pasts.enumerated() where !past.record.fields.isEmpty {
            visits += (past.record.writers ?? []).map { (row: $0, past: index) }
        }
        return visits.sorted { ($0.row, $0.past) < ($1.row, $1.past) }
    }

    /// Those of these pasts that still have room for a commit.
    func readers(_ places: [Int]) -> [RecordKey: Reader] {
        var readers: [RecordKey: Reader] = [:]
        for place in places where place < pasts.count {
            let fields = pasts[place].openFields
            guard !fields.isEmpty else { continue }
            readers[pasts[place].record.key] = Reader(past: place, fields: fields)
        }
        return readers
    }

    mutating func noteLoss(in place: Int) { pasts[place].noteLoss() }

    mutating func note(
        _ write: IndexedWrite, of commit: WrittenPast.Author, in place: Int
    ) {
        bytes -= pasts[place].bytes
        pasts[place].note(write, of: commit)
        bytes += pasts[place].bytes
    }

    /// Leaves the last records to the next part while the values are too large; those of one are left out instead.
    mutating func shorten() {
        while bytes > Limits.keptValueBytes, pasts.count > 1 {
            bytes -= pasts.removeLast().bytes
        }
        Invariants.check(
            bytes == pasts.reduce(0) { $0 + $1.bytes }, "the values have other than \(bytes) bytes")
    }
}

extension Limits {
    /// Writes whose places in the log are held at a time while texts are merged: a few megabytes. One record may have
    /// more.
    package static let gatheredWrites = 1 << 14
}
