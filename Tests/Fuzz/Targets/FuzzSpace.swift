import Identity
import Journal
import Records
import SyncCore
import Wire

/// One space as a device holds it in memory: its ledger, the commits by their place, and the records.
struct FuzzSpace {
    /// Founder, their second log, a device that was let in, and one that was not.
    let logs: [LogID]
    private(set) var ledger: SpaceLedger
    private var stored: [LogID: [CommitID]] = [:]
    private var keys = KeyDirectory()
    private var records: [String: [RecordID: RecordState]] = [:]
    private let schema: Schema
    private static let codec = CommitCodec()
    /// Every input begins with the same space, which takes time to make.
    static let beginning = Result { try FuzzSpace() }

    private init() throws {
        let cards = (1...3).map(FuzzSpace.card)
        logs = [(0, 0), (0, 1), (1, 0), (2, 0)].map { device, incarnation in
            LogID(
                device: DeviceID(sha256(FuzzSpace.key(1 + device).bytes)),
                incarnation: incarnation == 0
                    ? .zero : Bytes16(repeatElement(1, count: 16)) ?? .zero)
        }
        schema = try SchemaLoader.load(BuiltInSchema.journal.document)
        let pin = SchemaPin(schema: schema.id, version: 1)
        let genesis = try FuzzSpace.commit(
            FuzzSpace.header(log: logs[0], sequence: 1),
            clear: FuzzSpace.codec.encode(
                ClearPart(
                    genesis: Genesis(
                        nonce: .zero, founder: cards[0], role: .shared, schema: pin))),
            operations: [])
        ledger = SpaceLedger(space: genesis.space, role: .shared, schema: pin)
        for card in cards { keys.add(card) }
        try apply(genesis)
        let founderGrant = FactReference(commit: genesis.id, index: 0)
        var second = FuzzSpace.header(log: logs[0], sequence: 2)
        second.space = genesis.space
        second.previous = genesis.id
        second.grant = founderGrant
        let grant = UnverifiedGrant(
            card: cards[1], parent: founderGrant, flags: [.read, .write, .admin], siblingIndex: 0)
        try apply(
            try FuzzSpace.commit(
                second,
                clear: FuzzSpace.codec.encode(ClearPart(facts: [.grant(grant)])), operations: []))
        try require(ledger.watermark.sequence(of: logs[0]) == 2, "a space begins")
    }

    // MARK: What comes in

    /// A header with everything in it that this space can say of the next commit of `log`.
    func placed(_ header: CommitHeader, in log: LogID) -> CommitHeader {
        var placed = header
        let position = ledger.nextPosition(in: log)
        placed.space = ledger.space
        placed.log = log
        placed.sequence = position.sequence
        placed.previous = position.previous
        placed.seen = ledger.unseen(by: log)
        placed.grant = ledger.membership.writingGrant(of: log.device) ?? placed.grant
        return placed
    }

    /// Verifies a commit, and stores and applies it when the ledger takes it.
    mutating func apply(_ commit: UnverifiedCommit) throws {
        let batch = CommitVerifier(signatures: AnySignature()).verify([commit], keys: keys)
        keys.merge(batch.keys)
        guard let commit = batch.commits.first else {
            return try require(
                batch.invalid ?? batch.keyless == commit.id, "what is not verified is named")
        }
        try require(
            commit.facts.count
                == max(commit.commit.clear.facts.count, commit.header.isGenesis ? 1 : 0),
            "every fact keeps its index")
        let before = ledger
        guard try ledger.check(commit, commitAt: commitAt) == nil else { return }
        _ = ledger.record(commit)
        stored[commit.header.log, default: []].append(commit.id)
        try checkStored(commit, after: before)
        apply(commit)
    }

    private func commitAt(_ log: LogID, _ sequence: UInt64) -> CommitID? {
        guard let commits = stored[log], (1...UInt64(commits.count)).contains(sequence) else {
            return nil
        }
        return commits[Int(sequence) - 1]
    }

