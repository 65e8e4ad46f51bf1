import Encryption
import LocalAPI
import Media
import Records
import Store
import SyncCore

/// Encrypts files that are known already.
extension MediaLibrary {
    /// Encrypts files that are here unencrypted for the key of their space: durable on return, and all or
    /// none. Damaged ones are left out, and fetched again.
    func encrypt(
        _ blobs: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        try await encrypt(blobs, in: space, meter, reading: verified) { blob, error in
            guard LostBlobs.isLoss(error) else { throw error }
            try await reportLoss(of: blob)
        }
    }

    /// The same for files from elsewhere. `read` gives the bytes of each and must compare them with its id:
    /// the key follows from the id, and must not encrypt anything else. A file for which `failed` does not
    /// throw is left out.
    func encrypt(
        _ blobs: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter,
        reading read: (BlobID) throws -> any ByteInput,
        failed: (BlobID, any Error) async throws -> Void
    ) async throws -> [BlobID: NamedBlob] {
        try await underOneKey(of: space, meter) { intake, made in
            guard let epoch = intake.epoch else { throw StoreError.epochMissing }
            meter.begin(.encrypting)
            var encrypted: [BlobID: NamedBlob] = [:]
            for blob in blobs {
                do {
                    let one = try await encrypt(
                        read(blob.blob), blob.blob, for: epoch, intake.telling)
                    made.note([one])
                    encrypted[blob.blob] = NamedBlob(
                        blob: one.id, size: one.length, kind: blob.kind)
                } catch {
                    try await failed(blob.blob, error)
                }
                meter.add(blob.kind)
            }
            return encrypted
        }
    }

    /// The bytes of a blob that is here, verified on reading.
    func verified(_ blob: BlobID) throws -> any ByteInput {
        if let bytes = try store.files.smallContent(of: blob) {
            guard try BlobHash.chunkList(of: bytes).blobID == blob else {
                throw BlobFilesError.corrupt(blob)
            }
            return MemoryInput(bytes)
        }
        guard let list = try store.files.chunkList(of: blob), list.blobID == blob else {
            throw BlobFilesError.notFound(blob)
        }
        let stored = BlobInput(store: store, files: files, blob: blob, length: list.length)
        return CheckedInput(input: stored, list: list, fault: BlobFilesError.corrupt(blob))
    }
}

/// Bytes that are compared with their hashes on reading, from the beginning of one chunk to the end of
/// another.
struct CheckedInput: ByteInput {
    let input: any ByteInput
    let list: ChunkList
    /// The error to throw for any other bytes.
    let fault: any Error

    var length: UInt64 { list.length }

    func read(_ range: Range<UInt64>) throws -> [UInt8] {
        let range = range.clamped(to: 0..<length)
        let size = UInt64(Limits.chunkBytes)
        precondition(range.lowerBound.isMultiple(of: size))
        let bytes = try input.read(range)
        guard bytes.count == range.count else { throw fault }
        for start in stride(from: 0, to: bytes.count, by: Limits.chunkBytes) {
            let chunk = bytes[start..<min(start + Limits.chunkBytes, bytes.count)]
            let index = Int((range.lowerBound + UInt64(start)) / size)
            guard list.verifies(Array(chunk), asChunk: index) else { throw fault }
        }
        return bytes
    }
}
