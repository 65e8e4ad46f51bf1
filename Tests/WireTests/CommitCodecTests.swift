import SyncCore
import Testing
import Wire

@Suite("Commits that are not well formed")
struct CommitCodecTests {
    private let sample: Sample
    private let codec = CommitCodec()

    init() throws {
        sample = try Sample()
    }

    // MARK: Headers

    @Test(
        "A header field of the wrong length is named",
        arguments: [
            (2, "space_id"), (3, "author"), (4, "incarnation"), (6, "previous"),
            (10, "schema_id"), (12, "epoch"), (13, "clear_hash"), (14, "operations_hash"),
        ])
    func headerLengths(number: Int, name: String) throws {
        for count in [0, 15, 17, 31, 33] {
            let header = try changedHeader {
                $0.setting(number, .bytes([UInt8](repeating: 1, count: count)))
            }
            #expect(throws: WireError.wrongLength("commit_header.\(name)")) {
                try codec.decodeHeader(header)
            }
        }
    }

    @Test("A header of another version is refused", arguments: [0, 2, 4_294_967_295])
    func headerVersion(version: UInt64) throws {
        let header = try changedHeader { $0.setting(1, .varint(version)) }
        #expect(throws: WireError.version(UInt32(version))) { try codec.decodeHeader(header) }
    }

    @Test("A sequence of 0 or beyond the limit is refused", arguments: [0, (1 << 48) + 1, .max])
    func headerSequence(sequence: UInt64) throws {
        let header = try changedHeader { $0.setting(5, .varint(sequence)) }
        #expect(throws: WireError.outOfRange("commit_header.sequence")) {
            try codec.decodeHeader(header)
        }
    }

    @Test("A clock that no signed 64-bit column can hold is refused")
    func headerClock() throws {
        let header = try changedHeader {
            $0.setting(7, .fixed64([UInt8](repeating: 0xFF, count: 8)))
        }
        #expect(throws: WireError.outOfRange("commit_header.clock")) {
            try codec.decodeHeader(header)
        }
    }

    @Test("Only the first commit of a log has no previous one")
    func headerPrevious() throws {
        var header = sample.header(of: sample.phoneLog)
        header.previous = .zero
        #expect(throws: WireError.contradiction("commit_header.previous")) {
            try codec.decodeHeader(codec.encodeHeader(header))
        }
        header.sequence = 1
        #expect(try codec.decodeHeader(codec.encodeHeader(header)) == header)
        header.previous = CommitID(bytes32(9))
        #expect(throws: WireError.contradiction("commit_header.previous")) {
            try codec.decodeHeader(codec.encodeHeader(header))
        }
    }

    @Test("A genesis stands at the beginning of everything")
    func genesisHeader() throws {
        let genesis = sample.genesis.header
        var later = genesis
        later.sequence = 2
        later.previous = CommitID(bytes32(9))
        var granted = genesis
        granted.grant = sample.founderGrant
        var seeing = genesis
        seeing.seen = [LogPosition(log: sample.phoneLog, head: LogHead(sequence: 1, commit: .zero))]
        var grantless = sample.header(of: sample.phoneLog)
        grantless.grant = .none
        for (header, field) in [
            (later, "sequence"), (granted, "grant"), (seeing, "seen"), (grantless, "grant"),
        ] {
            #expect(throws: WireError.contradiction("commit_header.\(field)")) {
                try codec.decodeHeader(codec.encodeHeader(header))
            }
        }
    }

    @Test("Too many positions seen are refused, as many as the limit are not")
    func headerSeen() throws {
        let bytes = codec.encodeHeader(
            sample.header(of: sample.phoneLog, seen: sample.watermark.positions))
        let fields = try #require(ProtobufFields(bytes))
        let position = try #require(fields.fields.first { $0.number == 8 }).content
        let one = fields.removing(8)
        let full = one.appending(8, position, count: Limits.listEntries)

        #expect(try codec.decodeHeader(full.serialized).seen.count == Limits.listEntries)
        #expect(throws: WireError.tooMany("commit_header.seen")) {
            try codec.decodeHeader(full.appending(8, position).serialized)
        }
    }

    @Test("A position at sequence 0 is not sent, and refused when it comes")
    func positionZero() throws {
        let nothing = LogPosition(log: sample.laptopLog, head: LogHead(sequence: 0, commit: .zero))
        let bytes = codec.encodeHeader(sample.header(of: sample.phoneLog, seen: [nothing]))
        #expect(try codec.decodeHeader(bytes).seen.isEmpty)

        let position = ProtobufFields()
            .appending(1, .bytes(bytes32(1).bytes)).appending(2, .bytes(bytes16(1).bytes))
            .appending(4, .bytes(bytes32(1).bytes))
        let header = try changedHeader { $0.appending(8, .bytes(position.serialized)) }
        #expect(throws: WireError.outOfRange("log_position.sequence")) {
            try codec.decodeHeader(header)
        }
    }

    @Test("An unknown header field does not matter, and the bytes stay as they came")
    func unknownField() throws {
        let commit = try sample.dataCommit()
        let header = try #require(ProtobufFields(commit.encoded.header))
            .appending(99, .bytes([1, 2, 3])).serialized
        let encoded = EncodedCommit(
            header: header, signature: commit.encoded.signature, clear: commit.encoded.clear,
            operations: commit.encoded.operations)

        let decoded = try codec.decode(encoded)

        #expect(decoded.header == commit.header)
        #expect(decoded.encoded.header == header)
        #expect(decoded.id != commit.id)
    }

    // MARK: Whole commits

    @Test("A body part that is not the one in the header is refused")
    func partHashes() throws {
        let good = try sample.dataCommit().encoded
        let otherClear = EncodedCommit(
            header: good.header, signature: good.signature, clear: [],
            operations: good.operations)
        let otherOperations = EncodedCommit(
            header: good.header, signature: good.signature, clear: good.clear,
            operations: good.operations + [0x78, 0x00])
        #expect(throws: WireError.wrongHash("commit.clear")) { try codec.decode(otherClear) }
        #expect(throws: WireError.wrongHash("commit.operations")) {
            try codec.decode(otherOperations)
        }
    }

    @Test("A signature is 64 bytes", arguments: [0, 63, 65])
    func signatureLength(count: Int) throws {
        let good = try sample.dataCommit().encoded
        let bad = EncodedCommit(
            header: good.header, signature: [UInt8](repeating: 0, count: count),
            clear: good.clear, operations: good.operations)
        #expect(throws: WireError.wrongLength("commit.signature")) { try codec.decode(bad) }
    }

    @Test("A commit over 1 MiB is refused, one of exactly 1 MiB is not")
    func size() throws {
        func sealed(_ count: Int) throws -> EncodedCommit {
            try Sample.encodedCommit(
                sample.header(of: sample.phoneLog, epoch: CommitID(bytes32(1))), clear: [],
                operations: [UInt8](repeating: 7, count: count), by: sample.phone)
        }
        let overhead = try sealed(0).byteCount
        let largest = try sealed(Limits.commitBytes - overhead)
        #expect(largest.byteCount == Limits.commitBytes)
        #expect(try codec.decode(largest).operations.isEmpty)
        let larger = try sealed(Limits.commitBytes - overhead + 1)
        #expect(throws: WireError.tooLong("commit")) { try codec.decode(larger) }
    }

    @Test("Only a genesis has a genesis part, and it has no facts")
    func genesisPart() throws {
        let clear = sample.genesis.clear
        let misplaced = try Sample.encodedCommit(
            sample.header(of: sample.laptopLog), clear: codec.encode(clear), operations: [],
            by: sample.laptop)
        let bare = try Sample.encodedCommit(
            sample.genesis.header, clear: [], operations: [], by: sample.laptop)
        var granting = clear
        granting.facts = [.grant(sample.grant)]
        let busy = try Sample.encodedCommit(
            sample.genesis.header, clear: codec.encode(granting), operations: [],
            by: sample.laptop)
        for commit in [misplaced, bare] {
            #expect(throws: WireError.contradiction("clear_part.genesis")) {
                try codec.decode(commit)
            }
        }
        #expect(throws: WireError.contradiction("clear_part.facts")) { try codec.decode(busy) }
    }

    // MARK: Support

    private func changedHeader(
        _ change: (ProtobufFields) -> ProtobufFields
    ) throws -> [UInt8] {
        let bytes = codec.encodeHeader(sample.header(of: sample.phoneLog))
        return change(try #require(ProtobufFields(bytes))).serialized
    }
}
