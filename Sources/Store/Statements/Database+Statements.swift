internal import CSQLite
internal import GRDB

/// Statements, prepared once for each connection. Their values go in and out without a detour: of
/// GRDB are the connections and what they keep prepared.
extension Database {
    /// Runs one statement; one that writes only in a transaction, never after SQLite has ended it
    /// because of an error.
    func run(_ sql: String, _ arguments: [(any Bindable)?] = []) throws {
        let statement = try bound(sql, arguments)
        defer { statement.leave() }
        let isWriting = unsafe sqlite3_stmt_readonly(statement.sqliteStatement) == 0
        guard !isWriting || isInsideTransaction else {
            throw DatabaseError(
                resultCode: .SQLITE_ABORT, message: "the transaction is over", sql: sql)
        }
        while try step(statement) {}
    }

    func row(_ sql: String, _ arguments: [(any Bindable)?] = []) throws -> Row? {
        let statement = try bound(sql, arguments)
        defer { statement.leave() }
        return try step(statement) ? Row(copying: statement, statement.names) : nil
    }

    func rows(_ sql: String, _ arguments: [(any Bindable)?] = []) throws -> [Row] {
        let statement = try bound(sql, arguments)
        defer { statement.leave() }
        var rows: [Row] = []
        guard try step(statement) else { return rows }
        let names = statement.names
        repeat { rows.append(Row(copying: statement, names)) } while try step(statement)
        return rows
    }

    /// The rows one by one, for answers that may be long.
    func rowCursor(_ sql: String, _ arguments: [(any Bindable)?] = []) throws -> RowCursor {
        RowCursor(try bound(sql, arguments), of: self)
    }

    /// The first column of the first row; nil for none, and for what is no number.
    func number(_ sql: String, _ arguments: [(any Bindable)?] = []) throws -> Int64? {
        let statement = try bound(sql, arguments)
        defer { statement.leave() }
        guard try step(statement),
            unsafe sqlite3_column_type(statement.sqliteStatement, 0) == SQLITE_INTEGER
        else { return nil }
        return unsafe sqlite3_column_int64(statement.sqliteStatement, 0)
    }

    func hasTable(_ name: String) throws -> Bool {
        try number("SELECT 1 FROM sqlite_schema WHERE name = ?", [name]) != nil
    }

    /// One transaction that reads: all of it sees the same state.
    func reading<Answer>(_ body: () throws -> Answer) throws -> Answer {
        try transaction(begin: "BEGIN", body)
    }

    /// One transaction that writes; undone when `body` or its end fails.
    func writing<Answer>(_ body: () throws -> Answer) throws -> Answer {
        try transaction(begin: "BEGIN IMMEDIATE", body)
    }

    private func transaction<Answer>(begin: String, _ body: () throws -> Answer) throws -> Answer {
        try control(begin)
        do {
            let answer = try body()
            try control("COMMIT")
            return answer
        } catch {
            // The first error is the one to tell. SQLite may have ended the transaction itself.
            try? rollback()
            throw error
        }
    }

    private func control(_ sql: String) throws {
        let statement = try bound(sql, [])
        defer { statement.leave() }
        while try step(statement) {}
    }

    private func bound(_ sql: String, _ arguments: [(any Bindable)?]) throws -> Statement {
        var statement = try cachedStatement(sql: sql)
        if unsafe sqlite3_stmt_busy(statement.sqliteStatement) != 0 {
            // A cursor still reads from it.
            statement = try makeStatement(sql: sql)
        }
        guard unsafe sqlite3_bind_parameter_count(statement.sqliteStatement) == arguments.count
        else {
            preconditionFailure("\(arguments.count) values for \(sql)")
        }
        for (index, argument) in arguments.enumerated() {
            guard let argument else { continue }
            let code = argument.bind(to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else {
                statement.leave()
                throw failure(code, statement)
            }
        }
        return statement
    }

    /// Whether the statement stands on a row now; false at its end.
    fileprivate func step(_ statement: Statement) throws -> Bool {
        switch unsafe sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code, statement)
        }
    }

    private func failure(_ code: Int32, _ statement: Statement) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: statement.sql)
    }
}

/// The rows of a statement one after the other; each is valid until the next is asked for.
final class RowCursor {
    private let statement: Statement
    private let database: Database
    private let names: [String]
    private var isOver = false

    fileprivate init(_ statement: Statement, of database: Database) {
        self.statement = statement
        self.database = database
        names = statement.names
    }

    deinit {
        if !isOver { statement.leave() }
    }

    func next() throws -> Row? {
        if isOver { return nil }
        isOver = true
        // From the end on the statement is anybody's.
        defer { if isOver { statement.leave() } }
        guard try database.step(statement) else { return nil }
        isOver = false
        return Row(current: statement, names)
    }
}

extension Statement {
    /// Ends reading, which would keep the transaction open, and lets go of the values.
    fileprivate func leave() {
        unsafe sqlite3_reset(sqliteStatement)
        unsafe sqlite3_clear_bindings(sqliteStatement)
    }

    fileprivate var names: [String] {
        let count = unsafe sqlite3_column_count(sqliteStatement)
        return (0..<count).map { place in
            guard let name = unsafe sqlite3_column_name(sqliteStatement, place) else { return "" }
            return unsafe String(cString: name)
        }
    }
}
