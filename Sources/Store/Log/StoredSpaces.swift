internal import GRDB
package import SyncCore

/// Which spaces there are, where each stands for this device, and its schema.
package struct StoredSpaces: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// Every space that was ever offered, made or joined.
    package func all() throws -> [StoredSpace] {
        try connection.read {
            try $0.rows("SELECT * FROM spaces ORDER BY id").map { try $0.storedSpace() }
        }
    }

    /// Where a space stands, as of the last committed transaction; nil for one that was never offered,
    /// made or joined.
    package func standing(of space: SpaceID) -> SpaceStanding? {
        connection.loaded { $0.standings[space] }
    }

    package func space(_ space: SpaceID) throws -> StoredSpace? {
        try connection.read { database in
            try database.row("SELECT * FROM spaces WHERE space_id = ?", [space.bytes])?
                .storedSpace()
        }
    }

    /// Spaces of this standing, with those of which the offer was taken back.
    package var offered: Set<SpaceID> {
        connection.loaded { Set($0.standings.filter { $0.value == .offered }.keys) }
    }

    /// The schema that a space follows; nil while it is not known here, or nothing of the space is.
    package func schema(of space: SpaceID) -> Schema? {
        connection.loaded { $0.spaces[space]?.ledger.schema }.flatMap { connection.schemas($0) }
    }

    /// Whether what is written to a space has to be sealed; false for one that is not here.
    package func isToBeSealed(_ space: SpaceID) -> Bool {
        connection.loaded { $0.spaces[space]?.ledger.membership.isToBeSealed ?? false }
    }

    /// Spaces of which everything was lost to damage, and nothing came again yet.
    package var emptied: Set<SpaceID> {
        connection.loaded { loaded in
            loaded.emptied.filter { loaded.standings[$0] == .active }
        }
    }

    /// Keeps an offer of a space; one that is already offered takes the new text, any other
    /// standing stays as it is. Returns whether the space is (still) only offered.
    package func saveOffer(
        _ offer: Offer, of space: SpaceID, by device: DeviceID
    ) throws -> Bool {
        try connection.turn { turn in
            let database = turn.database
            let row = try turn.row(of: space, insertedAs: .offered)
            try database.run(
                """
                UPDATE spaces SET offer_title = ?, offer_from = ?, offer_flags = ?,
                    offer_bytes = ?, offered_by = ?, offer_schema = ?
                WHERE id = ? AND standing = 1
                """,
                [
                    offer.title, offer.from, Int64(offer.flags.rawValue),
                    Int64(bitPattern: offer.bytes), device.bytes, offer.schema, row,
                ])
            return database.changesCount > 0
        }
    }

    /// Throws ``StoreError/spaceUnknown(_:)`` when the space was neither offered nor made here.
    package func setStanding(
        of space: SpaceID, to standing: SpaceStanding, now: Milliseconds
    ) throws {
        try connection.turn { turn in
            let row = try SpaceTable.row(of: space, in: turn.database)
            try turn.setStanding(of: space, in: row, to: standing, now: now)
        }
    }
}
