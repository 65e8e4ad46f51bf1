import SyncCore
import Testing
import Wire

@Suite("Commits of newer programs")
struct UnknownPartsTests {
    private let sample: Sample
    private let codec = CommitCodec()
    /// A field that no message has.
    private let later = 90

    init() throws {
        sample = try Sample()
    }

    private func decoded(clear: [UInt8], operations: [UInt8]) throws -> UnverifiedCommit {
        try codec.decode(
            try Sample.encodedCommit(
                sample.header(of: sample.phoneLog), clear: clear, operations: operations,
                by: sample.phone))
    }

    /// The same bytes with an unknown field in the message that these field numbers lead to.
    private func changed(_ bytes: [UInt8], _ path: [Int]) throws -> [UInt8] {
        var fields = try #require(ProtobufFields(bytes))
        guard let first = path.first else {
            return fields.appending(later, .bytes([1])).serialized
        }
        let inner = fields.fields.first { $0.number == first }?.content
        guard case .bytes(let bytes) = try #require(inner) else {
            throw WireError.malformed("path")
        }
        fields = fields.setting(first, .bytes(try changed(bytes, Array(path.dropFirst()))))
        return fields.serialized
    }

    private var operations: [UInt8] {
        codec.encode([
            RecordOperation(
                collection: "memory", record: RecordID(bytes16(1)),
                writes: [
                    Write(
                        field: "tags", element: .text("a"), value: .boolean(true), replaces: [])
                ])
        ])
    }

    @Test("A commit that says nothing unknown is none of them")
    func known() throws {
        #expect(try !decoded(clear: [], operations: operations).hasUnknownParts)
        #expect(try !codec.decode(sample.genesis.encoded).hasUnknownParts)
    }

    @Test(
        "An unknown field in a part of the operations is seen",
        arguments: [[], [1], [1, 3], [1, 3, 2], [1, 3, 3], [1, 3, 4]])
    func inOperations(path: [Int]) throws {
        let bytes = try changed(operations, path)
        let commit = try decoded(clear: [], operations: bytes)
        #expect(commit.hasUnknownParts)
        #expect(commit.operations.count == 1)
        #expect(commit.encoded.operations == bytes)
    }

    @Test("A fact or a file of an unknown kind, and an unknown field beside them, are seen")
    func inClearPart() throws {
        let fact = ProtobufFields().appending(60, .bytes([7])).serialized
        let blob = ProtobufFields().appending(1, .bytes(bytes32(1).bytes))
            .appending(3, .varint(9)).serialized
        let known = codec.encode(
            ClearPart(facts: [
                .request(RightsRequest(person: PersonID(bytes32(2)), flags: [.write]))
            ]))
        #expect(try !decoded(clear: known, operations: []).hasUnknownParts)
        for clear in [
            ProtobufFields().appending(2, .bytes(fact)).serialized,
            ProtobufFields().appending(3, .bytes(blob)).serialized,
            try changed(known, []), try changed(known, [2]), try changed(known, [2, 7]),
        ] {
            #expect(try decoded(clear: clear, operations: []).hasUnknownParts)
        }
    }

    @Test("What a known version breaks is no sign of a newer one")
    func broken() {
        #expect(WireError.version(2).isOfNewerVersion)
        #expect(WireError.newerKind("x").isOfNewerVersion)
        #expect(!WireError.version(0).isOfNewerVersion)
        #expect(!WireError.unknownKind("x").isOfNewerVersion)
    }
}
