import SyncCore
import Wire

extension Value {
    fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// One person with a laptop and a phone, and what they say to each other: the values behind the
/// vectors. Ed25519 as RFC 8032 defines it is deterministic, so the same keys give the same bytes.
struct Sample {
    let person: SampleKeys
    let laptop: SampleKeys
    let phone: SampleKeys
    let codec = CommitCodec()
    let laptopCard: UnverifiedCard
    /// The phone's, with two links: person key ▸ laptop ▸ phone.
    let phoneCard: UnverifiedCard
    let genesis: UnverifiedCommit

    let laptopIncarnation = bytes16(0xA1)
    let phoneIncarnation = bytes16(0xB2)
    static let schema = SchemaPin(
        schema: SchemaID(Label.schema.hash(Array("collections: {}".utf8))), version: 3)

    init() throws {
        person = try SampleKeys(seed: 1)
        laptop = try SampleKeys(seed: 2)
        phone = try SampleKeys(seed: 3)
        let first = try Sample.link(of: laptop, endorser: person, person: person)
        let second = try Sample.link(of: phone, endorser: laptop, person: person)
        laptopCard = Sample.card([first])
        phoneCard = Sample.card([first, second])
        let clear = ClearPart(
            genesis: Genesis(
                nonce: bytes32(0x4E), founder: laptopCard, role: .shared, schema: Sample.schema))
        genesis = try Sample.commit(
            CommitHeader(
                space: .zero, log: LogID(device: laptop.device, incarnation: bytes16(0xA1)),
                sequence: 1, previous: .zero,
                clock: HybridTime(milliseconds: 1_750_000_000_000, counter: 0), seen: [],
                grant: .none, schema: Sample.schema.schema, schemaVersion: 3,
                clearHash: .zero, operationsHash: .zero),
            clear: clear, operations: [], by: laptop)
    }

    var space: SpaceID { genesis.space }
    var laptopLog: LogID { LogID(device: laptop.device, incarnation: laptopIncarnation) }
    var phoneLog: LogID { LogID(device: phone.device, incarnation: phoneIncarnation) }
    var founderGrant: FactReference { FactReference(commit: genesis.id, index: 0) }

    var watermark: Watermark {
        Watermark([
            LogPosition(log: laptopLog, head: LogHead(sequence: 1, commit: genesis.id)),
            LogPosition(
                log: phoneLog, head: LogHead(sequence: 300, commit: CommitID(bytes32(0x77)))),
        ])
    }

    /// A header of this space at sequence 2 of a log; the hashes are filled in by ``commit``.
    func header(
        of log: LogID, seen: [LogPosition] = [], epoch: CommitID? = nil, following: UInt32 = 0
    ) -> CommitHeader {
        CommitHeader(
            space: space, log: log, sequence: 2, previous: CommitID(bytes32(0x50)),
            clock: HybridTime(milliseconds: 1_750_000_001_234, counter: 5), seen: seen,
            grant: founderGrant, schema: Sample.schema.schema, schemaVersion: 3, epoch: epoch,
            following: following, clearHash: .zero, operationsHash: .zero)
    }

    // MARK: Making signed things

    static func link(
        of device: SampleKeys, endorser: SampleKeys, person: SampleKeys
    ) throws -> CardLink {
        let content = CardContent(
            signingKey: device.signingKey, agreementKey: device.agreementKey,
            personKey: person.signingKey)
        let encoded = CardCodec().encode(content)
        return CardLink(
            encoded: encoded, content: content, selfSignature: try device.sign(.card, encoded),
            endorsement: try endorser.sign(.endorsement, encoded))
    }

    static func card(_ links: [CardLink]) -> UnverifiedCard {
        UnverifiedCard(links: links, encoded: CardCodec().encode(links: links))
    }

    static func commit(
        _ header: CommitHeader, clear: ClearPart, operations: [RecordOperation],
        by author: SampleKeys
    ) throws -> UnverifiedCommit {
        let encoded = try encodedCommit(
            header, clear: CommitCodec().encode(clear),
            operations: CommitCodec().encode(operations), by: author)
        return UnverifiedCommit(
            id: encoded.id, header: try CommitCodec().decodeHeader(encoded.header), clear: clear,
            operations: operations,
            hasUnknownParts: operations.contains { operation in
                operation.writes.contains { $0.value.isUnknown || $0.element?.isUnknown ?? false }
            }, encoded: encoded)
    }

    /// A signed commit of these parts, whatever they hold.
    static func encodedCommit(
        _ header: CommitHeader, clear: [UInt8], operations: [UInt8], by author: SampleKeys
    ) throws -> EncodedCommit {
        var header = header
        header.clearHash = Label.clearPart.hash(clear)
        header.operationsHash = Label.operationsPart.hash(operations)
        let bytes = CommitCodec().encodeHeader(header)
        return EncodedCommit(
            header: bytes, signature: try author.sign(.commit, bytes), clear: clear,
            operations: operations)
    }
}
