internal import CSQLite
internal import GRDB

/// What the places of a statement take. Ids go in as their raw bytes.
protocol Bindable {
    /// Copies the value to a place, counted from 1; returns a result code of SQLite.
    func bind(to statement: Statement, at place: Int32) -> Int32
}

extension Int64: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        unsafe sqlite3_bind_int64(statement.sqliteStatement, place, self)
    }
}

extension Int: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: place)
    }
}

extension UInt8: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: place)
    }
}

extension Bool: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        Int64(self ? 1 : 0).bind(to: statement, at: place)
    }
}

extension String: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { text in
            unsafe peersync_bind_text(
                statement.sqliteStatement, place, text.baseAddress, UInt64(text.count))
        }
    }
}

extension [UInt8]: Bindable {
    func bind(to statement: Statement, at place: Int32) -> Int32 {
        unsafe withUnsafeBytes { bytes in
            unsafe peersync_bind_bytes(
                statement.sqliteStatement, place, bytes.baseAddress, UInt64(bytes.count))
        }
    }
}
