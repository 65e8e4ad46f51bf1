internal import LocalAPI
internal import SyncCore

/// The values that the versions of one level shipped: for each value of a row the first version that had
/// it. A value that a set shipped does not count as a person's.
struct ReleasedRows: Equatable {
    /// Hashes of values by field, each with its version.
    typealias Row = [String: [String: Int]]

    /// The name of the set.
    var set = ""
    /// The hash of all rows by version.
    private(set) var digests: [Int: String] = [:]
    /// By collection and key.
    private(set) var rows: [String: [String: Row]] = [:]

    // MARK: Asking

    /// The first version that shipped a value; nil where none did.
    func version(
        of value: Value, _ field: FieldSchema, _ key: String, in collection: String
    ) -> Int? {
        guard let hashes = rows[collection]?[key]?[field.name] else { return nil }
        return hashes[hash(of: value, field, in: collection)]
    }

    /// The rows that had a value in a field, by its hash.
    func keys(by field: FieldSchema, in collection: String) -> [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        for (key, row) in rows[collection] ?? [:] {
            for hash in (row[field.name] ?? [:]).keys { keys[hash, default: []].insert(key) }
        }
        return keys
    }

    /// The same in every space, which excludes references to records.
    func hash(of value: Value, _ field: FieldSchema, in collection: String) -> String {
        let place = [set, collection, field.name].flatMap { lengthPrefixed(Array($0.utf8)) }
        let bytes = Label.dataSetValue.hash(place + value.canonicalBytes).bytes
        return hexadecimal(bytes.prefix(ReleasedRows.hashBytes))
    }

    /// Bytes of the hash of a value; a person hardly ever types another value with the same hash.
    static let hashBytes = 8

    /// One released value.
    struct Entry {
        let collection: String
        let key: String
        let field: String
        let version: Int
        let hash: String
    }

    /// All values, in no order.
    var entries: [Entry] {
        rows.flatMap { collection, rows in
            rows.flatMap { key, row in
                row.flatMap { field, hashes in
                    hashes.map { hash, version in
                        Entry(
                            collection: collection, key: key, field: field, version: version,
                            hash: hash)
                    }
                }
            }
        }
    }

    // MARK: Adding

    /// False if the version is known with other rows.
    mutating func add(_ digest: String, of version: Int) -> Bool {
        guard digests[version] ?? digest == digest else { return false }
        digests[version] = digest
        return true
    }

    /// The first version that shipped a value counts.
    mutating func add(_ entry: Entry) {
        let known = rows[entry.collection]?[entry.key]?[entry.field]?[entry.hash]
        rows[entry.collection, default: [:]][entry.key, default: [:]][
            entry.field, default: [:]][entry.hash] = min(known ?? entry.version, entry.version)
    }

    /// Adds the values of a version. False if it was released with other rows. Throws what the cells throw.
    mutating func add(
        _ level: DataSet.Level, _ values: DataSetValues, _ schema: Schema
    ) throws -> Bool {
        let digest = try AppliedSet(version: level.version, rows: level.rows.cells).digest
        guard add(digest, of: level.version) else { return false }
        for collection in schema.ownCollections {
            let fields = collection.fields.filter { $0.type.referenced == nil }
            for (key, cells) in level.rows.cells[collection.name] ?? [:] {
                for field in fields {
                    for value in try values.cell(field, in: cells).values {
                        let hash = hash(of: value, field, in: collection.name)
                        add(
                            Entry(
                                collection: collection.name, key: key, field: field.name,
                                version: level.version, hash: hash))
                    }
                }
            }
        }
        return true
    }

    /// Adds the released values from another folder of the set. False if a version has other rows there.
    mutating func add(_ other: ReleasedRows) -> Bool {
        for (version, digest) in other.digests where !add(digest, of: version) { return false }
        for entry in other.entries { add(entry) }
        return true
    }
}

extension DataSetCell {
    /// Its values; none for an empty cell.
    fileprivate var values: [Value] {
        switch self {
        case .one(let value): value == .null ? [] : [value]
        case .set(let elements): elements
        }
    }
}
