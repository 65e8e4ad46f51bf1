internal import GRDB
package import SyncCore

/// Which pairing codes were shown and burned; codes themselves are never stored.
package struct PairingCodes: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// The serial number of a new pairing code; codes themselves are never stored.
    package func add(now: Milliseconds) throws -> Int64 {
        try connection.write { database in
            try database.run("INSERT INTO pairing_codes (shown_at) VALUES (?)", [now.stored])
            return database.lastInsertedRowID
        }
    }

    /// Burns a code, durably, before the first PAKE byte leaves. Returns false when it was burned
    /// before, or is of an earlier opening: it must not be used then.
    package func burn(_ serial: Int64, now: Milliseconds) throws -> Bool {
        try connection.write { database in
            try database.run(
                "UPDATE pairing_codes SET burned_at = ? WHERE serial = ? AND burned_at IS NULL",
                [now.stored, serial])
            return database.changesCount == 1
        }
    }

    /// Codes burned since pairing was last opened or last succeeded.
    package func burnedCount() throws -> Int {
        try connection.read { database in
            Int(
                try database.number(
                    "SELECT COUNT(*) FROM pairing_codes WHERE burned_at IS NOT NULL") ?? 0)
        }
    }

    /// A person opens pairing again: earlier codes are void and the count starts at none.
    package func reopen() throws {
        try connection.write { try $0.run("DELETE FROM pairing_codes") }
    }
}
