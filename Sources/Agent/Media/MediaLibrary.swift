import Encryption
internal import Foundation
import LocalAPI
import Media
import Records
import Store
import SyncCore
internal import Synchronization

/// Files that people add and take out: originals, tracks and thumbnails of this device.
final class MediaLibrary: Sendable {
    /// Why a file was not added or taken out.
    enum Failure: Error {
        case missing(path: String)
        case notATrack(path: String, TrackError)
        case files(path: String, BlobFilesError)
        case notHere(BlobID)
    }

    let store: SyncStore
    let files: BlobFiles
    private let importer = MediaImporter()
    private let epochKeys: EpochKeyRing
    private let clock: AgentClock
    let loop: EngineLoop

    init(
        store: SyncStore, files: BlobFiles, epochKeys: EpochKeyRing, clock: AgentClock,
        loop: EngineLoop
    ) {
        (self.store, self.files, self.epochKeys) = (store, files, epochKeys)
        (self.clock, self.loop) = (clock, loop)
    }

    /// Files that were read and copied and are not durable yet.
    private struct Staged: Sendable {
        var blobs: [ImportedBlob] = []
        var photos: [Int: ImportedFile] = [:]
        var track: ImportedTrack?

        mutating func merge(_ other: Staged) {
            blobs += other.blobs
            photos.merge(other.photos) { first, _ in first }
            track = track ?? other.track
        }
    }

    /// Takes in photos or any other files, and a GPX file after reading it whole, for a space: durable
    /// when it returns, and all or none. Throws `CancellationError` when the task is cancelled.
    func add(
        photos: [String], track: String?, to space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?) {
        let paths = photos + [track].compactMap(\.self)
        let meter = ProgressMeter(
            .adding, files: paths.count, bytes: paths.reduce(0) { $0 + Self.size(of: $1) })
        // A key that changed meanwhile may be known to somebody who may not read any more.
        for _ in 0..<Limits.intakesAtMost {
            let keys = try FileKeys(writingTo: space, store, epochKeys)
            let staged = Mutex(Staged())
            do {
                try await Stopping.whenCancelled { stopping in
                    let intake = Intake(keys: keys, meter: meter, stopping: stopping)
                    try await stage(photos, track, intake) { one in
                        staged.withLock { $0.merge(one) }
                    }
                }
                try Task.checkCancellation()
                let done = staged.withLock { $0 }
                let now = try FileKeys(writingTo: space, store, epochKeys)
                if now.writing?.recipient.text == keys.writing?.recipient.text {
                    meter.begin(.saving)
                    try await keep(done.blobs, in: space)
                    return (photos.indices.compactMap { done.photos[$0] }, done.track)
                }
            } catch {
                for blob in staged.withLock({ $0.blobs }) { await drop(blob) }
                try Task.checkCancellation()
                throw error
            }
            for blob in staged.withLock({ $0.blobs }) { await drop(blob) }
        }
        throw ReplicaError.epochMissing
    }

    /// What all files that are added at once have in common.
    private struct Intake: Sendable {
        let keys: FileKeys
        let meter: ProgressMeter
        let stopping: Stopping

        var telling: BytesTold { stopping.telling(meter) }
    }