    private func checkStored(_ commit: VerifiedCommit, after before: SpaceLedger) throws {
        let header = commit.header
        try require(
            ledger.watermark.heads[header.log]
                == LogHead(sequence: header.sequence, commit: commit.id),
            "a stored commit is the head of its log")
        try require(ledger.watermark.covers(before.watermark), "watermarks only grow")
        try require(
            ledger.watermark.count(beyond: before.watermark) == 1, "one commit is one step")
        try require(
            try ledger.check(commit, commitAt: commitAt) == .known, "a commit is stored once")
        try require(
            Watermark(ledger.watermark.positions.reversed()).digest() == ledger.watermark.digest(),
            "the order of positions changes no digest")
        try require(
            try CommitCodec().decode(commit.encoded) == commit.commit, "what is stored is read")
    }

    private mutating func apply(_ commit: VerifiedCommit) {
        guard ledger.isEffective(commit) else { return }
        let applied = ledger.applied(commit.commit)
        var index: UInt32 = 0
        for operation in commit.commit.operations {
            records[operation.collection, default: [:]][operation.record, default: RecordState()]
                .apply(operation, firstIndex: index, of: applied)
            index += UInt32(operation.writes.count)
        }
    }

    // MARK: What is shown

    /// Checks every record that was written.
    func checkRecords() throws {
        for (collection, states) in records {
            for state in states.values {
                let sets = state.sets.values.flatMap(\.values)
                for register in Array(state.fields.values) + sets {
                    let ids = register.writes.map(\.id)
                    try require(ids == ids.sorted(), "survivors stand in the order of their ids")
                    try require(Set(ids).count == ids.count, "a write survives once")
                    try require(register.latest != nil, "a register shows something")
                }
                guard let shown = schema.shown(state, in: collection) else { continue }
                let bytes = shown.values.mapValues(\.canonicalBytes)
                let again = schema.shown(state, in: collection)
                try require(
                    again?.values.mapValues(\.canonicalBytes) == bytes, "one state shows one thing")
            }
        }
    }

    /// Checks what everybody may do against what who let them in may do.
    func checkMembership() throws {
        try FuzzMembership.check(ledger.membership.standings)
    }

    // MARK: Making commits

    static func header(log: LogID, sequence: UInt64) -> CommitHeader {
        CommitHeader(
            space: .zero, log: log, sequence: sequence, previous: .zero,
            clock: HybridTime(raw: sequence), seen: [], grant: .none, schema: .zero,
            schemaVersion: 1, clearHash: .zero, operationsHash: .zero)
    }

    /// A commit of these parts, whatever they hold; its hashes fit.
    static func encoded(
        _ header: CommitHeader, clear: [UInt8], operations: [UInt8]
    ) -> EncodedCommit {
        var header = header
        header.clearHash = Label.clearPart.hash(clear)
        header.operationsHash = Label.operationsPart.hash(operations)
        return EncodedCommit(
            header: codec.encodeHeader(header),
            signature: [UInt8](repeating: 1, count: Limits.signatureBytes), clear: clear,
            operations: operations)
    }

    private static func commit(
        _ header: CommitHeader, clear: [UInt8], operations: [UInt8]
    ) throws -> UnverifiedCommit {
        try codec.decode(encoded(header, clear: clear, operations: operations))
    }

    static func key(_ number: Int) -> Bytes32 {
        Bytes32([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32)) ?? .zero
    }

    /// The card of one of a few devices, each of a person of its own.
    static func card(_ number: Int) -> UnverifiedCard {
        let content = CardContent(
            signingKey: key(number), agreementKey: .zero, personKey: key(100 + number))
        let signature = [UInt8](repeating: 1, count: Limits.signatureBytes)
        let link = CardLink(
            encoded: CardCodec().encode(content), content: content, selfSignature: signature,
            endorsement: signature)
        return UnverifiedCard(links: [link], encoded: CardCodec().encode(links: [link]))
    }
}
