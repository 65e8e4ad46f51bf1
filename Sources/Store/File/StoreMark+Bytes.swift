internal import SyncCore

/// ```
/// head       16 bytes: "peersync mark 1\n"
/// tables     count, then of each: name, count of columns, their names, count of rows, values of each
/// filled     count, then space ids (32)
/// hash       32 bytes: SHA-256 of everything before
/// ```
/// A value is a byte for its kind, then: 0 nothing, 1 eight bytes (big endian), 2 a text, 3 bytes.
/// Counts are variable-length numbers, names, texts and bytes are preceded by their length.
extension StoreMark {
    private static let head = Array("peersync mark 1\n".utf8)

    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 4096)
        writer.append(StoreMark.head)
        writer.append(number: UInt64(tables.count))
        for table in tables {
            writer.append(prefixed: table.name.utf8)
            writer.append(number: UInt64(table.columns.count))
            for column in table.columns { writer.append(prefixed: column.utf8) }
            writer.append(number: UInt64(table.rows.count))
            for row in table.rows {
                for value in row { writer.append(value) }
            }
        }
        writer.append(number: UInt64(filled.count))
        for space in filled.sorted() { writer.append(space.bytes) }
        Invariants.check(
            tables.allSatisfy { table in table.rows.allSatisfy { $0.count == table.columns.count }
            },
            "a row of the mark has other columns than its table")
        let whole = writer.bytes + sha256(writer.bytes).bytes
        Invariants.check(
            StoreMark(encoded: whole)?.filled == filled, "a mark is read back as another one")
        Invariants.check(
            StoreMark(encoded: whole)?.tables.map(\.rows) == tables.map(\.rows),
            "a mark is read back with other rows")
        return whole
    }

    /// Nil for bytes that are not what was written.
    init?(encoded: [UInt8]) {
        let content = Array(encoded.dropLast(32))
        guard encoded.count >= 32, sha256(content).bytes == Array(encoded.suffix(32)),
            let mark = try? StoreMark(content: content)
        else { return nil }
        self = mark
    }

    private init(content: [UInt8]) throws(RecordCodec.Malformed) {
        var reader = ByteReader(content)
        guard try reader.bytes(StoreMark.head.count).elementsEqual(StoreMark.head) else {
            throw .init()
        }
        tables = []
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            var columns: [String] = []
            for _ in 0..<(try reader.count()) { columns.append(try reader.text()) }
            var table = Table(name: name, columns: columns)
            for _ in 0..<(try reader.count()) {
                var row: [PageValue] = []
                for _ in columns { row.append(try reader.value()) }
                table.rows.append(row)
            }
            tables.append(table)
        }
        filled = []
        for _ in 0..<(try reader.count()) {
            guard let space = SpaceID(bytes: Array(try reader.bytes(32))) else { throw .init() }
            filled.insert(space)
        }
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ value: PageValue) {
        switch value {
        case .null: append(0)
        case .integer(let number):
            append(1)
            append(bigEndian(UInt64(bitPattern: number)))
        case .text(let text):
            append(2)
            append(prefixed: text)
        case .bytes(let bytes):
            append(3)
            append(prefixed: bytes)
        }
    }
}

extension ByteReader {
    fileprivate mutating func value() throws(RecordCodec.Malformed) -> PageValue {
        switch try byte() {
        case 0: .null
        case 1: .integer(Int64(bitPattern: try fixed64()))
        case 2: .text(Array(try prefixed()))
        case 3: .bytes(Array(try prefixed()))
        default: throw .init()
        }
    }
}
