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

    /// Whether it waits for this person's answer; what was taken back stays as an offer of nothing.
    package var isOffered: Bool { standing == .offered && offer?.flags.isEmpty == false }
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

extension Row {
    func standing() throws -> SpaceStanding {
        guard let standing = SpaceStanding(rawValue: try integer("standing")) else {
            throw wrong("standing")
        }
        return standing
    }

    func storedSpace() throws -> StoredSpace {
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
