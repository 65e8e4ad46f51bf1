/// Settings of this device.
package struct LocalSettings: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// A setting of this device; nil when it was never set.
    package func value(of key: String) throws -> String? {
        try connection.read { try Settings.text("user." + key, in: $0) }
    }

    /// All settings of this device, by key.
    package func all() throws -> [String: String] {
        try connection.read { database in
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
    package func set(_ key: String, to value: String?, isPassing: Bool = false) throws {
        try set([key: value], arePassing: isPassing)
    }

    /// Sets several settings in one transaction; nil removes one. Those that pass come back older when the
    /// database was damaged: what they cost each time is one transaction.
    package func set(_ values: [String: String?], arePassing: Bool = false) throws {
        try connection.turn { turn in
            for (key, value) in values {
                try Settings.set("user." + key, value.map { Array($0.utf8) }, in: turn.database)
            }
            if !arePassing { turn.loaded.isMarked = false }
        }
    }

    /// Changes a setting by what it is, in one transaction: nobody sets it in between. Nil removes it. Throws what
    /// `body` throws.
    package func change(_ key: String, _ body: (String?) throws -> String?) throws {
        try connection.turn { turn in
            let before = try Settings.text("user." + key, in: turn.database)
            let after = try body(before)
            guard after != before else { return }
            try Settings.set("user." + key, after.map { Array($0.utf8) }, in: turn.database)
            turn.loaded.isMarked = false
        }
    }
}
