internal import Foundation
internal import LocalAPI
internal import SyncCore

/// The lines of an archive's records, as values of its schema.
struct ArchivedRecords {
    private(set) var records: [CopiedRecord] = []
    private let schema: Schema
    private let files: Set<String>

    /// Throws ``APIError`` with the line of the first mistake.
    init(_ schema: Schema, files: Set<String>, _ bytes: [UInt8]) throws {
        (self.schema, self.files) = (schema, files)
        var read: [ArchivedRecord] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            do {
                read.append(try JSONCoding.decode(ArchivedRecord.self, from: Data(line)))
            } catch {
                throw SpaceImport.archiveLine(ArchiveFile.records, line: index + 1)
            }
        }
        var keys: Set<RecordKey> = []
        for (index, record) in read.enumerated() {
            guard
                let collection = schema.ownCollections.first(where: { $0.name == record.collection }
                ),
                let id = RecordID(text: record.id),
                keys.insert(RecordKey(collection: collection.name, record: id)).inserted
            else { throw SpaceImport.archiveLine(ArchiveFile.records, line: index + 1) }
        }
        for (index, record) in read.enumerated() {
            do throws(Misfit) {
                records.append(try self.record(record, keys))
            } catch {
                throw SpaceImport.archiveLine(ArchiveFile.records, line: index + 1)
            }
        }
        let order = Dictionary(
            uniqueKeysWithValues: schema.collections.enumerated().map { ($1.name, $0) })
        // Records refer to earlier collections; within one collection the order stays.
        records = records.enumerated().sorted { left, right in
            let (one, other) = (
                order[left.element.key.collection], order[right.element.key.collection]
            )
            return (one ?? 0, left.offset) < (other ?? 0, right.offset)
        }.map(\.element)
    }

    /// A value does not fit its field.
    private struct Misfit: Error {}

    private func record(
        _ record: ArchivedRecord, _ keys: Set<RecordKey>
    ) throws(Misfit) -> CopiedRecord {
        guard let collection = schema.collection(record.collection),
            let id = RecordID(text: record.id), record.author.utf8.count <= Limits.nameBytes
        else { throw Misfit() }
        var values: [(field: FieldSchema, value: Value)] = []
        var elements: [(field: FieldSchema, element: Value)] = []
        for (name, given) in record.fields.sorted(by: { $0.key < $1.key }) {
            guard let field = collection.field(name), !field.isLocal else { throw Misfit() }
            if case .set(let type) = field.type {
                guard case .set(let given) = given else { throw Misfit() }
                for element in given {
                    guard let value = try value(element, type, keys) else { continue }
                    elements.append((field, value))
                }
            } else if let value = try value(given, field.type, keys) {
                values.append((field, value))
            }
        }
        return CopiedRecord(
            key: RecordKey(collection: collection.name, record: id), values: values,
            elements: elements, author: record.author, changed: try time(record.changed))
    }

    /// Nil for no value, and for a reference to a record that is not in the archive: it was deleted, or had
    /// not arrived.
    private func value(
        _ given: FieldValue, _ type: FieldType, _ keys: Set<RecordKey>
    ) throws(Misfit) -> Value? {
        switch (type, given) {
        case (_, .null): return nil
        case (.text, .text(let text)) where text.utf8.count <= Limits.memoryTextBytes:
            return .text(text)
        case (.order, .text(let text)) where PositionKey(text) != nil: return .text(text)
        case (.integer, .integer(let number)): return .integer(number)
        case (.decimal, .decimal(let digits)) where ExactDecimal(digits) != nil:
            return .decimal(digits)
        case (.boolean, .boolean(let flag)): return .boolean(flag)
        case (.time, .time(let moment)): return .time(try time(moment))
        case (.position, .position(let position)):
            do throws(APIError) {
                return .position(try InputCheck.position(position))
            } catch {
                throw Misfit()
            }
        case (.json, .json(let text))
        where text.utf8.count <= Limits.memoryTextBytes && JSONSyntax.isValid(text):
            return .json(text)
        case (.blob, .blob(let file)):
            guard let id = file.id, files.contains(id), let blob = BlobID(text: id) else {
                throw Misfit()
            }
            return .blob(blob)
        case (.reference(let collection, _), .reference(let record)):
            guard let id = RecordID(text: record.id) else { throw Misfit() }
            let isThere = keys.contains(RecordKey(collection: collection, record: id))
            return isThere ? .reference(id) : nil
        default: throw Misfit()
        }
    }

    private func time(_ moment: Moment) throws(Misfit) -> TimeValue {
        do throws(APIError) {
            return try InputCheck.moment(moment)
        } catch {
            throw Misfit()
        }
    }
}

extension RecordID {
    /// Parses hexadecimal digits.
    init?(text: String) {
        guard let id = RecordID(hexadecimal: text) else {
            return nil
        }
        self = id
    }
}
