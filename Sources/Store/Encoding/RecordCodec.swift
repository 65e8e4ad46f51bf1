package import SyncCore

/// The bytes of a record's state in the column `records.body`.
///
/// ```
/// version    1 byte: 2
/// logs       count, then device (32) and incarnation (16) of each
/// commits    count, then of each: commit id (32), index of its log, sequence, clock (8)
/// fields     count, then of each: name, register
/// sets       count, then of each: name, count of elements, then of each: value, register
/// merged     count, then of each: name, 1 when it overlaps or 0, value
/// hidden     count, then of each write: index of its commit, index in it
/// register   count, then of each write: index of its commit, index in it, precedence, value
/// ```
/// Counts, indexes and sequences are variable-length numbers; the clock is eight bytes, big endian;
/// names and values (``Value/canonicalBytes``) are preceded by their length. Logs and commits stand
/// in the order of their ids, fields by UTF-8 bytes, elements by canonical bytes, so that equal
/// states have equal bytes.
package enum RecordCodec {
    /// The bytes are not what ``encode(_:)`` makes.
    package struct Malformed: Error, Hashable {}

    private static let version: UInt8 = 2

    package static func encode(_ state: RecordState) -> [UInt8] {
        let table = CommitTable(state)
        var writer = ByteWriter(capacity: 256)
        writer.append(version)
        table.write(to: &writer)
        writer.append(number: UInt64(state.fields.count))
        for (name, register) in state.fields.sorted(by: { utf8Precedes($0.key, $1.key) }) {
            writer.append(prefixed: name.utf8)
            append(register, table, to: &writer)
        }
        writer.append(number: UInt64(state.sets.count))
        for (name, elements) in state.sets.sorted(by: { utf8Precedes($0.key, $1.key) }) {
            writer.append(prefixed: name.utf8)
            writer.append(number: UInt64(elements.count))
            let ordered = elements.map { ($0.key.canonicalBytes, $0.value) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            for (element, register) in ordered {
                writer.append(prefixed: element)
                append(register, table, to: &writer)
            }
        }
        writer.append(number: UInt64(state.merged.count))
        for (name, result) in state.merged.sorted(by: { utf8Precedes($0.key, $1.key) }) {
            writer.append(prefixed: name.utf8)
            writer.append(result.isOverlapping ? 1 : 0)
            writer.append(result.value)
        }
        writer.append(number: UInt64(state.hiddenEdits.count))
        for write in state.hiddenEdits {
            writer.append(number: table.index(of: write.commit))
            writer.append(number: UInt64(write.index))
        }
        return writer.bytes
    }

    package static func decode(_ bytes: [UInt8]) throws(Malformed) -> RecordState {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw .init() }
        let table = try CommitTable(from: &reader)
        var state = RecordState()
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            state.fields[name] = try register(table, from: &reader)
        }
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            var elements: [Value: Register] = [:]
            for _ in 0..<(try reader.count()) {
                let element = try Value(canonicalBytes: try reader.prefixed())
                elements[element] = try register(table, from: &reader)
            }
            state.sets[name] = elements
        }
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            state.merged[name] = try merged(from: &reader)
        }
        for _ in 0..<(try reader.count()) {
            let commit = try table.entry(try reader.number())
            state.hiddenEdits.append(WriteID(commit: commit.id, index: try reader.small()))
        }
        guard reader.isAtEnd else { throw .init() }
        return state
    }

    private static func merged(
        from reader: inout ByteReader
    ) throws(Malformed) -> MergeText.Result {
        let flag = try reader.byte()
        guard flag <= 1 else { throw .init() }
        return MergeText.Result(
            value: try Value(canonicalBytes: try reader.prefixed()), isOverlapping: flag == 1)
    }

    private static func append(
        _ register: Register, _ table: CommitTable, to writer: inout ByteWriter
    ) {
        writer.append(number: UInt64(register.writes.count))
        for write in register.writes {
            writer.append(number: table.index(of: write.id.commit))
            writer.append(number: UInt64(write.id.index))
            writer.append(number: UInt64(write.precedence))
            writer.append(write.value)
        }
    }

    private static func register(
        _ table: CommitTable, from reader: inout ByteReader
    ) throws(Malformed) -> Register {
        var writes: [SurvivingWrite] = []
        for _ in 0..<(try reader.count()) {
            let commit = try table.entry(try reader.number())
            writes.append(
                SurvivingWrite(
                    id: WriteID(commit: commit.id, index: try reader.small()), log: commit.log,
                    sequence: commit.sequence, clock: commit.clock, precedence: try reader.small(),
                    value: try Value(canonicalBytes: try reader.prefixed())))
        }
        return Register(writes)
    }
}

/// Whether one text comes before another by UTF-8 bytes, which Swift's `<` does not say.
func utf8Precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}
