import Device
import Encryption
import LocalAPI
import Media
import Records
import Store
import SyncCore

/// Copies files to another space.
extension MediaLibrary {
    /// Adds files that are here to another space: shared as they are where neither space encrypts them,
    /// otherwise as new blobs. Durable on return. Returns the blobs there, by their ids here.
    func copy(
        _ named: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        var copies: [BlobID: NamedBlob] = [:]
        let isSealed = store.spaces.isToBeSealed(space)
        for start in stride(from: 0, to: named.count, by: Limits.filesCopiedAtOnce) {
            try Task.checkCancellation()
            let part = named[start..<min(start + Limits.filesCopiedAtOnce, named.count)]
            let same = try part.filter { try !isSealed && liesInClear($0) }
            try await hold(same.map(\.blob), in: space)
            for file in same { meter.add(file.kind, bytes: file.size) }
            copies.merge(same.map { ($0.blob, $0) }) { $1 }
            let others = part.filter { copies[$0.blob] == nil }
            if !others.isEmpty {
                try await copies.merge(addAgain(others, to: space, meter)) { $1 }
            }
        }
        return copies
    }

    /// Whether a file is stored unencrypted; false when it is damaged.
    private func liesInClear(_ file: NamedBlob) throws -> Bool {
        do {
            return try !plaintext(of: file.blob, bytes: file.size).isDecrypted
        } catch  where LostBlobs.isLoss(error) {
            return false
        }
    }

    private func hold(_ blobs: [BlobID], in space: SpaceID) async throws {
        let missing = try await store.offloaded { try $0.files.hold(blobs, in: space) }
        if let blob = missing.first { throw Failure.notHere(blob) }
        for blob in blobs {
            loop.post(.blobFinished(blob, in: try store.files.spaces(holding: blob)))
        }
    }

    /// Adds decrypted files to another space: durable on return, and all or none.
    private func addAgain(
        _ blobs: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        try await underOneKey(of: space, meter) { intake, made in
            var added: [BlobID: NamedBlob] = [:]
            for blob in blobs {
                let one = try await copy(of: blob, intake)
                made.note([one])
                added[blob.blob] = NamedBlob(blob: one.id, size: one.length, kind: blob.kind)
                meter.add(blob.kind)
            }
            return added
        }
    }

    private func copy(of blob: NamedBlob, _ intake: Intake) async throws -> ImportedBlob {
        do {
            let (input, isDecrypted) = try plaintext(of: blob.blob, bytes: blob.size)
            // Decryption has verified the bytes; others are compared with their hashes.
            let plain = isDecrypted ? input : try verified(blob.blob)
            guard let epoch = intake.epoch else {
                return try await store(plain, intake.telling)
            }
            // The key of the new file is derived from the id of the plain content.
            let content = isDecrypted ? try await contentID(of: plain) : blob.blob
            return try await encrypt(plain, content, for: epoch, intake.telling)
        } catch {
            guard LostBlobs.isLoss(error) else { throw error }
            try await reportLoss(of: blob.blob)
            throw Failure.notHere(blob.blob)
        }
    }

    /// The id of the plain content.
    private func contentID(of plain: any ByteInput) async throws -> BlobID {
        try await withTaskExecutorPreference(FileWorkExecutor.shared) {
            var hash = BlobHash()
            try plain.pieces { try hash.update($0) }
            return try hash.finish().blobID
        }
    }

    /// Stores a file unencrypted.
    private func store(_ plain: any ByteInput, _ told: BytesTold) async throws -> ImportedBlob {
        try await withTaskExecutorPreference(FileWorkExecutor.shared) {
            try files.store(plain.length) { write in
                try plain.pieces { piece in
                    try write(piece)
                    guard told(piece.count) else { throw BlobFilesError.stopped }
                }
            }
        }
    }
}

extension ByteInput {
    /// All bytes, a chunk at a time.
    fileprivate func pieces(_ take: ([UInt8]) throws -> Void) throws {
        for start in stride(from: 0, to: length, by: Limits.chunkBytes) {
            try Task.checkCancellation()
            try take(read(start..<min(start + UInt64(Limits.chunkBytes), length)))
        }
    }
}

extension Limits {
    /// Files to copy to another space together: the work that an interruption loses.
    static let filesCopiedAtOnce = 256
}
