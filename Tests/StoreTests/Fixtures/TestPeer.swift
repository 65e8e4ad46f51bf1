import Foundation
import Store
import SyncCore
import TestKit
import VirtualDisk

/// One device with a real store, in a directory of its own or on a virtual disk.
final class TestPeer {
    let store: SyncStore
    /// Empty for a store on a virtual disk.
    let home: String
    let card: UnverifiedCard
    let device: DeviceID
    var log: LogID
    let testLog: TestLog
    private var clock = HybridClock()
    var now = Milliseconds(1_700_000_000_000)

    convenience init(
        _ testLog: TestLog, seed: UInt64, home: String = TestPeer.newHome(),
        schema: Schema? = TestPeer.schema
    ) throws {
        try self.init(
            testLog, seed: seed, at: try StoreLock(home: home), home: home, schema: schema)
    }

    convenience init(
        _ testLog: TestLog, seed: UInt64, on disk: VirtualDisk, schema: Schema? = TestPeer.schema
    ) throws {
        try self.init(testLog, seed: seed, at: disk.place(), home: "", schema: schema)
    }

    private init(
        _ testLog: TestLog, seed: UInt64, at place: some StorePlace, home: String, schema: Schema?
    ) throws {
        var random = SeededGenerator(seed: seed)
        let content = CardContent(
            signingKey: sha256(bigEndian(seed)), agreementKey: .zero,
            personKey: sha256([1] + bigEndian(seed)))
        let link = CardLink(encoded: [1], content: content, selfSignature: [], endorsement: [])
        card = UnverifiedCard(links: [link], encoded: [UInt8](bigEndian(seed)))
        device = content.device
        self.home = home
        self.testLog = testLog
        store = try SyncStore(
            holding: place, decoder: testLog, verifier: testLog, random: &random,
            schemas: { $0.schema == schema?.id ? schema : nil })
        log = LogID(device: device, incarnation: store.opening.incarnation)
    }

    func tick() -> HybridTime { clock.tick(now: now) }

    var own: OwnWriting { OwnWriting(in: log, clock: tick, now: now) }

    func sealed(_ header: CommitHeader, _ draft: CommitDraft) -> VerifiedCommit {
        testLog.commit(header, draft.clear, draft.operations)
    }

    /// As a device does before it redates itself.
    func settle() { clock.settle(now: now) }

    static func newHome() -> String {
        FileManager.default.temporaryDirectory.path + "/peersync-\(UUID().uuidString)"
    }

    static let schema = Schema(
        id: SchemaID(sha256([42])), name: "test", version: 1,
        collections: [
            CollectionSchema(
                name: "tag",
                fields: [
                    FieldSchema(name: "name", type: .text, strategy: .lastWrite, isSearched: true)
                ]),
            CollectionSchema(
                name: "memory",
                fields: [
                    FieldSchema(name: "title", type: .text, strategy: .lastWrite, isSearched: true),
                    FieldSchema(name: "text", type: .text, strategy: .mergeText, isSearched: true),
                    FieldSchema(name: "name", type: .text, strategy: .longest, isSearched: false),
                    FieldSchema(
                        name: "place", type: .position, strategy: .mostAccurate, isSearched: false),
                    FieldSchema(
                        name: "count", type: .integer, strategy: .lastWrite, isSearched: false),
                    FieldSchema(
                        name: "tags", type: .set(of: .text), strategy: .union, isSearched: true),
                ]),
        ])

    /// Makes a space of which this device is the founder.
    func found() throws -> SpaceID {
        let pin = SchemaPin(schema: TestPeer.schema.id, version: 1)
        let clear = ClearPart(
            genesis: Genesis(nonce: sha256(device.bytes), founder: card, role: .shared, schema: pin)
        )
        let header = CommitHeader(
            space: .zero, log: log, sequence: 1, previous: .zero, clock: clock.tick(now: now),
            seen: [], grant: .none, schema: pin.schema, schemaVersion: 1, clearHash: .zero,
            operationsHash: .zero)
        let genesis = testLog.commit(header, clear, [])
        let outcome = try store.log.apply([genesis], to: genesis.space, now: now)
        precondition(outcome.stored.map(\.id) == [genesis.id], "a genesis is stored")
        return genesis.space
    }

    @discardableResult
    func write(
        _ operations: [RecordOperation], clear: ClearPart = ClearPart(), to space: SpaceID,
        standing: SpaceStanding? = nil
    ) throws -> ApplyReport {
        now = Milliseconds(now.value + 1)
        return try store.log.append(
            to: space, own, standing: standing,
            draft: { _, _ in CommitDraft(clear: clear, operations: operations) },
            seal: { [testLog] header, draft in
                testLog.commit(header, draft.clear, draft.operations)
            })
    }

