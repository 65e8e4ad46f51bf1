import SyncCore
import TestKit

/// A device with made-up keys: the core never checks a signature.
struct TestDevice: Sendable {
    let card: Card
    let unverifiedCard: UnverifiedCard
    let log: LogID

    /// `seed` makes the device, `person` its owner; the same numbers give the same ids.
    init(_ seed: UInt64, person: UInt64, incarnation: UInt64 = 1) {
        let content = CardContent(
            signingKey: sha256([1] + bigEndian(seed)), agreementKey: .zero,
            personKey: sha256([2] + bigEndian(person)))
        let link = CardLink(encoded: [1], content: content, selfSignature: [], endorsement: [])
        unverifiedCard = UnverifiedCard(links: [link], encoded: bigEndian(seed))
        card = Card(verified: unverifiedCard, content: content)
        var random = SeededGenerator(seed: incarnation)
        log = LogID(device: content.device, incarnation: Incarnation(random: &random))
    }

    /// The same device after a restore.
    func restored(_ incarnation: UInt64) -> LogID {
        var random = SeededGenerator(seed: incarnation)
        return LogID(device: log.device, incarnation: Incarnation(random: &random))
    }

    var id: DeviceID { card.device }
    var person: PersonID { card.person }

    func grant(
        from parent: FactReference, _ flags: Permissions, sibling: UInt32 = 0,
        precedence: UInt32 = Precedence.user.rawValue
    ) -> Grant {
        Grant(
            card: card, parent: parent, flags: flags, siblingIndex: sibling,
            precedence: precedence)
    }
}

/// What a test commit says; its place comes from a ledger.
struct TestDraft {
    var facts: [MembershipFact] = []
    var operations: [RecordOperation] = []
    var blobs: [NamedBlob] = []
    var schema: SchemaPin?
    /// Commits of its group that follow.
    var following: UInt32 = 0
}

enum TestCommit {
    static let schema = SchemaPin(schema: SchemaID(sha256([7])), version: 1)

    /// A genesis by this device; `nonce` tells spaces apart.
    static func genesis(_ founder: TestDevice, nonce: UInt64 = 0) -> VerifiedCommit {
        let genesis = Genesis(
            nonce: sha256(bigEndian(nonce)), founder: founder.unverifiedCard, role: .shared,
            schema: schema)
        let header = CommitHeader(
            space: .zero, log: founder.log, sequence: 1, previous: .zero,
            clock: HybridTime(raw: 1), seen: [], grant: .none, schema: schema.schema,
            schemaVersion: 1, clearHash: genesis.nonce, operationsHash: .zero)
        let grant = Grant(
            card: founder.card, parent: nil, flags: .all, siblingIndex: 0,
            precedence: Precedence.authority.rawValue)
        return sealed(header, ClearPart(genesis: genesis), [], facts: [.grant(grant)])
    }

    /// The next commit of `log` as `ledger` has it, under `grant`.
    static func next(
        in log: LogID, of ledger: SpaceLedger, under grant: FactReference, clock: UInt64,
        _ draft: TestDraft
    ) -> VerifiedCommit {
        var header = ledger.nextHeader(
            in: log, under: grant, clock: HybridTime(raw: clock), following: draft.following)
        (header.schema, header.schemaVersion) = (schema.schema, 1)
        header.operationsHash = sha256(Array("\(draft)".utf8))
        let clear = ClearPart(blobs: draft.blobs, schema: draft.schema)
        return sealed(header, clear, draft.operations, facts: draft.facts)
    }

    static func sealed(
        _ header: CommitHeader, _ clear: ClearPart, _ operations: [RecordOperation],
        facts: [MembershipFact]
    ) -> VerifiedCommit {
        let encoded = EncodedCommit(
            header: bytes(of: header), signature: [], clear: [],
            operations: operations.isEmpty ? [] : Array("\(operations)".utf8))
        return VerifiedCommit(
            verified: UnverifiedCommit(
                id: encoded.id, header: header, clear: clear, operations: operations,
                encoded: encoded),
            facts: facts)
    }

    /// Different headers have different bytes; nobody decodes them.
    private static func bytes(of header: CommitHeader) -> [UInt8] {
        var bytes = header.space.bytes + header.log.device.bytes + header.log.incarnation.bytes
        bytes += bigEndian(header.sequence) + header.previous.bytes
        bytes += bigEndian(header.clock.raw)
        for position in header.seen {
            bytes += position.log.device.bytes + position.log.incarnation.bytes
            bytes += bigEndian(position.head.sequence) + position.head.commit.bytes
        }
        bytes += header.grant.commit.bytes + bigEndian(UInt64(header.grant.index))
        bytes += bigEndian(UInt64(header.following))
        return bytes + header.clearHash.bytes + header.operationsHash.bytes
    }
}

extension MemoryStore {
    /// Writes one commit of this log under the device's most able grant; nil without one.
    mutating func append(
        in log: LogID, clock: UInt64, under grant: FactReference? = nil, _ draft: TestDraft
    ) -> VerifiedCommit? {
        append(in: log, under: grant) { ledger, grant in
            TestCommit.next(in: log, of: ledger, under: grant, clock: clock, draft)
        }
    }
}
