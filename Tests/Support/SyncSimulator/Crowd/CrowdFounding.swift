import SyncCore
internal import TestKit
import Wire

/// A trip with many members and commits, with keys that nobody verifies.
struct CrowdFounding {
    let ledger: SpaceLedger
    let cards: [Card]
    let logs: [LogID]
    /// The grant of each member.
    let grants: [FactReference]

    private static let schema = SchemaPin(schema: SchemaID(sha256([7])), version: 1)

    init(size: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let chains = (0..<size).map { number in
            let content = CardContent(
                signingKey: sha256([1] + bigEndian(UInt64(number) ^ seed << 20)),
                agreementKey: .zero, personKey: sha256([2] + bigEndian(UInt64(number))))
            let link = CardLink(
                encoded: [1], content: content,
                selfSignature: [UInt8](repeating: 0, count: Limits.signatureBytes),
                endorsement: [UInt8](repeating: 0, count: Limits.signatureBytes))
            return UnverifiedCard(links: [link], encoded: content.signingKey.bytes)
        }
        let cards = chains.map { Card(verified: $0, content: $0.links[0].content) }
        let logs = cards.map {
            LogID(device: $0.device, incarnation: Incarnation(random: &random))
        }
        let genesis = Genesis(
            nonce: sha256(bigEndian(seed)), founder: chains[0], role: .shared,
            schema: Self.schema)
        let first = Self.sealed(
            CommitHeader(
                space: .zero, log: logs[0], sequence: 1, previous: .zero,
                clock: HybridTime(raw: 1), seen: [], grant: .none, schema: Self.schema.schema,
                schemaVersion: 1, clearHash: genesis.nonce, operationsHash: .zero),
            ClearPart(genesis: genesis), [],
            facts: [
                .grant(
                    Grant(
                        card: cards[0], parent: nil, flags: .all, siblingIndex: 0,
                        precedence: Precedence.authority.rawValue))
            ])
        var ledger = SpaceLedger(space: first.space, role: .shared, schema: Self.schema)
        _ = ledger.record(first)
        let root = FactReference(commit: first.id, index: 0)
        let facts = cards.dropFirst().map { card in
            MembershipFact.grant(
                Grant(
                    card: card, parent: root, flags: .all, siblingIndex: 0,
                    precedence: Precedence.user.rawValue))
        }
        let second = Self.next(in: logs[0], of: ledger, under: root, clock: 2, facts: facts)
        _ = ledger.record(second)
        self.ledger = ledger
        self.cards = cards
        self.logs = logs
        grants =
            [root] + facts.indices.map { FactReference(commit: second.id, index: UInt32($0)) }
    }

    /// An edit of some hundred bytes.
    static func edit(
        in log: LogID, of ledger: SpaceLedger, under grant: FactReference, clock: UInt64
    ) -> VerifiedCommit {
        next(in: log, of: ledger, under: grant, clock: clock, facts: [])
    }

    private static func next(
        in log: LogID, of ledger: SpaceLedger, under grant: FactReference, clock: UInt64,
        facts: [MembershipFact]
    ) -> VerifiedCommit {
        let (sequence, previous) = ledger.nextPosition(in: log)
        let operations = [UInt8](repeating: 0x20, count: 200)
        let header = CommitHeader(
            space: ledger.space, log: log, sequence: sequence, previous: previous,
            clock: HybridTime(raw: clock), seen: ledger.unseen(by: log), grant: grant,
            schema: schema.schema, schemaVersion: 1, clearHash: .zero,
            operationsHash: sha256(bigEndian(clock)))
        return sealed(header, ClearPart(), operations, facts: facts)
    }

    private static func sealed(
        _ header: CommitHeader, _ clear: ClearPart, _ operations: [UInt8],
        facts: [MembershipFact]
    ) -> VerifiedCommit {
        let encoded = EncodedCommit(
            header: CommitCodec().encodeHeader(header),
            signature: [UInt8](repeating: 0, count: Limits.signatureBytes), clear: [],
            operations: operations)
        return VerifiedCommit(
            verified: UnverifiedCommit(
                id: encoded.id, header: header, clear: clear, operations: [], encoded: encoded),
            facts: facts)
    }
}
