import Device
import Files
import LocalAPI
import Media
import Records
import Store
import SyncCore
import Synchronization
import TestDevices
import Testing

@Suite("Files of what was deleted")
struct BinFilesTests {
    private let longAgo = Milliseconds(1000)

    /// A memory with two small files, which are said to be here since long, and which was deleted.
    private func delete(_ agent: OfflineDevice) async throws -> SpaceID {
        let trip = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = "Duomo"
        draft.photoPaths = [try agent.file("a.bin", "a"), try agent.file("b.bin", "b")]
        _ = try await agent.service.call(\.memories.add, draft)
        _ = try await agent.service.call(\.memories.delete, id: "Duomo")
        return space
    }

    private func age(_ agent: OfflineDevice, in space: SpaceID) throws {
        let small = try agent.node.store.files.named(of: space).compactMap { named in
            try agent.node.store.files.smallContent(of: named.blob).map { (named.blob, $0) }
        }
        try agent.node.store.files.storeSmall(small, in: space, now: longAgo)
    }

    @Test("Freed by hand, they are neither here nor missing; words come back without them")
    func byHand() async throws {
        try await OfflineDevice.with { agent in
            let space = try await delete(agent)
            // Just taken in, they stay whatever is asked for.
            #expect(
                try await agent.service.call(\.spaces.emptyBin, BinEmptying(now: true)).files == 0)
            try age(agent, in: space)
            // Still in the bin.
            let kept = try await agent.service.call(\.spaces.emptyBin, BinEmptying())
            #expect((kept.files, kept.later) == (0, 2))
            // A preview frees nothing.
            let preview = BinEmptying(now: true, preview: true)
            #expect(try await agent.service.call(\.spaces.emptyBin, preview).files == 2)
            #expect(try agent.node.store.files.missing(of: space, withFreed: true).isEmpty)
            // when
            #expect(
                try await agent.service.call(\.spaces.emptyBin, BinEmptying(now: true)).files == 2)
            // then
            #expect(try agent.node.store.files.missing(of: space).isEmpty)
            #expect(try agent.node.store.freedFiles.all().count == 2)
            let item = try #require(
                try await agent.service.call(\.spaces.bin, BinFilter()).first)
            #expect(item.files?.freed == 2 && item.files?.here == 0)
            #expect(item.files?.freedAt != nil)
            let restored = try await agent.service.call(
                \.spaces.restoreFromBin, id: "Duomo", BinFilter())
            #expect(restored.files?.freed == 2)
            #expect(
                try await agent.service.call(\.memories.show, id: "Duomo").media.count == 2)
            // They are wanted again.
            #expect(try agent.node.store.files.missing(of: space).count == 2)
            #expect(try agent.node.store.freedFiles.all().isEmpty)
            let facts = try agent.node.sync.facts(of: space)
            let problems = SpaceVerdict(facts, present: []).problems
            #expect(
                problems.contains {
                    if case .freedFiles(space, 2, _) = $0 { true } else { false }
                })
            #expect(!problems.contains { if case .lostFiles = $0 { true } else { false } })
        }
    }

    @Test("Files that others lack are looked for once, until records are deleted or files change")
    func seenHere() async throws {
        try await OfflineDevice.with { agent in
            // given
            let space = try await delete(agent)
            _ = try await agent.service.call(\.spaces.restoreFromBin, id: "Duomo", BinFilter())
            let all = try Set(agent.node.store.files.named(of: space).map(\.blob))
            let here = FilesSeenHere()
            func unneeded(ownWord: UInt64 = 1) throws -> Set<BlobID> {
                let lacking = Exchange.Lacking(
                    listed: all, unlisted: 0, isVault: false, ownWord: ownWord)
                let found = try agent.node.sync.unneeded(in: lacking, of: space, here: here)
                return Set(found.listed.map(\.blob))
            }
            #expect(try unneeded().isEmpty && all.count == 2)
            // when deleted, and restored
            _ = try await agent.service.call(\.memories.delete, id: "Duomo")
            #expect(try unneeded() == all)
            _ = try await agent.service.call(\.spaces.restoreFromBin, id: "Duomo", BinFilter())
            #expect(try unneeded().isEmpty)
            // when they are here no more, which this device says
            try agent.node.store.files.markMissing(Array(all))
            #expect(try unneeded().isEmpty)
            // then
            #expect(try unneeded(ownWord: 2) == all)
        }
    }

    @Test("Only a device that frees files says until when they are there")
    func until() async throws {
        try await OfflineDevice.with { agent in
            // given
            try age(agent, in: try await delete(agent))
            func time() async throws -> Moment? {
                let item = try await agent.service.call(\.spaces.bin, BinFilter()).first
                return try #require(item?.files).freeableAt
            }
            #expect(try await time() == nil)
            // when
            try agent.node.store.settings.set(BinService.filesSetting, to: BinService.free)
            // then
            #expect(try await time() != nil)
        }
    }

    @Test("Those for which there is no room are given up, and wanted again with their memory")
    func withoutRoom() async throws {
        try await OfflineDevice.with { agent in
            // given files that are not here, one of which another memory shows
            let space = try await delete(agent)
            let store = agent.node.store
            let all = try store.files.named(of: space).map(\.blob)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Again"
            draft.photoPaths = [try agent.file("c.bin", "a")]
            _ = try await agent.service.call(\.memories.add, draft)
            try store.files.markMissing(all)
            // then what only a deleted memory shows is not waited for
            #expect(try agent.node.sync.unneededFiles(of: space).count == 1)
            #expect(try agent.node.sync.lostFiles(of: space).count == 1)
            // when
            var forgone: Set<BlobID> = []
            // Nothing is given up if the device itself writes something meanwhile.
            for _ in 0..<100 where forgone.isEmpty {
                forgone = try ForgoneFiles(agent.node).giveUp(among: Set(all))
            }
            // then
            #expect(forgone.count == 1)
            #expect(try Set(store.files.missing(of: space).map(\.blob)).isDisjoint(with: forgone))
            #expect(try store.files.missing(of: space).count == 1)
            // when
            _ = try await agent.service.call(\.memories.restore, id: "Duomo")
            // then
            #expect(try store.files.missing(of: space).count == 2)
            #expect(try ForgoneFiles(agent.node).giveUp(among: Set(all)).isEmpty)
        }
    }

    @Test("While nothing changes, files without room are looked for once in the store")
    func lookedForOnce() async throws {
        try await OfflineDevice.with { agent in
            // given files that are needed and not here
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try agent.file("a.bin", "a"), try agent.file("b.bin", "b")]
            _ = try await agent.service.call(\.memories.add, draft)
            let store = agent.node.store
            let trip = try #require(store.ledgers.values.first { $0.role == .shared })
            let all = Set(try store.files.named(of: trip.space).map(\.blob))
            try store.files.markMissing(all.sorted())
            let first = try #require(all.min())
            let looks = Mutex(0)
            let node = agent.node
            let forgone = ForgoneFiles(node) { unfit in
                looks.withLock { $0 += 1 }
                return try FreeableFiles(node).unneeded(among: unfit)
            }
            func looked(for files: Set<BlobID>) throws -> Int {
                let before = looks.withLock(\.self)
                for _ in 1...50 { #expect(try forgone.giveUp(among: files).isEmpty) }
                return looks.withLock(\.self) - before
            }
            // then once, and once more for each time that the agent itself wrote something
            let once = 1...5
            #expect(try once ~= looked(for: all))
            // when others wait
            #expect(try once ~= looked(for: [first]))
            // when something was written
            try store.settings.set("test", to: "1")
            #expect(try once ~= looked(for: [first]))
            // when the record that named them is deleted
            _ = try await agent.service.call(\.memories.delete, id: "Duomo")
            #expect(try await given(up: all, by: forgone) == all)
        }
    }

    /// What is given up when nothing is written meanwhile: the agent itself may write something.
    private func given(
        up files: Set<BlobID>, by forgone: ForgoneFiles
    ) async throws -> Set<BlobID> {
        for _ in 1...100 {
            let given = try forgone.giveUp(among: files)
            if !given.isEmpty { return given }
            try await Task.sleep(for: .milliseconds(20))
        }
        return []
    }

    @Test("A look for files without room that something interrupted is repeated")
    func lookedForAgain() async throws {
        try await OfflineDevice.with { agent in
            // given files that nobody needs and that are not here
            let space = try await delete(agent)
            let node = agent.node
            let all = Set(try node.store.files.named(of: space).map(\.blob))
            try node.store.files.markMissing(all.sorted())
            struct Unreadable: Error {}
            let looks = Mutex(0)
            let forgone = ForgoneFiles(node) { unfit in
                let look = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                if look == 1 { throw Unreadable() }
                let found = try FreeableFiles(node).unneeded(among: unfit)
                // Somebody writes before they are given up.
                if look == 2 { try node.store.settings.set("test", to: "1") }
                return found
            }
            // when, then
            #expect(throws: Unreadable.self) { try forgone.giveUp(among: all) }
            #expect(try forgone.giveUp(among: all).isEmpty)
            #expect(try await given(up: all, by: forgone) == all)
            #expect(looks.withLock(\.self) >= 3)
        }
    }

    @Test("Thumbnails go with their files and are not counted")
    func thumbnails() async throws {
        try await OfflineDevice.with { agent in
            let space = try await delete(agent)
            let content = Array("a small picture".utf8)
            let blob = try BlobHash.chunkList(of: content).blobID
            try agent.node.store.files.storeSmall([(blob, content)], in: space, now: longAgo)
            let media = try #require(
                try agent.node.store.records.list(of: space, in: "media").first)
            try await agent.node.write(
                ChangeSet(
                    blobs: [NamedBlob(blob: blob, size: UInt64(content.count), kind: .thumbnail)],
                    operations: [
                        RecordOperation(
                            collection: "media", record: media.record,
                            writes: [Write(field: "thumbnail", value: .blob(blob))])
                    ]), to: space)
            try age(agent, in: space)
            // when
            let item = try #require(
                try await agent.service.call(\.spaces.bin, BinFilter()).first)
            let freed = try await agent.service.call(\.spaces.emptyBin, BinEmptying(now: true))
            // then
            #expect(item.files?.here == 2)
            #expect(item.files?.bytes == Int64(content.count) + 2)
            #expect(freed.files == 2 && freed.bytes == Int64(content.count) + 2)
            #expect(try agent.node.store.freedFiles.all().count == 3)
            let after = try #require(
                try await agent.service.call(\.spaces.bin, BinFilter()).first)
            #expect(after.files?.freed == 2 && after.files?.here == 0)
        }
    }

    @Test("Nothing is freed while a backup runs, and a backup waits while something is freed")
    func backup() async throws {
        let hold = FreeingHold()
        #expect(try await hold.backingUp { try await hold.freeing { 1 } } == nil)
        // when
        let (frees, freeing) = AsyncStream.makeStream(of: Void.self)
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        async let freed = hold.freeing {
            freeing.yield()
            _ = await ends.first { _ in true }
            return 1
        }
        _ = await frees.first { _ in true }
        #expect(try await hold.freeing { 1 } == nil)
        async let backup = hold.backingUp { 2 }
        ending.yield()
        // then
        #expect(try await freed == 1)
        #expect(try await backup == 2)
        #expect(try await hold.freeing { 3 } == 3)
    }

    /// The only file of a memory, large enough for one of its own on the disk.
    private func add(_ agent: OfflineDevice) async throws -> BlobID {
        _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = "Duomo"
        let text = String(repeating: "a picture, or so. ", count: 8_000)
        draft.photoPaths = [try agent.file("a.bin", text)]
        let photo = try #require(
            try await agent.service.call(\.memories.add, draft).media.first)
        return try #require(bytes(hexadecimal: photo.blobID[...]).flatMap { BlobID(bytes: $0) })
    }

    /// Notes a file as freed, which the store refuses if the device itself writes something meanwhile.
    private func free(_ blob: BlobID, of agent: OfflineDevice) throws -> Bool {
        let store = agent.node.store
        for _ in 0..<100 {
            let isFreed = try store.freedFiles.free(
                [blob], decidedAt: store.version, now: agent.node.now)
            if isFreed { return true }
        }
        return false
    }

    @Test("A file does not count again between being noted as freed and being removed")
    func foundWhileFreeing() async throws {
        try await OfflineDevice.with { agent in
            // given
            let blob = try await add(agent)
            let (store, media) = (agent.node.store, agent.media)
            // when
            _ = try await media.hold.freeing {
                let freed = try? free(blob, of: agent)
                #expect(freed == true)
                await agent.node.compareFiles()
            }
            // then
            #expect(try store.files.blob(blob)?.isFreed == true)
            // when it could not be removed
            await agent.node.compareFiles()
            // then
            #expect(try store.files.blob(blob)?.isPresent == true)
        }
    }

    @Test("A file that is wanted again before it is removed stays, and counts")
    func wantedWhileFreeing() async throws {
        try await OfflineDevice.with { agent in
            // given a file that is noted as freed, and of which the record is restored
            let blob = try await add(agent)
            let (store, media) = (agent.node.store, agent.media)
            let space = try #require(try store.files.spaces(naming: blob).first)
            #expect(try free(blob, of: agent))
            #expect(try store.freedFiles.wantFreed(of: space).map(\.blob) == [blob])
            // when
            let emptier = BinEmptier(agent.node, media)
            try await emptier.remove([blob], finishedBefore: .max)
            // then
            #expect(media.files.length(of: blob) != nil)
            #expect(try store.files.blob(blob)?.isPresent == true)
            // when nobody wants it
            #expect(try free(blob, of: agent))
            try await emptier.remove([blob], finishedBefore: .max)
            // then
            #expect(media.files.length(of: blob) == nil)
            #expect(try store.files.blob(blob)?.isFreed == true)
        }
    }

    @Test("The days of a sealed deletion begin when the key comes that opens it")
    func sealed() async throws {
        try await OfflineDevice.pair { ann, ben in
            // given a deletion that came a month before its key
            let trip = try await ann.service.call(
                \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try ann.file("a.bin", "a")]
            _ = try await ann.service.call(\.memories.add, draft)
            _ = try await ann.service.call(\.memories.delete, id: "Duomo")
            let closed = try ann.node.store.log.commits(
                of: space, beyond: Watermark(), byteLimit: .max
            ).commits.count
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .editor))
            try ben.receive(space, from: ann, limit: closed)
            #expect(try !ben.node.store.sealed.closedCommits(in: space).isEmpty)
            // when
            let month: UInt64 = 31 * 86_400_000
            try ben.receive(space, from: ann, later: month)
            // then
            let file = try #require(try FreeableFiles(ben.node).all(in: space).first)
            var release = file.release
            release.isHere = true
            let now = Milliseconds(ben.node.clock.wall.value + month)
            guard case .later(let due) = release.verdict(days: 30, at: now) else {
                Issue.record("The file may go at once.")
                return
            }
            #expect(due.value > now.value + 29 * 86_400_000)
        }
    }

    @Test("A file that another memory shows stays")
    func shown() async throws {
        try await OfflineDevice.with { agent in
            let space = try await delete(agent)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Again"
            draft.photoPaths = [try agent.file("c.bin", "a")]
            _ = try await agent.service.call(\.memories.add, draft)
            try age(agent, in: space)
            #expect(
                try await agent.service.call(\.spaces.emptyBin, BinEmptying(now: true)).files == 1)
            #expect(
                try await agent.service.call(\.memories.show, id: "Again").media.allSatisfy {
                    $0.bytesHere == $0.bytes
                })
        }
    }
}
