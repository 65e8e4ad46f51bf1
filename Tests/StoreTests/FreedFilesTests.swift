import Store
import SyncCore
import Testing

/// Files of deleted records, and those that were freed.
@Suite struct FreedFilesTests {
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
        #expect(
            try anna.store.freedFiles.free([photo.blob], decidedAt: anna.store.version, now: now))
        #expect(try anna.store.files.missing(of: space).isEmpty)
        #expect(try anna.store.files.missing(of: space, withFreed: true) == [photo])
        #expect(try anna.store.files.servedKind(of: photo.blob, in: space) == nil)
        #expect(try anna.store.files.present().isEmpty)
        #expect(try anna.store.freedFiles.all() == [photo.blob])
        #expect(try anna.store.examination.awaitedBlobs().isEmpty)
        let stored = try #require(try anna.store.files.blob(photo.blob))
        #expect(stored.isFreed && !stored.isPresent && stored.freedAt == now)
        let counts = try anna.store.files.counts(of: space)
        #expect((counts.named, counts.verified, counts.missing) == (1, 0, 0))
        // and when somebody found it gone, and says so late
        try anna.store.files.markMissing([photo.blob])
        #expect(try anna.store.files.blob(photo.blob)?.isFreed == true)
        // and when it is put back
        try anna.hold(photo.blob, bytes: 60, in: space)
        #expect(try anna.store.files.blob(photo.blob)?.freedAt == nil)
        #expect(try anna.store.freedFiles.all().isEmpty)
    }

    @Test("Nothing is freed when anything was written since that was decided")
    func outdated() throws {
        let (anna, space) = try scene()
        try anna.write([deleted(1)], to: space)
        let version = anna.store.version
        try anna.write([deleted(1, false)], to: space)
        #expect(try !anna.store.freedFiles.free([photo.blob], decidedAt: version, now: now))
        #expect(try anna.store.files.blob(photo.blob)?.isPresent == true)
    }

    @Test("A freed file is wanted again as soon as something shown names it, and not before")
    func wanted() throws {
        let (anna, space) = try scene()
        try anna.write([deleted(1)], to: space)
        _ = try anna.store.freedFiles.free([photo.blob], decidedAt: anna.store.version, now: now)
        #expect(try anna.store.freedFiles.wantFreed(of: space).isEmpty)
        // A change of something else brings nothing back.
        let other = try anna.write([titled("Rome", 3)], to: space)
        #expect(try anna.store.freedFiles.wantFreed(of: space, after: other.touched).isEmpty)
        // when
        let outcome = try anna.write([deleted(1, false)], to: space)
        #expect(try anna.store.freedFiles.wantFreed(of: space, after: outcome.touched) == [photo])
        // then
        #expect(try anna.store.files.missing(of: space) == [photo])
        #expect(try anna.store.files.blob(photo.blob)?.isFreed == false)
        #expect(try anna.store.files.blob(photo.blob)?.freedAt == now)
        #expect(try anna.store.freedFiles.wantedAgain(of: space) == [photo.blob: now])
        #expect(try anna.store.files.gone(of: space).isEmpty)
        #expect(try !anna.store.files.isGone(photo.blob, in: space))
        #expect(try anna.store.freedFiles.all().isEmpty)
    }

    @Test("A file that was given up before it came is not waited for, until it is shown again")
    func forgone() throws {
        // given a deleted memory whose photo is not here
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        try anna.write([titled("Duomo", 1), showing(1)], clear: naming, to: space)
        try anna.write([deleted(1)], to: space)
        #expect(try anna.store.files.missing(of: space) == [photo])
        // A decision from before something was written is none.
        let earlier = anna.store.version - 1
        #expect(try !anna.store.freedFiles.free([photo.blob], decidedAt: earlier, now: nil))
        // when
        let version = anna.store.version
        #expect(try anna.store.freedFiles.free([photo.blob], decidedAt: version, now: nil))
        // then
        #expect(try anna.store.files.missing(of: space).isEmpty)
        #expect(try anna.store.files.counts(of: space).missing == 0)
        // when it is restored
        let outcome = try anna.write([deleted(1, false)], to: space)
        // then it counts as one that never was here
        #expect(try anna.store.freedFiles.wantFreed(of: space, after: outcome.touched) == [photo])
        #expect(try anna.store.freedFiles.wantedAgain(of: space).isEmpty)
        #expect(try anna.store.files.gone(of: space).isEmpty)
    }

    @Test("A file that was given up is wanted again once there is room, one that was freed is not")
    func room() throws {
        // given
        let (anna, space) = try scene()
        let other = NamedBlob(blob: BlobID(sha256([8])), size: 60, kind: .original)
        let showing = RecordOperation(
            collection: "memory", record: record(2),
            writes: [Write(field: "photo", value: .blob(other.blob))])
        try anna.write([showing], clear: ClearPart(blobs: [other]), to: space)
        try anna.write([deleted(1), deleted(2)], to: space)
        let (files, freedFiles) = (anna.store.files, anna.store.freedFiles)
        #expect(try freedFiles.free([photo.blob], decidedAt: anna.store.version, now: now))
        #expect(try freedFiles.free([other.blob], decidedAt: anna.store.version, now: nil))
        #expect(try files.missing(of: space).isEmpty)
        // when
        #expect(try freedFiles.wantForgone() == [other.blob])
        // then
        #expect(try files.missing(of: space) == [other])
        #expect(try freedFiles.all() == [photo.blob])
        #expect(try freedFiles.wantForgone().isEmpty)
    }

    /// Pages belong to a memory; notes forbid to delete the page that they are about.
    private static let needing = Schema(
        id: TestPeer.schema.id, name: "needing", version: 1,
        collections: [
            CollectionSchema(name: "memory", fields: [field("title", .text)]),
            CollectionSchema(
                name: "page",
                fields: [
                    field("photo", .blob(.original)),
                    field("memory", .reference(collection: "memory", onDelete: .cascade)),
                ]),
            CollectionSchema(
                name: "note",
                fields: [field("about", .reference(collection: "page", onDelete: .restrict))]),
        ])

    private static func field(_ name: String, _ type: FieldType) -> FieldSchema {
        FieldSchema(name: name, type: type, strategy: .lastWrite, isSearched: false)
    }

    private func operation(
        _ collection: String, _ number: UInt64, _ writes: [Write]
    ) -> RecordOperation {
        RecordOperation(collection: collection, record: record(number), writes: writes)
    }

    @Test(
        "A freed file is wanted again when a restored record needs the deleted one that names it",
        arguments: [false, true])
    func wantedByReference(deletedWithOwner: Bool) throws {
        // given: a note about a page with a photo; all is deleted, and the photo freed
        let anna = try TestPeer(testLog, seed: 1, schema: Self.needing)
        let space = try anna.found()
        try anna.hold(photo.blob, bytes: 60, in: space)
        try anna.write(
            [
                titled("Duomo", 1),
                operation(
                    "page", 2,
                    [
                        Write(field: "photo", value: .blob(photo.blob)),
                        Write(field: "memory", value: .reference(record(1))),
                    ]),
                operation("note", 3, [Write(field: "about", value: .reference(record(2)))]),
            ], clear: naming, to: space)
        try anna.write([operation("note", 3, [.deletion(true)])], to: space)
        let page = operation("page", 2, [.deletion(true)])
        try anna.write([deletedWithOwner ? deleted(1) : page], to: space)
        #expect(try anna.store.files.deleted(of: space)[photo.blob] != nil)
        #expect(
            try anna.store.freedFiles.free([photo.blob], decidedAt: anna.store.version, now: now))
        // when
        let restored = try anna.write([operation("note", 3, [.deletion(false)])], to: space)
        // then
        #expect(try anna.store.freedFiles.wantFreed(of: space, after: restored.touched) == [photo])
        #expect(try anna.store.files.missing(of: space) == [photo])
    }
}
