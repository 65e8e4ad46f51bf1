internal import GRDB
package import SyncCore

extension SyncStore {
    /// The serial number of a new pairing code; codes themselves are never stored.
    package func newPairingCode(now: Milliseconds) throws -> Int64 {
        try write { database in
            try database.run("INSERT INTO pairing_codes (shown_at) VALUES (?)", [now.stored])
            return database.lastInsertedRowID
        }
    }

    /// Burns a code, durably, before the first PAKE byte leaves. Returns false when it was burned
    /// before, or is of an earlier opening: it must not be used then.
    package func burnPairingCode(_ serial: Int64, now: Milliseconds) throws -> Bool {
        try write { database in
            try database.run(
                "UPDATE pairing_codes SET burned_at = ? WHERE serial = ? AND burned_at IS NULL",
                [now.stored, serial])
            return database.changesCount == 1
        }
    }

    /// Codes burned since pairing was last opened or last succeeded.
    package func burnedPairingCodes() throws -> Int {
        try read { database in
            Int(
                try database.number(
                    "SELECT COUNT(*) FROM pairing_codes WHERE burned_at IS NOT NULL") ?? 0)
        }
    }

    /// A person opens pairing again: earlier codes are void and the count starts at none.
    package func reopenPairing() throws {
        try write { try $0.run("DELETE FROM pairing_codes") }
    }
}
