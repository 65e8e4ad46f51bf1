import SyncCore
import Testing
import Wire

@Suite("Parts of commits, known and unknown")
struct CommitPartTests {
    private let sample: Sample
    private let codec = CommitCodec()

    init() throws {
        sample = try Sample()
    }

    // MARK: Operations

    @Test("A write without a value, or with one of no kind, is refused")
    func valueMissing() throws {
        let write = ProtobufFields().appending(1, .bytes(Array("title".utf8)))
        #expect(throws: WireError.missing("write.value")) {
            try codec.decodeOperations(operations(write))
        }
        #expect(throws: WireError.missing("value")) {
            try codec.decodeOperations(operations(write.appending(3, .bytes([]))))
        }
    }

    @Test("A value of an unknown kind is kept as its bytes, in a write and as an element")
    func valueUnknown() throws {
        let newer = ProtobufFields().appending(20, .bytes([1, 2])).serialized
        let write = ProtobufFields().appending(1, .bytes(Array("tags".utf8)))
            .appending(2, .bytes(newer)).appending(3, .bytes(newer))

        let bytes = operations(write)
        let decoded = try codec.decodeOperations(bytes)

        let first = try #require(decoded.first?.writes.first)
        #expect(first.element == .unknown(newer))
        #expect(first.value == .unknown(newer))
        #expect(codec.encode(decoded) == bytes)
    }

    @Test("An operation without writes is refused")
    func noWrites() {
        let record = ProtobufFields().appending(2, .bytes(bytes16(1).bytes))
        let bytes = ProtobufFields().appending(1, .bytes(record.serialized)).serialized
        #expect(throws: WireError.missing("record_operation.writes")) {
            try codec.decodeOperations(bytes)
        }
    }

    @Test("Writes are counted over the whole commit")
    func writeCount() throws {
        func bytes(_ records: Int, _ writes: Int) -> [UInt8] {
            let write = Write(field: "", value: .boolean(true))
            let operation = RecordOperation(
                collection: "", record: RecordID(bytes16(1)),
                writes: [Write](repeating: write, count: writes))
            return codec.encode([RecordOperation](repeating: operation, count: records))
        }
        let limit = Limits.operationsPerCommit
        #expect(try codec.decodeOperations(bytes(2, limit / 2)).count == 2)
        #expect(throws: WireError.tooMany("record_operation.writes")) {
            try codec.decodeOperations(bytes(2, limit / 2 + 1))
        }
        #expect(throws: WireError.tooMany("operations.records")) {
            try codec.decodeOperations(bytes(limit + 1, 1))
        }
    }

    @Test("A text that is no UTF-8 is refused")
    func badText() {
        let write = ProtobufFields().appending(1, .bytes([0xFF, 0xFE]))
        #expect(throws: WireError.malformed("peersync.v1.Operations")) {
            try codec.decodeOperations(operations(write))
        }
    }

    @Test("Texts keep their bytes: composed and decomposed letters stay different")
    func textBytes() throws {
        let texts = ["\u{E9}", "e\u{301}", "", "\u{0}", "👩‍👩‍👧"]
        let written = texts.map { text in
            RecordOperation(
                collection: "memory", record: RecordID(bytes16(1)),
                writes: [Write(field: "title", value: .text(text))])
        }
        let decoded = try codec.decodeOperations(codec.encode(written))
        let read = decoded.compactMap { $0.writes.first?.value.text }
        #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }

    @Test(
        "A number keeps its bits",
        arguments: [-0.0, .infinity, .nan, .leastNonzeroMagnitude, -180.0])
    func doubleBits(number: Double) throws {
        let value = Value.position(PositionValue(latitude: number, longitude: 1))
        let operation = RecordOperation(
            collection: "memory", record: RecordID(bytes16(1)),
            writes: [Write(field: "place", value: value)])
        #expect(try codec.decodeOperations(codec.encode([operation])) == [operation])
    }

    // MARK: Clear parts

    @Test("A fact of an unknown kind keeps its place and counts for nothing")
    func factUnknown() throws {
        let newer = ProtobufFields().appending(30, .bytes([1])).serialized
        let statement = ProtobufFields().appending(1, .bytes(sample.space.bytes))
            .appending(2, .bytes(sample.person.signingKey.bytes)).appending(9, .bytes([1]))
        let signed = ProtobufFields().appending(1, .bytes(statement.serialized))
            .appending(2, .bytes([UInt8](repeating: 1, count: 64)))
        let clear = ProtobufFields().appending(2, .bytes(newer))
            .appending(2, .bytes(fact(5, signed)))
            .appending(2, .bytes(fact(2, try revocationFields())))

        let facts = try codec.decodeClearPart(clear.serialized).facts

        #expect(facts.count == 3)
        #expect(facts[0] == .unknown)
        #expect(facts[1] == .unknown)
        #expect(facts[2] != .unknown)
        #expect(try codec.decodeClearPart(codec.encode(ClearPart(facts: facts))).facts == facts)
    }

    @Test("An unknown scope or cascade is refused", arguments: [0, 4, 255, 1 << 40])
    func revocationKinds(kind: UInt64) throws {
        for (number, name) in [(4, "scope"), (5, "cascade")] {
            let revocation = try revocationFields().setting(number, .varint(kind))
            let clear = ProtobufFields().appending(2, .bytes(fact(2, revocation)))
            let isLater = Int32(truncatingIfNeeded: kind) > 0
            let field = "revocation.\(name)"
            #expect(throws: isLater ? WireError.newerKind(field) : .unknownKind(field)) {
                try codec.decodeClearPart(clear.serialized)
            }
        }
    }

    @Test("A blob of an unknown kind counts as an original", arguments: [0, 9, 1 << 40])
    func blobKind(kind: UInt64) throws {
        let blob = ProtobufFields().appending(1, .bytes(bytes32(1).bytes))
            .appending(3, .varint(kind))
        let clear = ProtobufFields().appending(3, .bytes(blob.serialized)).serialized
        #expect(try codec.decodeClearPart(clear).blobs.first?.kind == .original)
    }

    @Test("A blob that no device could hold is refused")
    func blobSize() throws {
        let blob = ProtobufFields().appending(1, .bytes(bytes32(1).bytes))
            .appending(2, .varint(Limits.blobBytes + 1))
        let clear = ProtobufFields().appending(3, .bytes(blob.serialized)).serialized
        #expect(throws: WireError.outOfRange("named_blob.size")) {
            try codec.decodeClearPart(clear)
        }
    }

    @Test("Unknown nesting is skipped as long as it is shallow")
    func nesting() throws {
        // A group, the old form of nesting: it begins with 0xF301 and ends with 0xF401 (field 30).
        func groups(_ depth: Int) -> [UInt8] {
            (0..<depth).flatMap { _ -> [UInt8] in [0xF3, 0x01] }
                + (0..<depth).flatMap { _ -> [UInt8] in [0xF4, 0x01] }
        }
        #expect(try codec.decodeClearPart(groups(5)) == ClearPart())
        for depth in [40, 100_000] {
            #expect(throws: WireError.malformed("peersync.v1.ClearPart")) {
                try codec.decodeClearPart(groups(depth))
            }
        }
    }

    // MARK: Support

    private func operations(_ write: ProtobufFields) -> [UInt8] {
        let record = ProtobufFields().appending(1, .bytes(Array("memory".utf8)))
            .appending(2, .bytes(bytes16(1).bytes)).appending(3, .bytes(write.serialized))
        return ProtobufFields().appending(1, .bytes(record.serialized)).serialized
    }

    private func fact(_ number: Int, _ fields: ProtobufFields) -> [UInt8] {
        ProtobufFields().appending(number, .bytes(fields.serialized)).serialized
    }

    private func revocationFields() throws -> ProtobufFields {
        let clear = codec.encode(ClearPart(facts: [.revocation(sample.revocation)]))
        guard case .bytes(let fact)? = ProtobufFields(clear)?.fields.first?.content,
            case .bytes(let revocation)? = ProtobufFields(fact)?.fields.first?.content
        else { throw WireError.malformed("revocation") }
        return try #require(ProtobufFields(revocation))
    }
}