    /// Writes one group, each of these as a commit.
    @discardableResult
    func write(
        group: [[RecordOperation]], to space: SpaceID,
        sealing seal: ((CommitHeader, CommitDraft) throws -> VerifiedCommit)? = nil
    ) throws -> ApplyReport {
        now = Milliseconds(now.value + 1)
        return try store.log.append(
            to: space, own, count: group.count,
            draft: { _, index in CommitDraft(operations: group[index]) }, seal: seal ?? sealed)
    }

    /// Notes a file of so many bytes as received in a space.
    func hold(_ blob: BlobID, bytes: UInt64, in space: SpaceID) throws {
        let chunk = UInt64(Limits.chunkBytes)
        let hashes = (0..<(bytes + chunk - 1) / chunk).map { sha256(bigEndian($0)) }
        let list = try ChunkList(length: bytes, hashes: hashes)
        try store.files.markPresent([(blob, list)], in: space, now: now)
    }

    @discardableResult
    func grant(_ flags: Permissions, to other: TestPeer, in space: SpaceID) throws -> FactReference
    {
        now = Milliseconds(now.value + 1)
        let outcome = try store.log.append(
            to: space, own,
            draft: { context, _ in
                let grant = UnverifiedGrant(
                    card: other.card, parent: context.grant, flags: flags,
                    siblingIndex: 0)
                return CommitDraft(clear: ClearPart(facts: [.grant(grant)]), operations: [])
            },
            seal: { [testLog] header, draft in
                testLog.commit(header, draft.clear, draft.operations)
            })
        return FactReference(commit: outcome.stored[0].id, index: 0)
    }

    /// Everything the watermark does not cover, in pages.
    func commits(
        of space: SpaceID, beyond watermark: Watermark = Watermark(), byteLimit: Int = 4096
    ) throws -> [VerifiedCommit] {
        var found: [VerifiedCommit] = []
        var cursor: Int64? = 0
        while let after = cursor {
            let page = try store.log.commits(
                of: space, beyond: watermark, after: after, byteLimit: byteLimit)
            found += try page.commits.map { testLog.verified(try testLog.decode($0.commit)) }
            cursor = page.next
        }
        return found
    }

    func verified(_ encoded: EncodedCommit) throws -> VerifiedCommit {
        testLog.verified(try testLog.decode(encoded))
    }

    @discardableResult
    func pull(_ space: SpaceID, from other: TestPeer) throws -> ApplyReport {
        let known = store.ledger(of: space)?.watermark ?? Watermark()
        return try store.log.apply(
            try other.commits(of: space, beyond: known), to: space, now: now)
    }

    func digest(_ space: SpaceID) throws -> Bytes32 {
        try store.records.digest(of: space, under: TestPeer.schema)
    }

    func states(_ space: SpaceID) throws -> [[StoredRecord]] {
        try TestPeer.schema.collections.map { collection in
            try store.records.list(of: space, in: collection.name, includeDeleted: true)
        }
    }

    /// What this device shows of a record; nil when it is not there.
    func shown(_ number: UInt64, in space: SpaceID) throws -> ShownRecord? {
        let key = RecordKey(collection: "memory", record: record(number))
        return try store.records.record(key, of: space).flatMap {
            TestPeer.schema.shown($0, in: "memory")
        }
    }

    /// A header at this device's next place.
    func nextHeader(in space: SpaceID, under grant: FactReference) throws -> CommitHeader {
        guard let ledger = store.ledger(of: space) else { throw StoreError.spaceUnknown(space) }
        let (sequence, previous) = ledger.nextPosition(in: log)
        return CommitHeader(
            space: space, log: log, sequence: sequence, previous: previous,
            clock: clock.tick(now: now), seen: ledger.unseen(by: log), grant: grant,
            schema: ledger.schema.schema, schemaVersion: 1, clearHash: .zero,
            operationsHash: .zero)
    }
}

func record(_ number: UInt64) -> RecordID {
    var random = SeededGenerator(seed: number)
    return RecordID(Bytes16(random: &random))
}

func titled(_ title: String, _ number: UInt64, replaces: [WriteID]? = nil) -> RecordOperation {
    RecordOperation(
        collection: "memory", record: record(number),
        writes: [Write(field: "title", value: .text(title), replaces: replaces)])
}

func written(_ text: String, _ number: UInt64, replaces: [WriteID]? = nil) -> RecordOperation {
    RecordOperation(
        collection: "memory", record: record(number),
        writes: [Write(field: "text", value: .text(text), replaces: replaces)])
}

func deleted(_ number: UInt64, _ flag: Bool = true) -> RecordOperation {
    RecordOperation(collection: "memory", record: record(number), writes: [.deletion(flag)])
}

func tagged(_ tag: String, _ number: UInt64, _ isIn: Bool = true) -> RecordOperation {
    RecordOperation(
        collection: "memory", record: record(number),
        writes: [Write(field: "tags", element: .text(tag), value: .boolean(isIn))])
}
