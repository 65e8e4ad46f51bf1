internal import GRDB
package import SyncCore

/// Files that count in one space as soon as they do in another one, because a person moved the records
/// there that name them.
extension StoredFiles {
    /// Has files of `source` count in `target` too, in one transaction: those that `source` holds at once, all
    /// others when they were received there. What only a third space holds is none of them: naming it in
    /// `source` gave nobody its bytes.
    package func follow(_ blobs: Set<BlobID>, of source: SpaceID, in target: SpaceID) throws {
        try connection.turn { turn in
            for blob in blobs.sorted() {
                let row = try turn.database.number(
                    """
                    SELECT blobs.id FROM blobs JOIN blob_spaces ON blob_spaces.blob = blobs.id
                        JOIN spaces ON spaces.id = blob_spaces.space
                    WHERE blob_id = ? AND state = \(BlobState.present) AND space_id = ? AND held = 1
                    """, [blob.bytes, source.bytes])
                if let row {
                    try turn.update(blob: row) { try turn.hold(row, in: target) }
                } else {
                    try Follower(source: source, target: target).note(of: blob, turn.database)
                }
            }
        }
    }
}

extension WriteTransaction {
    /// Notes that the bytes of the blob in this row were imported or received in a space, and with it in those
    /// that follow it.
    func hold(_ blob: Int64, in space: SpaceID) throws {
        let row = try database.number("SELECT id FROM spaces WHERE space_id = ?", [space.bytes])
        guard let row else { throw StoreError.spaceUnknown(space) }
        try database.run(
            """
            INSERT INTO blob_spaces (space, blob, held) VALUES (?, ?, 1)
            ON CONFLICT DO UPDATE SET held = 1
            """, [row, blob])
        for target in try Follower.release(blob, of: space, database) {
            // A space that was left meanwhile needs nothing.
            do { try hold(blob, in: target) } catch StoreError.spaceUnknown { continue }
        }
    }
}

/// A space in which a file is to count once it was received in another one. Noted among the settings, by file.
private struct Follower: Equatable {
    let source: SpaceID
    let target: SpaceID

    private static let prefix = "follows:"

    func note(of blob: BlobID, _ database: Database) throws {
        let key = Follower.key(of: blob)
        var all = try Follower.all(in: Settings.bytes(key, in: database) ?? [])
        guard !all.contains(self) else { return }
        all.append(self)
        try Settings.set(key, Follower.bytes(all), in: database)
    }

    /// The spaces that follow one with the blob in this row; they do no more.
    static func release(
        _ blob: Int64, of source: SpaceID, _ database: Database
    ) throws -> [SpaceID] {
        let row = try database.row(
            """
            SELECT key, value FROM settings
            WHERE key = (SELECT ? || lower(hex(blob_id)) FROM blobs WHERE id = ?)
            """, [prefix, blob])
        guard let row else { return [] }
        let all = try all(in: row.bytes("value"))
        let rest = all.filter { $0.source != source }
        try Settings.set(row.text("key"), rest.isEmpty ? nil : bytes(rest), in: database)
        return all.filter { $0.source == source }.map(\.target)
    }

    private static func key(of blob: BlobID) -> String { prefix + hexadecimal(blob.bytes) }

    private static func bytes(_ all: [Follower]) -> [UInt8] {
        let bytes = all.flatMap { $0.source.bytes + $0.target.bytes }
        Invariants.check((try? Follower.all(in: bytes)) == all, "spaces are read back as others")
        return bytes
    }

    private static func all(in bytes: [UInt8]) throws -> [Follower] {
        let spaces = try identifiers(in: bytes).map { SpaceID($0.value) }
        return stride(from: 0, to: spaces.count - 1, by: 2).map {
            Follower(source: spaces[$0], target: spaces[$0 + 1])
        }
    }
}
