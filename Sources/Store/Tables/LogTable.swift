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

    /// The logs that go on beyond a watermark, with what it covers of them, and the first place in
    /// storing order where one does; nil when none does.
    static func logs(
        of space: Int64, beyond watermark: Watermark, _ database: Database
    ) throws -> (covered: [Int64: UInt64], first: Int64?) {
        var covered: [Int64: UInt64] = [:]
        var first: Int64?
        for row in try database.rows("SELECT * FROM logs WHERE space = ?", [space]) {
            let known = watermark.sequence(of: try row.log())
            guard try row.sequence("head_sequence") > known else { continue }
            let log = try row.integer("id")
            covered[log] = known
            let place = try database.number(
                "SELECT id FROM commits WHERE log = ? AND sequence = ?",
                [log, Int64(bitPattern: known + 1)])
            first = [first, place].compactMap { $0 }.min()
        }
        return (covered, first)
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
