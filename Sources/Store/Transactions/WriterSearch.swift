internal import GRDB
internal import SyncCore

extension WriterRows {
    /// The rows of the commits that write to each of some records and count, in order, read from the log from the first
    /// of their `makers` on. Nil when one of these commits was opened once, and cannot be opened now: nobody knows
    /// whether it writes to one of them.
    static func find(
        of makers: [RecordKey: Int64], under schema: Schema?, in space: Int64, _ texts: CommitTexts,
        _ database: Database
    ) throws -> [RecordKey: [Int64]]? {
        guard let first = makers.values.min() else { return [:] }
        let candidates = try search(
            "effective = 1 AND id >= \(first)", naming: Set(makers.keys.map(\.record)), in: space,
            database)
        var found: [RecordKey: [Int64]] = [:]
        for row in candidates.sorted() {
            guard let keys = try texts.keys(writtenBy: row, under: schema, in: database) else {
                return nil
            }
            for key in keys where makers[key] != nil { found[key, default: []].append(row) }
        }
        return found
    }
}
