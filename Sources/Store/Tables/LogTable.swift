internal import GRDB
internal import SyncCore

enum LogTable {
    static func commit(
        at sequence: UInt64, of log: Int64, in database: Database
    ) throws -> CommitID? {
        try database.row(
            "SELECT commit_id FROM commits WHERE log = ? AND sequence = ?",
            [log, Int64(bitPattern: sequence)])?.identifier("commit_id")
    }

    /// The logs that go on beyond a watermark, with what it covers of them, and between which places in
    /// storing order their further commits stand, with those of other spaces; nil when none goes on.
    static func logs(
        of space: Int64, beyond watermark: Watermark, _ database: Database
    ) throws -> (covered: [Int64: UInt64], places: ClosedRange<Int64>?) {
        var covered: [Int64: UInt64] = [:]
        var places: ClosedRange<Int64>?
        for row in try database.rows("SELECT * FROM logs WHERE space = ?", [space]) {
            let known = watermark.sequence(of: try row.log())
            let head = try row.sequence("head_sequence")
            guard head > known else { continue }
            let log = try row.integer("id")
            covered[log] = known
            guard let first = try place(of: known + 1, in: log, database) else { continue }
            let last = try place(of: head, in: log, database) ?? .max
            Invariants.check(first <= last, "the end of log \(log) is stored before \(known + 1)")
            let before = places ?? first...first
            places = min(first, before.lowerBound)...max(last, before.upperBound)
        }
        return (covered, places)
    }

    private static func place(
        of sequence: UInt64, in log: Int64, _ database: Database
    ) throws -> Int64? {
        try database.number(
            "SELECT id FROM commits WHERE log = ? AND sequence = ?",
            [log, Int64(bitPattern: sequence)])
    }
}

extension Row {
    /// From the columns header, signature, clear and operations: a commit that was decoded when it
    /// was stored.
    func commit(_ decoder: any CommitDecoding) throws -> UnverifiedCommit {
        do {
            return try decoder.decode(try encodedCommit())
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError.corrupt("a commit's bytes: \(error)")
        }
    }

    /// From the columns header, signature, clear and operations.
    func encodedCommit() throws -> EncodedCommit {
        EncodedCommit(
            header: try bytes("header"), signature: try bytes("signature"),
            clear: try bytes("clear"), operations: try bytes("operations"))
    }
}
