internal import Foundation
import Media
import Records
import Store
import SyncCore

/// Files that people add and take out: originals, tracks and thumbnails of this device.
final class MediaLibrary: Sendable {
    /// Why a file was not added or taken out.
    enum Failure: Error {
        case missing(path: String)
        case notATrack(path: String, TrackError)
        case files(path: String, BlobFilesError)
        case notHere(BlobID)
    }

    private let store: SyncStore
    private let files: BlobFiles
    private let importer = MediaImporter()
    private let clock: AgentClock
    private let loop: EngineLoop

    init(store: SyncStore, files: BlobFiles, clock: AgentClock, loop: EngineLoop) {
        self.loop = loop
        self.store = store
        self.files = files
        self.clock = clock
    }

    /// Takes in a photo or any other file; durable when it returns.
    func add(path: String) async throws -> ImportedFile {
        let facts = await importer.inspect(path)
        let imported = try await take(path)
        try await keep([imported])
        var thumbnail: NamedBlob?
        if let bytes = facts.thumbnail {
            thumbnail = try await keep(thumbnail: bytes)
        }
        return ImportedFile(
            name: name(of: path),
            original: NamedBlob(blob: imported.id, size: imported.length, kind: .original),
            thumbnail: thumbnail, facts: FileFacts(facts))
    }

    /// Takes in a GPX file after reading it whole.
    func add(track path: String) async throws -> ImportedTrack {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.missing(path: path)
        }
        let track: Track
        do {
            track = try await TrackParser.parse(path: path)
        } catch {
            throw Failure.notATrack(path: path, error)
        }
        let imported = try await take(path)
        try await keep([imported])
        return ImportedTrack(
            name: name(of: path),
            original: NamedBlob(blob: imported.id, size: imported.length, kind: .track), track)
    }

    private func take(_ path: String) async throws -> ImportedBlob {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure.missing(path: path)
        }
        do {
            return try await files.import(path)
        } catch {
            throw Failure.files(path: path, error)
        }
    }

    private func keep(_ blobs: [ImportedBlob]) async throws {
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
            try store.storeSmall(smallBlobs, now: now)
            try store.markPresent(largeBlobs.map { ($0.id, $0.chunkList) }, now: now)
        }
    }

    private func keep(thumbnail bytes: [UInt8]) async throws -> NamedBlob {
        let list = try BlobHash.chunkList(of: bytes)
        if bytes.count < Limits.smallBlobBytes {
            let now = clock.wall
            try await store.offloaded { store in
                try store.storeSmall([(list.blobID, bytes)], now: now)
            }
        } else {
            // A busy picture: too large for the database, so it becomes a file like an original.
            let path = NSTemporaryDirectory() + "peersync-" + UUID().uuidString
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            defer {
                // It is only a copy; the system clears its temporary directory.
                try? FileManager.default.removeItem(atPath: path)
            }
            try await keep([try await take(path)])
        }
        return NamedBlob(blob: list.blobID, size: list.length, kind: .thumbnail)
    }

    private func name(of path: String) -> String {
        URL(fileURLWithPath: path).lastPathComponent
    }

    // MARK: Looking and taking out

    func isHere(_ blob: BlobID) throws -> Bool {
        try store.blob(blob)?.isPresent ?? false
    }

    /// Bytes of a blob that are verified here.
    func bytesHere(_ blob: BlobID, size: UInt64) throws -> UInt64 {
        try isHere(blob) ? size : files.verifiedBytes(ofPartial: blob)
    }

    /// Writes an original to a new file, or into a directory under its own name made safe.
    func export(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> (path: String, bytes: UInt64, sha256: Bytes32) {
        guard let stored = try store.blob(blob), stored.isPresent else {
            throw Failure.notHere(blob)
        }
        let content: BlobContent =
            if let bytes = try store.smallContent(of: blob) { .bytes(bytes) } else { .file(blob) }
        var isDirectory: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(
            atPath: path, isDirectory: &isDirectory)
        let target = URL(fileURLWithPath: path)
        let directory: String
        let name: ExportName
        if exists && isDirectory.boolValue {
            directory = path
            name = ExportName(suggested: suggestedName, id: blob)
        } else {
            directory = target.deletingLastPathComponent().path
            guard let typed = ExportName(exactly: target.lastPathComponent) else {
                throw Failure.missing(path: path)
            }
            name = typed
        }
        do {
            let written = try await files.export(content, as: name, into: directory)
            return (written, stored.size, try await FileDigest.sha256(ofFile: written))
        } catch let error as BlobFilesError {
            throw Failure.files(path: path, error)
        }
    }

    /// Reads and hashes every blob that the space names and that is here; those that are damaged are
    /// marked missing and fetched again. Throws when the disk cannot be read.
    func verifyAll(in space: SpaceID) async throws -> Set<BlobID> {
        var sound: Set<BlobID> = []
        for blob in try store.namedBlobs(of: space) {
            guard let stored = try store.blob(blob.blob), stored.isPresent else { continue }
            if try await isSound(blob.blob) {
                sound.insert(blob.blob)
            } else {
                try BlobLoss(store: store, loop: loop).report(blob.blob)
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
