package import Device
package import Encryption
internal import Foundation
import LocalAPI
package import Media
import Records
package import Store
package import SyncCore
internal import Synchronization

/// The files that people add and export: originals, tracks and thumbnails of this device.
package final class MediaLibrary: Sendable {
    /// Why a file was not added or exported.
    package enum Failure: Error {
        case missing(path: String)
        case notATrack(path: String, TrackError)
        case files(path: String, BlobFilesError)
        /// A file was not written to a folder that a person named.
        case target(folder: String, BlobFilesError)
        case notHere(BlobID)
        /// The key that opens it, of an encrypted space, is not here.
        case closed(BlobID)
    }

    let store: SyncStore
    package let files: BlobFiles
    private let importer = MediaImporter()
    let epochKeys: EpochKeyRing
    /// Devices that were reported lost.
    private let lost: @Sendable () throws -> Set<DeviceID>
    let clock: AgentClock
    let loop: EngineLoop
    package let work: WorkQueue
    package let going = OutgoingFiles()
    package let hold = FreeingHold()
    package let fileFinder: FileFinder
    package let loss: LostBlobs

    package init(
        store: SyncStore, files: BlobFiles, epochKeys: EpochKeyRing,
        lost: @escaping @Sendable () throws -> Set<DeviceID>, loop: EngineLoop, work: WorkQueue
    ) {
        self.lost = lost
        (self.store, self.files, self.epochKeys) = (store, files, epochKeys)
        (clock, self.loop, self.work) = (work.clock, loop, work)
        loss = LostBlobs(store: store, loop: loop, files: files, hold: hold)
        fileFinder = FileFinder(files, store, clock, loss, work)
    }

    /// Files that were read and copied, but are not durable yet.
    private struct Staged: Sendable {
        var blobs: [ImportedBlob] = []
        var photos: [Int: ImportedFile] = [:]
        var track: ImportedTrack?

        mutating func merge(_ other: Staged) {
            photos.merge(other.photos) { first, _ in first }
            track = track ?? other.track
        }
    }

    /// Adds photos or any other files, and a GPX file after reading it whole, to a space: durable on
    /// return, and all or none. Throws `CancellationError` when the task is cancelled.
    func add(
        photos: [String], track: String?, to space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?) {
        let paths = photos + [track].compactMap(\.self)
        let meter = ProgressMeter(
            .adding, files: paths.count, bytes: paths.reduce(0) { $0 + fileSize($1) })
        return try await underOneKey(of: space, meter) { intake, made in
            let staged = Mutex(Staged())
            try await stage(photos, track, intake) { one in
                made.note(one.blobs)
                staged.withLock { $0.merge(one) }
            }
            let done = staged.withLock { $0 }
            return (photos.indices.compactMap { done.photos[$0] }, done.track)
        }
    }

    /// Blobs that were made, but are not durable yet.
    final class Made: Sendable {
        private let blobs = Mutex<[ImportedBlob]>([])

        var all: [ImportedBlob] { blobs.withLock { $0 } }

        func note(_ more: [ImportedBlob]) { blobs.withLock { $0 += more } }
    }

    /// Keeps the blobs that `body` makes and notes. All are made for the key that the space has when they
    /// become durable; if it changes meanwhile, `body` runs again.
    func underOneKey<Answer>(
        of space: SpaceID, _ meter: ProgressMeter,
        _ body: (Intake, Made) async throws -> Answer
    ) async throws -> Answer {
        // A person who may no longer read may know the former key.
        for _ in 0..<Limits.intakesAtMost {
            let epoch = try epochKeys.writing(to: space, store, avoiding: lost())
            let made = Made()
            do {
                let answer = try await CancellationFlag.whenCancelled { stopping in
                    try await body(Intake(epoch: epoch, meter: meter, stopping: stopping), made)
                }
                try Task.checkCancellation()
                let now = try epochKeys.writing(to: space, store, avoiding: lost())
                guard now?.recipient.text == epoch?.recipient.text else { throw EpochChanged() }
                meter.begin(.saving)
                try await keep(made.all, in: space)
                return answer
            } catch {
                for blob in made.all { await drop(blob) }
                try Task.checkCancellation()
                guard error is EpochChanged else { throw error }
            }
        }
        throw StoreError.epochMissing
    }

    private struct EpochChanged: Error {}

    /// The settings that all files of one intake share.
    struct Intake: Sendable {
        /// The epoch to encrypt them for; nil in a space that is not encrypted.
        let epoch: AgeIdentity?
        let meter: ProgressMeter
        let stopping: CancellationFlag

        var telling: BytesTold { stopping.telling(meter) }
    }

    /// A few at a time: a process decodes each picture.
    private func stage(
        _ photos: [String], _ track: String?, _ intake: Intake,
        _ done: @escaping @Sendable (Staged) -> Void
    ) async throws {
        if let track { done(try await stage(track: track, intake)) }
        try await importer.batch { batch in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, path) in photos.enumerated() {
                    if index >= Limits.importsAtOnce { try await group.next() }
                    group.addTask {
                        done(try await self.stage(path, at: index, intake, batch))
                        intake.meter.add(files: 1)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func stage(
        _ path: String, at index: Int, _ intake: Intake, _ batch: ImportBatch
    ) async throws -> Staged {
        let facts = await batch.inspect(path)
        let (imported, bytes) = try await importFile(path, intake)
        var blobs = [imported]
        var thumbnail: NamedBlob?
        if let bytes = facts.thumbnail {
            let blob = try await self.thumbnail(bytes, intake.epoch)
            thumbnail = NamedBlob(blob: blob.id, size: blob.length, kind: .thumbnail)
            blobs.append(blob)
        }
        let file = ImportedFile(
            name: URL(fileURLWithPath: path).lastPathComponent,
            original: NamedBlob(blob: imported.id, size: imported.length, kind: .original),
            bytes: bytes, thumbnail: thumbnail, facts: FileFacts(facts))
        return Staged(blobs: blobs, photos: [index: file])
    }

    private func stage(track path: String, _ intake: Intake) async throws -> Staged {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.missing(path: path)
        }
        let track: Track
        do {
            track = try await TrackParser.parse(path: path)
        } catch {
            throw Failure.notATrack(path: path, error)
        }
        let (imported, bytes) = try await importFile(path, intake)
        intake.meter.add(files: 1)
        return Staged(
            blobs: [imported],
            track: ImportedTrack(
                name: URL(fileURLWithPath: path).lastPathComponent,
                original: NamedBlob(blob: imported.id, size: imported.length, kind: .track),
                bytes: bytes, track))
    }

    /// The stored blob of a file, and the length of the file itself.
    private func importFile(
        _ path: String, _ intake: Intake
    ) async throws -> (blob: ImportedBlob, bytes: UInt64) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.missing(path: path)
        }
        do {
            guard let epoch = intake.epoch else {
                let blob = try await files.import(path, telling: intake.telling)
                return (blob, blob.length)
            }
            let file = try await files.hash(path, telling: intake.stopping.telling)
            let blob = try await encrypt(
                HashedInput(file: file), file.id, for: epoch, intake.telling)
            return (blob, file.length)
        } catch let error as BlobFilesError {
            throw Failure.files(path: path, error)
        }
    }

    /// Adds a file in the form that the members with the secret of an epoch can open; `content` is its id.
    func encrypt(
        _ plain: any ByteInput, _ content: BlobID, for epoch: AgeIdentity, _ told: BytesTold
    ) async throws -> ImportedBlob {
        let writer = try AgeWriter(content, for: epoch)
        let length = writer.length(of: plain.length)
        guard length <= Limits.blobBytes else { throw BlobFilesError.tooLong(path: "") }
        return try await withTaskExecutorPreference(FileWorkExecutor.shared) {
            try await files.store(length) { write in
                try await writer.write(plain) { sealed in
                    try write(sealed)
                    guard told(sealed.count) else { throw BlobFilesError.stopped }
                }
            }
        }
    }

    /// The ids under which a space may have a file already; none for a file that changes meanwhile.
    package func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID> {
        let keys = FileKeys(of: [space], epochKeys)
        do {
            return try await CancellationFlag.whenCancelled { stopping in
                try await files.hash(path, telling: stopping.telling).ids(for: keys)
            }
        } catch BlobFilesError.sourceChanged {
            return []
        } catch let error as BlobFilesError {
            try Task.checkCancellation()
            throw Failure.files(path: path, error)
        }
    }

    /// Needs one synchronization and one transaction for all.
    func keep(_ blobs: [ImportedBlob], in space: SpaceID) async throws {
        var small: [(blob: BlobID, content: [UInt8])] = []
        var large: [ImportedBlob] = []
        for blob in blobs {
            switch blob.content {
            case .bytes(let bytes): small.append((blob.id, bytes))
            case .file: large.append(blob)
            }
        }
        try await files.commit(large.map(\.id))
        let (smallBlobs, largeBlobs, now) = (small, large, clock.wall)
        try await store.offloaded { store in
            try store.files.storeSmall(smallBlobs, in: space, now: now)
            try store.files.markPresent(
                largeBlobs.map { ($0.id, $0.chunkList) }, in: space, now: now)
        }
        // A space may have been waiting for it.
        for blob in blobs {
            loop.post(.blobFinished(blob.id, in: try store.files.spaces(holding: blob.id)))
        }
    }

    /// If this fails, `doctor --repair` finds the blob and frees its room.
    func drop(_ blob: ImportedBlob) async {
        try? await files.drop(blob)
    }

    private func thumbnail(
        _ bytes: [UInt8], _ epoch: AgeIdentity?
    ) async throws -> ImportedBlob {
        if let epoch {
            let content = try BlobHash.chunkList(of: bytes).blobID
            return try await encrypt(MemoryInput(bytes), content, for: epoch) { _ in true }
        }
        guard bytes.count >= Limits.smallBlobBytes else { return try ImportedBlob(small: bytes) }
        // A detailed picture: too large for the database, so it becomes a file like an original.
        let path = NSTemporaryDirectory() + "peersync-" + UUID().uuidString
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer {
            // Only a copy; the system also clears its temporary directory.
            try? FileManager.default.removeItem(atPath: path)
        }
        return try await files.import(path)
    }
}

extension Limits {
    /// How often an intake is tried while the key of its space keeps changing.
    static let intakesAtMost = 3
}

private func fileSize(_ path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
}
