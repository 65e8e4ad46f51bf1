import Store
import SyncCore
import Testing

@Suite struct MembershipStoreTests {
    private let testLog = TestLog()

    @Test("a device without the flag for a write is refused before anything is stored")
    func permissionRefused() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let space = try anna.found()
        try anna.grant(.contributor, to: ben, in: space)
        for peer in [ben, cleo] { try peer.pull(space, from: anna) }
        try ben.write([titled("darf ich", 1)], to: space)
        let before = ben.store.ledger(of: space)?.watermark

        #expect(throws: StoreError.permissionRefused(required: [.delete])) {
            try ben.write([deleted(1)], to: space)
        }
        #expect(throws: StoreError.permissionRefused(required: [])) {
            try cleo.write([titled("nein", 2)], to: space)
        }
        #expect(ben.store.ledger(of: space)?.watermark == before)
        #expect(ben.store.writeFailure == nil)
    }

    @Test("a commit over the size limit is refused before anything is stored")
    func tooLarge() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        let text = String(repeating: "x", count: Limits.commitBytes)

        #expect(throws: StoreError.self) { try anna.write([titled(text, 1)], to: space) }
        #expect(anna.store.ledger(of: space)?.watermark.sequence(of: anna.log) == 1)
        #expect(try anna.store.records.counts(of: space).isEmpty)
    }

    @Test("a revocation hides what lies beyond its cut, whichever arrives first")
    func revocation() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let space = try anna.found()
        try anna.write([titled("von Anna", 1)], to: space)
        let grant = try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try ben.write([titled("gilt", 2)], to: space)
        let cut = try #require(ben.store.ledger(of: space)?.watermark)
        try ben.write([titled("gilt nicht", 1), titled("auch nicht", 3)], to: space)
        try anna.pull(space, from: ben)
        #expect(try anna.store.records.search("gilt nicht").count == 1)

        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        let outcome = try anna.write(
            [], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        try ben.pull(space, from: anna)
        try cleo.pull(space, from: anna)

        #expect(outcome.reevaluated == 1 && outcome.membershipChanged)
        let title = try anna.store.records.record(
            RecordKey(collection: "memory", record: record(1)), of: space)?
            .fields["title"]?.latest?.value
        #expect(title == .text("von Anna"))
        #expect(
            try anna.store.records.record(
                RecordKey(collection: "memory", record: record(3)), of: space) == nil)
        #expect(try anna.store.records.search("gilt nicht").isEmpty)
        #expect(try anna.store.records.search("gilt").count == 1)
        #expect(try anna.states(space) == ben.states(space))
        #expect(try anna.states(space) == cleo.states(space))
        #expect(try anna.store.log.history(of: space, limit: .max).count(where: \.isEffective) == 5)
        #expect(throws: StoreError.self) { try ben.write([titled("zu spät", 4)], to: space) }
    }

    @Test("blobs are named by effective commits only, and asked for in the right order")
    func blobNames() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        let grant = try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        let cut = try #require(ben.store.ledger(of: space)?.watermark)
        let ids = (0..<5).map { BlobID(sha256([$0])) }
        let named = [
            NamedBlob(blob: ids[0], size: 5_000_000, kind: .original),
            NamedBlob(blob: ids[1], size: .max, kind: .original),
            NamedBlob(blob: ids[2], size: 100, kind: .track),
            NamedBlob(blob: ids[3], size: 200_000, kind: .thumbnail),
        ]
        let foreign = NamedBlob(blob: ids[4], size: 1, kind: .thumbnail)

        let outcome = try anna.write([titled("a", 1)], clear: ClearPart(blobs: named), to: space)
        try ben.write([titled("b", 2)], clear: ClearPart(blobs: [foreign]), to: space)
        try anna.pull(space, from: ben)
        #expect(Set(outcome.needs.map(\.blob)) == Set(ids[0...3]))
        #expect(
            try anna.store.files.missing(of: space).map(\.blob)
                == [ids[4], ids[3], ids[2], ids[0], ids[1]])
        try anna.store.files.storeSmall([(ids[2], [1, 2, 3])], in: space, now: anna.now)
        try anna.hold(ids[0], bytes: 5_000_000, in: space)
        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)

        #expect(try anna.store.files.missing(of: space).map(\.blob) == [ids[3], ids[1]])
        #expect(try anna.store.files.servedKind(of: ids[0], in: space) != nil)
        #expect(try anna.store.files.servedKind(of: ids[4], in: space) == nil)
        #expect(try anna.store.files.spaces(naming: ids[2]) == [space])
        let counts = try anna.store.files.counts(of: space)
        #expect(counts.named == 4 && counts.verified == 2 && counts.verifiedBytes == 5_000_003)
        #expect(try anna.store.files.smallContent(of: ids[2]) == [1, 2, 3])
        try anna.store.files.markMissing([ids[2]])
        #expect(try anna.store.files.smallContent(of: ids[2]) == nil)
        #expect(try anna.store.files.blob(ids[2])?.isPresent == false)
    }
}
