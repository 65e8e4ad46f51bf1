internal import Foundation
internal import LocalAPI
internal import SyncCore

/// By collection and key, the cells of each row by field.
typealias DataSetRows = [String: [String: [String: String]]]

extension DataSetRows {
    /// With rows that are missing here.
    func joined(with others: DataSetRows) -> DataSetRows {
        merging(others) { $0.merging($1) { first, _ in first } }
    }
}

/// The content of a cell for a field.
enum DataSetCell: Equatable {
    case one(Value)
    /// The elements of a set.
    case set([Value])
}

/// Turns cells into values, by the schema and the keys of a set's rows.
struct DataSetValues {
    /// Separates the elements of a set.
    private static let separator: Character = "|"

    /// The name of the data set.
    let set: String
    private let space: SpaceID
    /// Keys by collection, of all levels.
    private let keys: [String: Set<String>]

    /// Rows may refer to those of other levels, and to applied ones, from `marks`. Without a space nothing
    /// is written, and ids have no meaning.
    init(
        _ set: String, in space: SpaceID?, rows: [DataSetRows],
        beside marks: [AppliedSets.Mark] = []
    ) {
        (self.set, self.space) = (set, space ?? SpaceID(.zero))
        let applied = marks.filter { $0.name == set }.map(\.all.retired)
        keys = (rows + applied).reduce(into: [:]) { all, rows in
            for (collection, rows) in rows { all[collection, default: []].formUnion(rows.keys) }
        }
    }

    /// The record of a row: the same on every device.
    func record(_ key: String, in collection: String) -> RecordKey {
        let source = lengthPrefixed(Array(set.utf8)) + Array(key.utf8)
        return RecordKey(
            collection: collection,
            record: .derived(space: space, collection: collection, source: source))
    }

    /// The value of a field in a row; without a cell, no value. Throws as ``cell(_:of:)``.
    func cell(_ field: FieldSchema, in row: [String: String]) throws -> DataSetCell {
        if let text = row[field.name] { return try cell(text, of: field) }
        if case .set = field.type { return .set([]) }
        return .one(.null)
    }

    /// The content of a cell for a field. Throws ``APIError``, or ``BrokenReference``.
    func cell(_ text: String, of field: FieldSchema) throws -> DataSetCell {
        guard case .set(let element) = field.type else {
            return .one(try value(text, element: field.type, of: field.name))
        }
        return .set(
            try text.split(separator: DataSetValues.separator)
                .map { try value(String($0), element: element, of: field.name) })
    }

    private func value(_ text: String, element type: FieldType, of name: String) throws -> Value {
        guard case .reference(let target, _) = type else {
            return try TypedText(text, folder: "/", zone: "UTC").value(as: type.word, of: name)
                .checked(as: type, of: name)
        }
        guard !text.isEmpty else { return .null }
        guard keys[target]?.contains(text) == true else {
            throw BrokenReference(key: text, collection: target)
        }
        return .reference(record(text, in: target).record)
    }

    struct BrokenReference: Error {
        let key: String
        let collection: String
    }
}

/// One level of a set as it was applied to a space: the content of the record that says so.
struct AppliedSet: Codable, Equatable {
    var version: Int
    /// Of the rows: one version always has the same.
    var digest: String
    var rows: DataSetRows
    /// Rows that left the set, but stayed in the space.
    var retired: DataSetRows = [:]

    init(version: Int, rows: DataSetRows) throws {
        (self.version, self.rows) = (version, rows)
        digest = try AppliedSet.digest(of: rows)
    }

    static func digest(of rows: DataSetRows) throws -> String {
        hexadecimal(sha256(try bytes(of: rows)).bytes)
    }

    /// All rows that it wrote and did not delete again.
    var known: DataSetRows { rows.joined(with: retired) }

    private static func bytes(of value: some Encodable) throws -> [UInt8] {
        [UInt8](try JSONCoding.encode(value))
    }

    /// The content of the record.
    func content() throws -> Value {
        .json(String(decoding: try AppliedSet.bytes(of: self), as: UTF8.self))
    }
}
