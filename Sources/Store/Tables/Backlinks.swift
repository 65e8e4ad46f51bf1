internal import GRDB
internal import SyncCore

/// The table `mentions`: which records refer to a record.
///
/// A row holds what the records of one batch mention, 16 bytes each: the first eight of the id that is
/// referred to, and the row of the record that does, big endian. Nothing is removed when a reference
/// goes: readers look at each record they find here. An index by the target would rewrite a page
/// for nearly every reference of a first sync; looking through a million of these takes
/// milliseconds.
struct Backlinks {
    private static let half = 8
    private var pairs: [UInt8] = []

    /// Notes what a record refers to now and did not when it was loaded.
    mutating func note(_ targets: Set<RecordID>, except known: Set<RecordID>, of row: Int64) {
        for target in targets where !known.contains(target) {
            pairs += target.bytes.prefix(Backlinks.half)
            pairs += bigEndian(UInt64(bitPattern: row))
        }
    }

    func write(of space: Int64, in database: Database) throws {
        guard !pairs.isEmpty else { return }
        precondition(
            pairs.count.isMultiple(of: 2 * Backlinks.half), "\(pairs.count) bytes are no pairs")
        try database.run("INSERT INTO mentions (space, pairs) VALUES (?, ?)", [space, pairs])
    }

    static func remove(of space: Int64, in database: Database) throws {
        try database.run("DELETE FROM mentions WHERE space = ?", [space])
    }

    /// What a record refers to, in any value that still counts.
    static func targets(in state: RecordState) -> Set<RecordID> {
        var targets: Set<RecordID> = []
        for register in state.fields.values {
            for write in register.writes {
                if let target = write.value.reference { targets.insert(target) }
            }
        }
        for elements in state.sets.values {
            for element in elements.keys {
                if let target = element.reference { targets.insert(target) }
            }
        }
        return targets
    }

    /// The rows of the records that refer to one of these, or did, and perhaps of others.
    static func rows(
        linkingToAny targets: Set<RecordID>, in space: Int64, _ database: Database
    ) throws -> Set<Int64> {
        let wanted = Set(targets.map { key($0.bytes.prefix(half)) })
        guard !wanted.isEmpty else { return [] }
        var rows: Set<Int64> = []
        try forEach(in: "main", of: space, database) { target, row in
            if wanted.contains(key(target)) { rows.insert(row) }
        }
        return rows
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> UInt64 { UInt64(bigEndian: bytes) }

    /// Each pair of a space, or of all of them, in the tables of a database.
    static func forEach(
        in schema: String, of space: Int64? = nil, _ database: Database,
        _ body: (ArraySlice<UInt8>, Int64) -> Void
    ) throws {
        let cursor = try database.rowCursor(
            "SELECT pairs FROM \(schema).mentions WHERE ?1 IS NULL OR space = ?1", [space])
        while let row = try cursor.next() {
            let pairs = try row.bytes("pairs")
            for place in stride(from: 0, to: pairs.count - 2 * half + 1, by: 2 * half) {
                let row = pairs[(place + half)..<(place + 2 * half)]
                body(pairs[place..<(place + half)], Int64(bitPattern: key(row)))
            }
        }
    }
}
