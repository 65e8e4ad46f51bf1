import Device
import Foundation
import LocalAPI
import Media
import Records
import Store
import SyncCore
import TestDevices
import Testing
import Wire

@Suite("Old writes that are recovered in an encrypted trip")
struct RecoveredFileTests {
    /// Ann's trip, encrypted after Ben, who had lost his rights, had added a memory with two files:
    /// changes without effect that name unencrypted files.
    private func orphaned(
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Hut"
            draft.photoPaths = [
                try ben.file("one.bin", "the first file"),
                try ben.file("two.bin", "the second file"),
            ]
            _ = try await ben.service.call(\.memories.add, draft)
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            try await body(ann, ben, space)
        }
    }

    private func blob(_ file: MediaView) throws -> BlobID {
        try #require(bytes(hexadecimal: file.blobID).flatMap { BlobID(bytes: $0) })
    }

    /// As if they had arrived before their author lost the rights.
    private func give(
        _ names: [String], to ann: OfflineDevice, from ben: OfflineDevice, in space: SpaceID
    )
        async throws
    {
        for file in try await ben.media() where names.contains(file.fileName) {
            let blob = try blob(file)
            let bytes = try #require(try ben.node.store.files.smallContent(of: blob))
            try ann.node.store.files.storeSmall(
                [(blob, bytes)], in: space, now: ann.node.clock.wall)
        }
    }

    private func recover(_ ann: OfflineDevice) async throws -> RecoverReport {
        try await ann.service.call(
            \.trips.recovery.recoverOrphans, RecoverRequest(trip: "Arezzo"))
    }

    /// A vault's part of the sealed commits of a space: headers and clear parts, as bytes.
    private func readable(_ agent: OfflineDevice, _ space: SpaceID) throws -> [[UInt8]] {
        try agent.node.store.log.commits(of: space, beyond: Watermark(), byteLimit: .max).commits
            .map { try CommitCodec().decodeUnread($0.commit) }
            .filter { $0.header.epoch != nil }
            .map { $0.encoded.header + $0.encoded.clear + $0.encoded.operations }
    }

    @Test(
        "Recovering a change encrypts its file from before, and never names the plain one")
    func encrypted() async throws {
        try await orphaned { ann, ben, space in
            // given
            try await give(["one.bin", "two.bin"], to: ann, from: ben, in: space)
            // when
            let report = try await recover(ann)
            // then
            #expect(report.recovered.map(\.changes) == [1] && report.missing.count == 0)
            #expect(try await ann.titles() == ["Duomo", "Hut"])
            #expect(try await ann.exportedTexts() == ["the first file", "the second file"])
            let plain = try await ben.media().map { try blob($0) }
            #expect(plain.count == 2)
            let sealed = try readable(ann, space)
            #expect(!sealed.isEmpty)
            for bytes in sealed {
                for blob in plain { #expect(!bytes.contains(blob.bytes)) }
            }
            for file in try await ann.media() {
                #expect(try ann.node.form(of: blob(file), in: space) == .encrypted)
                #expect(
                    try ann.node.store.files.servedKind(of: blob(file), in: space, isSealed: true)
                        != nil)
            }
            // and when it is reverted
            _ = try await ann.service.call(
                \.trips.recovery.undoRecovery, ScopeFilter(trip: "Arezzo"))
            #expect(try await ann.titles() == ["Duomo"])
            for bytes in try readable(ann, space) {
                for blob in plain { #expect(!bytes.contains(blob.bytes)) }
            }
        }
    }

    @Test("A missing file is left out and reported, and the rest is recovered")
    func missing() async throws {
        try await orphaned { ann, ben, space in
            try await give(["one.bin"], to: ann, from: ben, in: space)
            let report = try await recover(ann)
            #expect(report.recovered.map(\.changes) == [1] && report.refused == 0)
            #expect(report.missing == LeftFiles(["two.bin"]))
            #expect(try await ann.titles() == ["Duomo", "Hut"])
            #expect(try await ann.exportedTexts() == ["the first file"])
            let plain = try await ben.media().map { try blob($0) }
            for bytes in try readable(ann, space) {
                for blob in plain { #expect(!bytes.contains(blob.bytes)) }
            }
            #expect(try ann.node.store.files.missing(of: space).isEmpty)
        }
    }

    @Test("A change that consists of missing files waits until they are here")
    func waits() async throws {
        try await orphaned { ann, ben, space in
            _ = try await recover(ann)
            var more = MemoryChanges()
            more.addPhotoPaths = [try ben.file("three.bin", "the third file")]
            _ = try await ben.service.call(\.memories.edit, id: "Hut", more)
            try ann.receive(space, from: ben)
            let report = try await recover(ann)
            #expect(report.recovered.isEmpty && report.refused == 0)
            #expect(report.missing == LeftFiles(["three.bin"]))
            #expect(try await ann.service.call(\.trips.recovery.orphans, ScopeFilter()).count == 1)
            try await give(["three.bin"], to: ann, from: ben, in: space)
            #expect(try await recover(ann).recovered.map(\.changes) == [1])
            #expect(try await ann.exportedTexts() == ["the third file"])
        }
    }

    @Test("For a file added while the trip was encrypted, the encrypted one is named")
    func meanwhile() async throws {
        try await OfflineDevice.shared(.editor) { ann, _, space in
            let path = try ann.file("late.bin", "added meanwhile")
            let taken = try await ann.node.importFiles([path], track: nil, into: space).photos[0]
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            let record = ann.node.newRecordID(in: space)
            let changes = ChangeSet(
                blobs: [taken.original],
                operations: [
                    RecordOperation(
                        collection: "media", record: record,
                        writes: [Write(field: "original", value: .blob(taken.original.blob))])
                ])
            await #expect(throws: StoreError.filesInClear) {
                try await ann.node.write(changes, to: space)
            }
            let trip = try #require(
                try SpaceDirectory(ann.node).readable().first { $0.id == space })
            try await SpaceWriter(ann.node).write(changes, to: trip, .changeRecords)
            let key = RecordKey(collection: "media", record: record)
            let state = try #require(try ann.node.store.records.record(key, of: space))
            let named = try #require(state.fields["original"]?.latest?.value.blob)
            #expect(try ann.node.form(of: named, in: space) == .encrypted)
            for bytes in try readable(ann, space) {
                #expect(!bytes.contains(taken.original.blob.bytes))
            }
        }
    }
}
