internal import GRDB
package import SyncCore

/// The table `settings`. Keys of the program itself have no dot; those of callers stand under
/// "user.".
enum Settings {
    static func bytes(_ key: String, in database: Database) throws -> [UInt8]? {
        try database.row("SELECT value FROM settings WHERE key = ?", [key])?.bytes("value")
    }

    static func text(_ key: String, in database: Database) throws -> String? {
        try bytes(key, in: database).map { String(decoding: $0, as: UTF8.self) }
    }

    static func set(_ key: String, _ value: [UInt8]?, in database: Database) throws {
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

extension SyncStore {
    /// A setting of this device; nil when it was never set.
    package func setting(_ key: String) throws -> String? {
        try read { try Settings.text("user." + key, in: $0) }
    }

    /// All settings of this device, by key.
    package func settings() throws -> [String: String] {
        try read { database in
            var found: [String: String] = [:]
            for row in try database.rows("SELECT key, value FROM settings WHERE key GLOB 'user.*'")
            {
                let key = try row.text("key").dropFirst("user.".count)
                found[String(key)] = String(decoding: try row.bytes("value"), as: UTF8.self)
            }
            return found
        }
    }

    /// Nil removes the setting.
    package func setSetting(_ key: String, to value: String?, isPassing: Bool = false) throws {
        try setSettings([key: value], arePassing: isPassing)
    }

    /// Sets several settings in one transaction; nil removes one. Those that pass come back older when the
    /// database was damaged: what they cost each time is one transaction.
    package func setSettings(_ values: [String: String?], arePassing: Bool = false) throws {
        try turn { turn in
            for (key, value) in values {
                try Settings.set("user." + key, value.map { Array($0.utf8) }, in: turn.database)
            }
            if !arePassing { turn.loaded.isMarked = false }
        }
    }

    /// The incarnation under which this device writes now; ``opening`` says the one at opening.
    package func incarnation() throws -> Incarnation {
        guard let incarnation = loaded({ $0.incarnation }) else {
            throw StoreError.corrupt("no incarnation")
        }
        return incarnation
    }

    /// Starts a new incarnation: after a fork, or when a peer knows more of one's own log.
    package func startNewIncarnation(
        random: inout some RandomNumberGenerator
    ) throws -> Incarnation {
        let fresh = Incarnation(random: &random)
        try turn { turn in
            try Settings.set("incarnation", fresh.bytes, in: turn.database)
            turn.loaded.incarnation = fresh
        }
        return fresh
    }
}
