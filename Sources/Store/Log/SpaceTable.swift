internal import GRDB
package import SyncCore

/// Where a space stands for this device.
package enum SpaceStanding: Int64, Sendable {
    /// Somebody offers it; nothing of it is fetched before it is accepted.
    case offered = 1
    case active = 2
    case left = 3
}

/// What is known of a space besides its log.
package struct StoredSpace: Hashable, Sendable {
    package let space: SpaceID
    package let standing: SpaceStanding
    /// Nil until the genesis is here.
    package let role: SpaceRole?
    package let schema: SchemaPin?
    package let acceptedAt: Milliseconds?
    package let offer: Offer?
    package let offeredBy: DeviceID?
}

extension WriteTransaction {
    /// The row of a space, made when it is not there.
    func row(of space: SpaceID, insertedAs standing: SpaceStanding) throws -> Int64 {
        if loaded.standings[space] == nil {
            try database.run(
                "INSERT INTO spaces (space_id, standing) VALUES (?, ?)",
                [space.bytes, standing.rawValue])
            loaded.standings[space] = standing
            loaded.isMarked = false
        }
        let row = try database.number("SELECT id FROM spaces WHERE space_id = ?", [space.bytes])
        guard let row else { throw StoreError.spaceUnknown(space) }
        return row
    }
}

extension WriteTransaction {
    func setStanding(
        of space: SpaceID, in row: Int64, to standing: SpaceStanding, now: Milliseconds
    ) throws {
        try database.run(
            "UPDATE spaces SET standing = ? WHERE id = ?", [standing.rawValue, row])
        loaded.standings[space] = standing
        loaded.isMarked = false
        guard standing == .active else { return }
        try database.run(
            "UPDATE spaces SET accepted_at = COALESCE(accepted_at, ?) WHERE id = ?",
            [now.stored, row])
    }
}

enum SpaceTable {
    /// The row of a space; throws ``StoreError/spaceUnknown(_:)``.
    static func row(of space: SpaceID, in database: Database) throws -> Int64 {
        let row = try database.number(
            "SELECT id FROM spaces WHERE space_id = ?", [space.bytes])
        guard let row else { throw StoreError.spaceUnknown(space) }
        return row
    }

    /// `shownUnder` is the schema that the space's records are made under; nil when it is not known.
    static func pin(
        _ schema: SchemaPin, _ row: Int64, shownUnder shown: SchemaID?, in database: Database
    ) throws {
        try database.run(
            """
            UPDATE spaces SET schema_id = ?, schema_version = ?, schema_document = ?,
                shown_schema = ? WHERE id = ?
            """,
            [
                schema.schema.bytes, Int64(schema.version), schema.document, shown?.bytes, row,
            ])
    }

    /// Keeps which schema a stored commit pins; returns whether it pins one. A space must not come to follow
    /// what nobody can read.
    static func notePin(
        of commit: UnverifiedCommit, at row: Int64, in space: Int64, _ database: Database
    ) throws -> Bool {
        let change = commit.clear.schema.flatMap { $0.isWhole ? $0 : nil }
        guard let pin = commit.clear.genesis?.schema ?? change else { return false }
        try database.run(
            """
            INSERT INTO schema_pins (commit_row, space, version, schema_id, commit_id)
            VALUES (?, ?, ?, ?, ?)
            """, [row, space, Int64(pin.version), pin.schema.bytes, commit.id.bytes])
        return true
    }

    /// The schema that the effective commits of a space say it follows, with its document; nil when
    /// that is the one it follows already.
    static func followed(
        in space: Int64, insteadOf known: SchemaPin, _ decoder: any CommitDecoding,
        _ database: Database
    ) throws -> SchemaPin? {
        let row = try database.row(
            """
            SELECT version, schema_id, header, signature, clear, operations FROM schema_pins
                JOIN commits ON commits.id = schema_pins.commit_row
            WHERE schema_pins.space = ? AND effective = 1
            ORDER BY version DESC, schema_pins.commit_id DESC LIMIT 1
            """, [space])
        guard let row else { return nil }
        let schema: SchemaID = try row.identifier("schema_id")
        let version = try row.integer("version")
        guard schema != known.schema || version != Int64(known.version) else { return nil }
        let clear = try row.commit(decoder).clear
        return clear.genesis?.schema ?? clear.schema
    }
}

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

extension Row {
    func standing() throws -> SpaceStanding {
        guard let standing = SpaceStanding(rawValue: try integer("standing")) else {
            throw wrong("standing")
        }
        return standing
    }

    fileprivate func storedSpace() throws -> StoredSpace {
        let standing = try standing()
        let hasGenesis = try optionalInteger("role") != nil
        let hasOffer = try optionalBytes("offered_by") != nil
        return StoredSpace(
            space: try identifier("space_id"), standing: standing,
            role: hasGenesis
                ? SpaceRole(rawValue: UInt8(truncatingIfNeeded: try integer("role"))) : nil,
            schema: hasGenesis
                ? SchemaPin(
                    schema: try identifier("schema_id"),
                    version: UInt32(truncatingIfNeeded: try integer("schema_version")),
                    document: try optionalBytes("schema_document")) : nil,
            acceptedAt: try moment("accepted_at"),
            offer: hasOffer
                ? Offer(
                    title: try text("offer_title"), from: try text("offer_from"),
                    flags: Permissions(
                        rawValue: UInt32(truncatingIfNeeded: try integer("offer_flags"))),
                    bytes: try unsigned("offer_bytes"),
                    schema: try text("offer_schema")) : nil,
            offeredBy: hasOffer ? try identifier("offered_by") : nil)
    }
}