    /// A few at a time: each has a process decode it.
    private func stage(
        _ photos: [String], _ track: String?, _ intake: Intake,
        _ done: @escaping @Sendable (Staged) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let track {
                done(try await stage(track: track, intake))
            }
            for (index, path) in photos.enumerated() {
                if index >= Limits.importsAtOnce { try await group.next() }
                group.addTask {
                    done(try await self.stage(path, at: index, intake))
                    intake.meter.add(files: 1)
                }
            }
            try await group.waitForAll()
        }
    }

    private func stage(_ path: String, at index: Int, _ intake: Intake) async throws -> Staged {
        let facts = await importer.inspect(path)
        let (imported, bytes) = try await take(path, intake)
        var blobs = [imported]
        var thumbnail: NamedBlob?
        if let bytes = facts.thumbnail {
            let blob = try await self.thumbnail(bytes, intake.keys)
            thumbnail = NamedBlob(blob: blob.id, size: blob.length, kind: .thumbnail)
            blobs.append(blob)
        }
        let file = ImportedFile(
            name: name(of: path),
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
        let (imported, bytes) = try await take(path, intake)
        intake.meter.add(files: 1)
        return Staged(
            blobs: [imported],
            track: ImportedTrack(
                name: name(of: path),
                original: NamedBlob(blob: imported.id, size: imported.length, kind: .track),
                bytes: bytes, track))
    }

    /// What lies here of a file from now on, and how long the file is.
    private func take(
        _ path: String, _ intake: Intake
    ) async throws -> (blob: ImportedBlob, bytes: UInt64) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.missing(path: path)
        }
        do {
            guard let epoch = intake.keys.writing else {
                let blob = try await files.import(path, telling: intake.telling)
                return (blob, blob.length)
            }
            let stopping = intake.stopping
            let file = try await files.hash(path, telling: { _ in !stopping.isStopped })
            let blob = try await encrypt(
                HashedInput(file: file), file.id, for: epoch, intake.telling)
            return (blob, file.length)
        } catch let error as BlobFilesError {
            throw Failure.files(path: path, error)
        }
    }

    /// Takes in a file as others see it who have the secret of an epoch; `content` is its id.
    private func encrypt(
        _ plain: any ByteInput, _ content: BlobID, for epoch: AgeIdentity, _ told: BytesTold
    ) async throws -> ImportedBlob {
        let writer = try AgeWriter(content, for: epoch)
        let length = writer.length(of: plain.length)
        guard length <= Limits.blobBytes else { throw BlobFilesError.tooLong(path: "") }
        return try await withTaskExecutorPreference(ArchiveExecutor.shared) {
            try await files.take(length) { take in
                try await writer.write(plain) { sealed in
                    try take(Array(sealed))
                    guard told(sealed.count) else { throw BlobFilesError.stopped }
                }
            }
        }
    }

    /// The ids under which a space may have a file already; none for one that changes meanwhile.
    func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID> {
        let keys = try FileKeys(knownIn: space, store, epochKeys)
        do {
            return try await Stopping.whenCancelled { stopping in
                try await files.hash(path, telling: { _ in !stopping.isStopped }).ids(for: keys)
            }
        } catch BlobFilesError.sourceChanged {
            return []
        } catch let error as BlobFilesError {
            try Task.checkCancellation()
            throw Failure.files(path: path, error)
        }
    }

    private static func size(of path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// One synchronization and one transaction for all.
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
            try store.storeSmall(smallBlobs, in: space, now: now)
            try store.markPresent(largeBlobs.map { ($0.id, $0.chunkList) }, in: space, now: now)
        }
        // It may have been wanted.
        for blob in blobs {
            loop.post(.blobFinished(blob.id, in: try store.spaces(holding: blob.id)))
        }
    }

    /// What is not dropped is found, and its room given back, by `doctor --repair`.
    func drop(_ blob: ImportedBlob) async {
        try? await files.drop(blob)
    }

    private func thumbnail(_ bytes: [UInt8], _ keys: FileKeys) async throws -> ImportedBlob {
        if let epoch = keys.writing {
            let content = try BlobHash.chunkList(of: bytes).blobID
            return try await encrypt(MemoryInput(bytes), content, for: epoch) { _ in true }
        }
        guard bytes.count >= Limits.smallBlobBytes else { return try ImportedBlob(small: bytes) }
        // A busy picture: too large for the database, so it becomes a file like an original.
        let path = NSTemporaryDirectory() + "peersync-" + UUID().uuidString
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer {
            // It is only a copy; the system clears its temporary directory.
            try? FileManager.default.removeItem(atPath: path)
        }
        return try await files.import(path)
    }

    private func name(of path: String) -> String {
        URL(fileURLWithPath: path).lastPathComponent
    }

    // MARK: Looking and taking out

    /// Verified bytes of a blob that is on its way here.
    func bytesReceived(of blob: BlobID) -> UInt64 {
        files.verifiedBytes(ofPartial: blob)
    }

    /// Writes an original to a new file, or into a directory under its own name made safe.
    func export(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> (path: String, bytes: UInt64, sha256: Bytes32) {
        guard let stored = try store.blob(blob), stored.isPresent else {
            throw Failure.notHere(blob)
        }
        let (content, size) = try await self.content(of: blob, bytes: stored.size)
        var isDirectory: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(
            atPath: path, isDirectory: &isDirectory)
        let place = URL(fileURLWithPath: path)
        let directory: String
        let name: ExportName
        if exists && isDirectory.boolValue {
            directory = path
            name = ExportName(suggested: suggestedName, id: blob)
        } else {
            directory = place.deletingLastPathComponent().path
            guard let typed = ExportName(exactly: place.lastPathComponent) else {
                throw Failure.missing(path: path)
            }
            name = typed
        }
        let target = name
        do {
            if case .bytes(let small) = content, try BlobHash.chunkList(of: small).blobID != blob {
                throw BlobFilesError.corrupt(blob)
            }
            return try await Stopping.whenCancelled { stopping in
                let meter = ProgressMeter(.exporting, files: 1, bytes: Int64(clamping: size))
                let written = try await files.export(
                    content, as: target, into: directory, telling: stopping.telling(meter))
                return (written, size, try await FileDigest.sha256(ofFile: written))
            }
        } catch BlobFilesError.stopped {
            throw CancellationError()
        } catch let error as BlobFilesError {
            // Any other error may be one of the place it was to go to.
            guard [.corrupt(blob), .notFound(blob)].contains(error) else {
                throw Failure.files(path: path, error)
            }
            try await reportLoss(of: blob)
            throw Failure.notHere(blob)
        }
    }

    /// A blob as people see it. What is decrypted is true wherever it is read, and as long as it was.
    /// Throws ``BlobFilesError/corrupt(_:)`` for what is not the whole of it.
    func plaintext(
        of blob: BlobID, bytes: UInt64
    ) throws -> (input: any ByteInput, isDecrypted: Bool) {
        let stored = BlobInput(store: store, files: files, blob: blob, length: bytes)
        let keys = try FileKeys(reading: blob, store, epochKeys)
        guard let reader = try keys.reader(of: stored) else { return (stored, false) }
        do {
            return (DecryptedInput(plain: try reader.plaintext(), blob: blob), true)
        } catch is AgeError {
            throw BlobFilesError.corrupt(blob)
        }
    }

    /// What cannot be read as people see it is fetched again, unless it is what its id says: then another
    /// copy would be no better.
    func reportLoss(of blob: BlobID) async throws {
        guard try await !isSound(blob) else { return }
        try BlobLoss(store: store, loop: loop).report([blob])
    }

    /// The bytes of a blob as people see them, and how many they are.
    private func content(
        of blob: BlobID, bytes: UInt64
    ) async throws -> (content: BlobContent, size: UInt64) {
        let plain: any ByteInput
        do {
            let (input, isDecrypted) = try plaintext(of: blob, bytes: bytes)
            guard isDecrypted else {
                return (try store.smallContent(of: blob).map { .bytes($0) } ?? .file(blob), bytes)
            }
            plain = input
        } catch BlobFilesError.corrupt {
            try await reportLoss(of: blob)
            throw Failure.notHere(blob)
        }
        let content = BlobContent.read(plain.length) { range throws(BlobFilesError) in
            do {
                return try plain.read(range)
            } catch let error as BlobFilesError {
                throw error
            } catch {
                throw .corrupt(blob)
            }
        }
        return (content, plain.length)
    }

    /// Reads and hashes every blob that the space names and holds here; those that are damaged are
    /// marked missing and fetched again. Throws when the disk cannot be read.
    func verifyAll(in space: SpaceID) async throws -> Set<BlobID> {
        let named = try store.namedBlobs(of: space)
        let missing = Set(try store.missingBlobs(of: space).map(\.blob))
        let bytes = named.reduce(0) { $0 + Int64(clamping: $1.size) }
        let meter = ProgressMeter(.verifying, files: named.count, bytes: bytes)
        var sound: Set<BlobID> = []
        for blob in named {
            try Task.checkCancellation()
            defer { meter.add(files: 1, bytes: Int64(clamping: blob.size)) }
            guard !missing.contains(blob.blob) else { continue }
            if try await isSound(blob.blob) {
                sound.insert(blob.blob)
            } else {
                try BlobLoss(store: store, loop: loop).report([blob.blob])
            }
        }
        return sound
    }

    private func isSound(_ blob: BlobID) async throws -> Bool {
        if let bytes = try store.smallContent(of: blob) {
            return try BlobHash.chunkList(of: bytes).blobID == blob
        }
        do {
            _ = try await files.verify(blob)
            return true
        } catch {
            guard BlobLoss.isLoss(error) else { throw error }
            return false
        }
    }
}

extension Limits {
    /// How often files are taken in anew because the key of their space changed meanwhile.
    static let intakesAtMost = 3
}
