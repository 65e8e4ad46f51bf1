internal import GRDB
internal import SyncCore

/// The table `settings`. Keys of the program itself have no dot; those of callers stand under
/// "user.".
enum Settings {
    static func bytes(_ key: String, in database: Database) throws -> [UInt8]? {
        try database.row("SELECT value FROM settings WHERE key = ?", [key])?.bytes("value")
    }

    static func text(_ key: String, in database: Database) throws -> String? {
        try bytes(key, in: database).map { String(decoding: $0, as: UTF8.self) }
    }

    static func number(_ key: String, in database: Database) throws -> Int64? {
        guard let bytes = try bytes(key, in: database) else { return nil }
        guard bytes.count == 8 else { throw StoreError.corrupt("setting \(key)") }
        return Int64(bigEndian: bytes)
    }

    static func set(_ key: String, number: Int64, in database: Database) throws {
        try set(key, bigEndian(UInt64(bitPattern: number)), in: database)
    }

    static func set(_ key: String, _ value: [UInt8]?, in database: Database) throws {
        precondition(
            key.hasPrefix("user.") || !key.contains("."), "\(key) is no setting of the program")
        if let value {
            try database.run(
                """
                INSERT INTO settings (key, value) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, [key, value])
        } else {
            try database.run("DELETE FROM settings WHERE key = ?", [key])
        }
    }
}
