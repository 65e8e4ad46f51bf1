internal import CSQLite
internal import GRDB
internal import SyncCore

/// One row of an answer. Columns are read without trusting them: whatever a damaged file holds, the
/// answer is an error.
struct Row {
    private enum Column {
        case null
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
        /// A kind of value that the store never writes.
        case other
    }

    private enum Content {
        case copied([Column])
        /// What its cursor stands on.
        case current(Statement)
    }

    private let names: [String]
    private let content: Content

    /// The row that a statement stands on, copied.
    init(copying statement: Statement, _ names: [String]) {
        self.names = names
        content = .copied(names.indices.map { Row.column($0, of: statement) })
    }

    /// The row that a statement stands on; valid until its next step, as columns are read when they
    /// are asked for.
    init(current statement: Statement, _ names: [String]) {
        self.names = names
        content = .current(statement)
    }

    private subscript(name: String) -> Column {
        guard let place = names.firstIndex(of: name) else {
            preconditionFailure("no column \(name) among \(names)")
        }
        switch content {
        case .copied(let columns): return columns[place]
        case .current(let statement): return Row.column(place, of: statement)
        }
    }

    private static func column(_ place: Int, of statement: Statement) -> Column {
        let place = Int32(place)
        switch unsafe sqlite3_column_type(statement.sqliteStatement, place) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER:
            return .integer(unsafe sqlite3_column_int64(statement.sqliteStatement, place))
        case SQLITE_TEXT:
            // Asked for first: SQLite says the length of what it gave out last.
            let text = unsafe sqlite3_column_text(statement.sqliteStatement, place)
            let count = unsafe sqlite3_column_bytes(statement.sqliteStatement, place)
            return unsafe .text(
                String(
                    decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = unsafe sqlite3_column_blob(statement.sqliteStatement, place)
            let count = unsafe sqlite3_column_bytes(statement.sqliteStatement, place)
            return unsafe .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
        default: return .other
        }
    }

    /// Of all columns, in their order.
    func values() throws -> [PageValue] {
        try names.map { name in
            switch self[name] {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(Array(text.utf8))
            case .bytes(let bytes): .bytes(bytes)
            case .other: throw wrong(name)
            }
        }
    }

    func integer(_ column: String) throws -> Int64 {
        guard let number = try optionalInteger(column) else { throw wrong(column) }
        return number
    }

    func optionalInteger(_ column: String) throws -> Int64? {
        switch self[column] {
        case .integer(let number): return number
        case .null: return nil
        default: throw wrong(column)
        }
    }

    func unsigned(_ column: String) throws -> UInt64 { UInt64(bitPattern: try integer(column)) }

    /// A position in a log: small enough to be counted with.
    func sequence(_ column: String) throws -> UInt64 {
        let number = try integer(column)
        guard 0..<(1 << 48) ~= number else { throw wrong(column) }
        return UInt64(number)
    }

    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    func bytes(_ column: String) throws -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw wrong(column) }
        return bytes
    }

    func optionalBytes(_ column: String) throws -> [UInt8]? {
        switch self[column] {
        case .bytes(let bytes): return bytes
        case .null: return nil
        default: throw wrong(column)
        }
    }

    func text(_ column: String) throws -> String {
        guard case .text(let text) = self[column] else { throw wrong(column) }
        return text
    }

    func identifier<Kind>(_ column: String) throws -> Identifier<Kind> {
        guard let id = Identifier<Kind>(bytes: try bytes(column)) else { throw wrong(column) }
        return id
    }

    func record(_ column: String) throws -> RecordID {
        guard let id = RecordID(bytes: try bytes(column)) else { throw wrong(column) }
        return id
    }

    func moment(_ column: String) throws -> Milliseconds? {
        try optionalInteger(column).map { Milliseconds(UInt64(Swift.max(0, $0))) }
    }

    func log() throws -> LogID {
        guard let incarnation = Bytes16(try bytes("incarnation")) else {
            throw wrong("incarnation")
        }
        return LogID(device: try identifier("device"), incarnation: incarnation)
    }

    func wrong(_ column: String) -> StoreError { .corrupt("column \(column)") }
}

extension Milliseconds {
    /// Fits: a value of this type is at most 2^47.
    var stored: Int64 { Int64(value) }
}
