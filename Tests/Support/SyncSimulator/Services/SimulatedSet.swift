import LocalAPI
import Records
import SyncCore
internal import TestKit

/// A data set for trips, in versions whose rows appear, change and leave as drawn from a seed.
struct SimulatedSet: Sendable {
    /// One version of each level; a reset of 0 asks for none.
    struct Version: Hashable, Sendable {
        var reference: Int
        var samples: Int
        var reset: Int

        var path: String { "/\(reference)/\(samples)/\(reset)" }

        init(reference: Int, samples: Int, reset: Int = 0) {
            (self.reference, self.samples, self.reset) = (reference, samples, reset)
        }

        fileprivate init?(_ path: String) {
            let numbers = path.split(separator: "/").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            self.init(reference: numbers[0], samples: numbers[1], reset: numbers[2])
        }
    }

    struct Row: Sendable {
        let key: String
        /// By field, as in the file; a reference names a key.
        let cells: [String: String]
    }

    static let name = "simulated"
    static let greatest = 4
    /// The collection that a full reset keeps.
    static let history = "memory"
    private static let files = [
        "category.csv": "tag_category", "tag.csv": "tag", "item.csv": "bucket_item",
    ]

    let seed: UInt64

    // MARK: Rows

    /// The rows of a collection in a version.
    func rows(of collection: String, in version: Version) -> [Row] {
        let isSample = collection == "bucket_item"
        let number = isSample ? version.samples : version.reference
        return (0..<5).compactMap { index in
            // The first category is always there: others may refer to it.
            let isThere =
                collection == "tag_category" && index == 0 || drawn(collection, index, number, 70)
            guard isThere else { return nil }
            var cells = [isSample ? "title" : "name": title(collection, index, number)]
            if collection == "tag" {
                let all = rows(of: "tag_category", in: version)
                cells["category"] = all[(index + number) % all.count].key
            }
            if isSample { cells["done"] = drawn("done", index, number, 50) ? "true" : "false" }
            return Row(key: "\(collection)-\(index)", cells: cells)
        }
    }

    private func drawn(_ what: String, _ index: Int, _ number: Int, _ percent: UInt64) -> Bool {
        let salt = what.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        var random = SeededGenerator(seed: salt ^ UInt64(index * 64 + number))
        return random.chance(percent)
    }

    /// Names change sometimes.
    private func title(_ collection: String, _ index: Int, _ number: Int) -> String {
        let last = (1...max(1, number)).last { drawn("title \(collection)", index, $0, 40) } ?? 0
        return "\(collection) \(index) of edition \(last)"
    }

    func record(_ key: String, in collection: String, of space: SpaceID) -> RecordKey {
        RecordKey(
            collection: collection,
            record: .derived(
                space: space, collection: collection,
                source: lengthPrefixed(Array(Self.name.utf8)) + Array(key.utf8)))
    }

    /// The field value of a cell.
    func value(_ cell: String, of field: String, in space: SpaceID) -> Value {
        switch field {
        case "category": .reference(record(cell, in: "tag_category", of: space).record)
        case "done": .boolean(cell == "true")
        default: .text(cell)
        }
    }

    /// Every record for which any version has a row, with all values of its fields there.
    func records(of space: SpaceID) -> [RecordKey: [String: Set<Value>]] {
        var found: [RecordKey: [String: Set<Value>]] = [:]
        for number in 1...Self.greatest {
            let version = Version(reference: number, samples: number)
            for collection in Self.files.values {
                for row in rows(of: collection, in: version) {
                    let key = record(row.key, in: collection, of: space)
                    for (field, cell) in row.cells {
                        found[key, default: [:]][field, default: []].insert(
                            value(cell, of: field, in: space))
                    }
                }
            }
        }
        return found
    }

    /// The rows of a version by their records.
    func rows(in version: Version, of space: SpaceID) -> [RecordKey: [String: Value]] {
        var found: [RecordKey: [String: Value]] = [:]
        for collection in Self.files.values {
            for row in rows(of: collection, in: version) {
                found[record(row.key, in: collection, of: space)] = Dictionary(
                    uniqueKeysWithValues: row.cells.map { ($0, value($1, of: $0, in: space)) })
            }
        }
        return found
    }

    // MARK: Files

    /// A folder of each version, named by ``Version/path``.
    var folders: DataSetFiles {
        DataSetFiles { [self] name, folder, limit in
            guard let version = Version(folder), let text = contents(name, version) else {
                throw APIError.noSuchFile(name)
            }
            let bytes = Array(text.utf8)
            try limit(bytes.count)
            return bytes
        }
    }

    private func contents(_ name: String, _ version: Version) -> String? {
        guard name != "dataset.yaml" else { return manifest(version) }
        guard let collection = Self.files[name] else { return nil }
        let rows = rows(of: collection, in: version)
        let fields = Set(rows.flatMap(\.cells.keys)).sorted()
        let lines = rows.map { row in
            ([row.key] + fields.map { row.cells[$0] ?? "" }).joined(separator: ",")
        }
        return (["code," + fields.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }

    private func manifest(_ version: Version) -> String {
        let reset = """
            reset:
              version: \(version.reset)
              keeps: \(Self.history)

            """
        return """
            dataset: 1
            name: \(Self.name)
            schema: journal
            reference:
              version: \(version.reference)
              collections:
                tag_category: { file: category.csv, key: code }
                tag: { file: tag.csv, key: code }
            samples:
              version: \(version.samples)
              collections:
                bucket_item: { file: item.csv, key: code }

            """ + (version.reset > 0 ? reset : "")
    }
}
