import Device
import Encryption
internal import Foundation
import LocalAPI
import Media
import Node
package import Records
import Store
package import SyncCore

/// Reads and exports files that are here.
extension MediaLibrary {
    /// Verified bytes of a blob that is being received.
    package func bytesReceived(of blob: BlobID) -> UInt64 {
        files.verifiedBytes(ofPartial: blob)
    }

    /// Asks only the file system, so that each command that shows a file may ask.
    package func noteIfGone(_ blob: BlobID, bytes: UInt64) -> Bool {
        guard files.access.isGone(blob, bytes: bytes) else { return false }
        // What is being shown is read at one time, and nothing is written meanwhile. When it cannot be written
        // down, the next look finds the same.
        work.add(.missFiles([blob]))
        return true
    }

    /// Writes an original to a new file, or into a directory under its own name made safe.
    func export(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> (path: String, bytes: UInt64, sha256: Bytes32) {
        guard let stored = try store.files.blob(blob), stored.isPresent else {
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
            return try await CancellationFlag.whenCancelled { stopping in
                let meter = ProgressMeter(.exporting, files: 1, bytes: Int64(clamping: size))
                let written = try await files.export(
                    content, as: target, into: directory, telling: stopping.telling(meter))
                let digest = try await FileDigest.sha256(ofFile: target.path(in: directory))
                return (written, size, digest)
            }
        } catch BlobFilesError.stopped {
            throw CancellationError()
        } catch let error as BlobFilesError {
            if case .noAccess = error { throw error }
            // Any other error may concern the destination.
            guard [.corrupt(blob), .notFound(blob)].contains(error) else {
                throw Failure.target(folder: directory, error)
            }
            try await reportLoss(of: blob)
            throw Failure.notHere(blob)
        }
    }

    /// A blob in plain form. Decrypted bytes are verified wherever they are read, and their length is
    /// certain. Throws ``BlobFilesError/corrupt(_:)`` for a damaged file, ``Failure/closed(_:)`` without
    /// the key.
    func plaintext(
        of blob: BlobID, bytes: UInt64
    ) throws -> (input: any ByteInput, isDecrypted: Bool) {
        let stored = BlobInput(store: store, files: files, blob: blob, length: bytes)
        let keys = FileKeys(of: try store.files.spaces(holding: blob), epochKeys)
        guard let reader = try keys.reader(of: stored) else {
            guard try !AgeReader.isAgeFile(stored) || !isClosed(stored) else {
                throw Failure.closed(blob)
            }
            return (stored, false)
        }
        do {
            return (DecryptedInput(plain: try reader.plaintext(), blob: blob), true)
        } catch is AgeError {
            throw BlobFilesError.corrupt(blob)
        }
    }

    /// How a blob is stored here, as a file of one space.
    package func form(of blob: BlobID, in space: SpaceID) throws -> FileForm {
        guard let stored = try store.files.blob(blob), stored.isPresent else { return .missing }
        let input = BlobInput(store: store, files: files, blob: blob, length: stored.size)
        guard try AgeReader.isAgeFile(input) else { return .plain }
        if try FileKeys(of: [space], epochKeys).reader(of: input) != nil { return .encrypted }
        return try isClosed(input) ? .closed : .plain
    }

    /// Whether an age file that cannot be opened here belongs to an encrypted space, and is not a person's
    /// own: only sealed commits name it, and it has one recipient.
    private func isClosed(_ stored: BlobInput) throws -> Bool {
        try AgeReader.hasOneRecipient(stored) && !store.files.isNamedInClear(stored.blob)
    }

    /// Has a file that could not be read fetched again, unless its bytes match its id: then another copy
    /// would be no better.
    func reportLoss(of blob: BlobID) async throws {
        guard try await !isSound(blob) else { return }
        try loss.report([blob])
    }

    /// A blob in plain form, and its length.
    private func content(
        of blob: BlobID, bytes: UInt64
    ) async throws -> (content: BlobContent, size: UInt64) {
        let plain: any ByteInput
        do {
            let (input, isDecrypted) = try plaintext(of: blob, bytes: bytes)
            guard isDecrypted else {
                return (
                    try store.files.smallContent(of: blob).map { .bytes($0) } ?? .file(blob), bytes
                )
            }
            plain = input
        } catch let error as BlobFilesError
            where [.corrupt(blob), .notFound(blob)].contains(error)
        {
            try await reportLoss(of: blob)
            throw Failure.notHere(blob)
        } catch Failure.closed {
            // Damage may look the same.
            try await reportLoss(of: blob)
            throw try store.files.blob(blob)?.isPresent == true
                ? Failure.closed(blob) : Failure.notHere(blob)
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

    /// Reads and hashes every blob that the space names and this device has, and returns the sound ones;
    /// damaged ones are marked missing and fetched again. Throws when the disk is unreadable.
    package func verifyFiles(of space: SpaceID) async throws -> Set<BlobID> {
        let named = try store.files.named(of: space)
        let missing = Set(
            try store.files.missing(of: space, withFreed: true).map(\.blob))
        let meter = ProgressMeter(.verifying, named)
        var sound: Set<BlobID> = []
        for blob in named {
            try Task.checkCancellation()
            defer { meter.add(blob.kind, bytes: blob.size) }
            guard !missing.contains(blob.blob) else { continue }
            if try await isSound(blob.blob) {
                sound.insert(blob.blob)
            } else {
                try loss.report([blob.blob])
            }
        }
        return sound
    }

    private func isSound(_ blob: BlobID) async throws -> Bool {
        if let bytes = try store.files.smallContent(of: blob) {
            return try BlobHash.chunkList(of: bytes).blobID == blob
        }
        do {
            _ = try await files.verify(blob)
            return true
        } catch {
            guard LostBlobs.isLoss(error) else { throw error }
            return false
        }
    }
}
