internal import Foundation
internal import GRDB
internal import SyncCore

/// Reading columns without trusting them: whatever a damaged file holds, the answer is an error.
extension Row {
    func integer(_ column: String) throws -> Int64 {
        guard let number = try optionalInteger(column) else { throw wrong(column) }
        return number
    }

    func optionalInteger(_ column: String) throws -> Int64? {
        switch stored(column) {
        case .int64(let number): return number
        case .null: return nil
        default: throw wrong(column)
        }
    }

    func unsigned(_ column: String) throws -> UInt64 { UInt64(bitPattern: try integer(column)) }

    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    func bytes(_ column: String) throws -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw wrong(column) }
        return bytes
    }

    func optionalBytes(_ column: String) throws -> [UInt8]? {
        switch stored(column) {
        case .blob(let data): return Array(data)
        case .null: return nil
        default: throw wrong(column)
        }
    }

    func text(_ column: String) throws -> String {
        guard case .string(let text) = stored(column) else { throw wrong(column) }
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

    private func stored(_ column: String) -> DatabaseValue.Storage {
        let value: DatabaseValue = self[column]
        return value.storage
    }
}

extension Identifier {
    var data: Data { Data(bytes) }
}

extension RecordID {
    var data: Data { Data(bytes) }
}

extension Milliseconds {
    /// Fits: a value of this type is at most 2^47.
    var stored: Int64 { Int64(value) }
}

extension Database {
    /// Runs one cached statement.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(try cachedStatement(sql: sql), arguments: arguments)
    }

    func rowCursor(_ sql: String, _ arguments: StatementArguments = []) throws -> RowCursor {
        try Row.fetchCursor(try makeStatement(sql: sql), arguments: arguments)
    }

    func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
        try Int64.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }
}

extension [UInt8] {
    var data: Data { Data(self) }
}
