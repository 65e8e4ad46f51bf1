internal import CSQLite
internal import GRDB
internal import SyncCore

/// A value of a row, also of one that was read without SQLite.
enum PageValue: Hashable {
    case null
    case integer(Int64)
    case text([UInt8])
    case bytes([UInt8])

    var blob: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    var number: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }
}

extension PageValue: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        switch self {
        case .null: unsafe sqlite3_bind_null(statement.sqliteStatement, place)
        case .integer(let number): number.bind(to: statement, at: place)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).bind(to: statement, at: place)
        case .bytes(let bytes): bytes.bind(to: statement, at: place)
        }
    }
}

extension Database {
    /// Adds a row of a table, in whose columns its values stand one by one, unless it is there.
    func insertFitting(_ row: [PageValue], into table: String, _ columns: [String]) throws {
        let values = row.prefix(columns.count)
        let names = columns.prefix(values.count).joined(separator: ", ")
        let places = values.map { _ in "?" }.joined(separator: ", ")
        do {
            try run(
                "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))", Array(values))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // A row of another kind, or of something that is gone.
        }
    }
}
