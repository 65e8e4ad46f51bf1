internal import LocalAPI
internal import SyncCore

/// The file beside a data set with the values that its versions shipped. `dataset release` writes it; its
/// maker never edits it.
struct ReleasedFile {
    static let name = "dataset.released.csv"
    private static let header = ["level", "version", "collection", "key", "field", "hash"]

    private(set) var levels: [DataSetLevel: ReleasedRows] = [:]
    /// The line of each release.
    private(set) var lines: [DataSetLevel: [Int: Int]] = [:]
    /// The first line and the number of lines of a version without the line of its release.
    private var unreleased: [DataSetLevel: [Int: (first: Int, count: Int)]] = [:]

    private let set: String

    init(of set: String) { self.set = set }

    subscript(level: DataSetLevel) -> ReleasedRows {
        get { levels[level] ?? ReleasedRows(set: set) }
        set { levels[level] = newValue }
    }

    // MARK: Reading

    /// `wrong` receives each mistake with its line. Throws ``APIError`` for a file that is not CSV.
    mutating func read(_ content: [UInt8], wrong: (Int, String) -> Void) throws {
        var reader = CSVReader(CSVReader.content(of: content))
        guard let first = try reader.row(), first.cells.map(\.text) == ReleasedFile.header else {
            wrong(
                1,
                tr(
                    """
                    the first line is \(ReleasedFile.header.joined(separator: ",")); another one \
                    is of another version of peersync
                    """))
            return
        }
        while let row = try reader.row() {
            if let reason = add(row.cells.map(\.text), row.line) { wrong(row.line, reason) }
        }
        for (level, versions) in unreleased {
            for (version, rows) in versions {
                let count = Sentence.count(rows.count, "line", "lines")
                wrong(
                    rows.first,
                    tr(
                        """
                        the line that begins with \(level.rawValue),\(version),,,, is missing before this one: \
                        \(count) cannot be read without it
                        """))
            }
        }
    }

    private static var twice: String { tr("the same is in a line before") }

    /// Adds a line; the mistake in it, or nil when there is none.
    private mutating func add(_ cells: [String], _ line: Int) -> String? {
        guard cells.count == ReleasedFile.header.count else {
            return DataSetErrors.cells(cells.count, of: ReleasedFile.header.count)
        }
        guard let level = DataSetLevel(rawValue: cells[0]), level != .reset else {
            return tr("`level` is reference or samples")
        }
        guard let version = Int(cells[1]), version > 0 else { return DataSetErrors.noVersion }
        let (collection, key, field, hash) = (cells[2], cells[3], cells[4], cells[5])
        let isRelease = collection.isEmpty && key.isEmpty && field.isEmpty
        guard isRelease || ![collection, key, field].contains("") else {
            return tr("a line names a collection, a key and a field, or none of them")
        }
        let count = isRelease ? Bytes32.zero.bytes.count : ReleasedRows.hashBytes
        guard let bytes = bytes(hexadecimal: hash), bytes.count == count,
            hexadecimal(bytes) == hash
        else { return tr("`hash` is \(count * 2) digits from 0 to 9 and a to f") }
        if isRelease {
            guard self[level].digests[version] == nil else { return Self.twice }
            lines[level, default: [:]][version] = line
            _ = levels[level, default: ReleasedRows(set: set)].add(hash, of: version)
            return nil
        }
        guard self[level].digests[version] != nil else {
            unreleased[level, default: [:]][version, default: (line, 0)].count += 1
            return nil
        }
        guard self[level].rows[collection]?[key]?[field]?[hash] == nil else {
            return Self.twice
        }
        levels[level, default: ReleasedRows(set: set)].add(
            ReleasedRows.Entry(
                collection: collection, key: key, field: field, version: version, hash: hash))
        return nil
    }

    // MARK: Writing

    /// Always in the same order.
    var text: String {
        var lines: [String] = [ReleasedFile.header.joined(separator: ",")]
        for (level, rows) in levels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for (version, digest) in rows.digests.sorted(by: { $0.key < $1.key }) {
                lines.append("\(level.rawValue),\(version),,,,\(digest)")
            }
            let entries = rows.entries.sorted {
                ($0.collection, $0.key, $0.field, $0.version, $0.hash)
                    < ($1.collection, $1.key, $1.field, $1.version, $1.hash)
            }
            lines += entries.map { entry in
                let place = [entry.collection, entry.key, entry.field].map(ReleasedFile.quoted)
                return "\(level.rawValue),\(entry.version),"
                    + "\(place.joined(separator: ",")),\(entry.hash)"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else {
            return cell
        }
        let parts = cell.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.joined(separator: "\"\""))\""
    }
}
