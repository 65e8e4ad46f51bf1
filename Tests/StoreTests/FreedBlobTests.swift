import Store
import SyncCore
import Testing

/// Files of deleted records, and those that were freed.
@Suite struct FreedBlobTests {
    private let testLog = TestLog()
    private let photo = NamedBlob(blob: BlobID(sha256([7])), size: 60, kind: .original)
    private let now = Milliseconds(5000)

    private var naming: ClearPart { ClearPart(blobs: [photo]) }

    private func showing(_ number: UInt64) -> RecordOperation {
        RecordOperation(
            collection: "memory", record: record(number),
            writes: [Write(field: "photo", value: .blob(photo.blob))])
    }

    /// A space with a photo that is here, in one memory.
    private func scene() throws -> (anna: TestPeer, space: SpaceID) {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        try anna.hold(photo.blob, bytes: 60, in: space)
        try anna.write([titled("Duomo", 1), showing(1)], clear: naming, to: space)
        return (anna, space)
    }

    @Test("A file is one of deleted records when all that a commit wrote it to are deleted")
    func deletedFiles() throws {
        let (anna, space) = try scene()
        #expect(try anna.store.files.deleted(of: space).isEmpty)
        try anna.write([deleted(1)], to: space)
        let found = try anna.store.files.deleted(of: space)
        #expect(found.keys.map { $0 } == [photo.blob])
        #expect(found[photo.blob]?.records.map(\.record) == [record(1)])
        #expect(found[photo.blob]?.deletions.count == 1)
        // Another memory shows it.
        try anna.write([titled("Dom", 2), showing(2)], clear: naming, to: space)
        #expect(try anna.store.files.deleted(of: space).isEmpty)
        // That, too, is deleted; and comes back.
        try anna.write([deleted(2)], to: space)
        #expect(try anna.store.files.deleted(of: space)[photo.blob]?.deletions.count == 2)
        try anna.write([deleted(1, false)], to: space)
        #expect(try anna.store.files.deleted(of: space).isEmpty)
    }

    @Test("A file that a commit names and writes nowhere is one of no deleted record")
    func namedOnly() throws {
        let (anna, space) = try scene()
        try anna.write([], clear: naming, to: space)
        try anna.write([deleted(1)], to: space)
        #expect(try anna.store.files.deleted(of: space).isEmpty)
    }

    @Test("A freed file is neither here nor missing, is served to nobody, and is said to lack")
    func free() throws {
        let (anna, space) = try scene()
        try anna.write([deleted(1)], to: space)
        #expect(try anna.store.files.free([photo.blob], decidedAt: anna.store.version, now: now))
        #expect(try anna.store.files.missing(of: space).isEmpty)
        #expect(try anna.store.files.missing(of: space, withFreed: true) == [photo])
        #expect(try !anna.store.files.serves(photo.blob, in: space))
        #expect(try anna.store.files.present().isEmpty)
        #expect(try anna.store.files.freed() == [photo.blob])
        #expect(try anna.store.examination.awaitedBlobs().isEmpty)
        let stored = try #require(try anna.store.files.blob(photo.blob))
        #expect(stored.isFreed && !stored.isPresent && stored.freedAt == now)
        let counts = try anna.store.files.counts(of: space)
        #expect((counts.named, counts.verified, counts.missing) == (1, 0, 0))
        // and when it is put back
        try anna.hold(photo.blob, bytes: 60, in: space)
        #expect(try anna.store.files.blob(photo.blob)?.freedAt == nil)
        #expect(try anna.store.files.freed().isEmpty)
    }

    @Test("Nothing is freed when anything was written since that was decided")
    func outdated() throws {
        let (anna, space) = try scene()
        try anna.write([deleted(1)], to: space)
        let version = anna.store.version
        try anna.write([deleted(1, false)], to: space)
        #expect(try !anna.store.files.free([photo.blob], decidedAt: version, now: now))
        #expect(try anna.store.files.blob(photo.blob)?.isPresent == true)
    }

    @Test("A freed file is wanted again as soon as something shown names it, and not before")
    func wanted() throws {
        let (anna, space) = try scene()
        try anna.write([deleted(1)], to: space)
        _ = try anna.store.files.free([photo.blob], decidedAt: anna.store.version, now: now)
        #expect(try anna.store.files.wantFreed(of: space).isEmpty)
        // A change of something else brings nothing back.
        let other = try anna.write([titled("Rome", 3)], to: space)
        #expect(try anna.store.files.wantFreed(of: space, after: other.touched).isEmpty)
        // when
        let outcome = try anna.write([deleted(1, false)], to: space)
        #expect(try anna.store.files.wantFreed(of: space, after: outcome.touched) == [photo])
        // then
        #expect(try anna.store.files.missing(of: space) == [photo])
        #expect(try anna.store.files.blob(photo.blob)?.isFreed == false)
        #expect(try anna.store.files.blob(photo.blob)?.freedAt == now)
        #expect(try anna.store.files.wantedAgain(of: space) == [photo.blob: now])
        #expect(try anna.store.files.gone(of: space).isEmpty)
        #expect(try !anna.store.files.isGone(photo.blob, in: space))
        #expect(try anna.store.files.freed().isEmpty)
    }
}
