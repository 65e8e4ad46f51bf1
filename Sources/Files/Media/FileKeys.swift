import Encryption
import Media
import Records
import Store
import SyncCore

extension EpochKeyRing {
    /// What new files of a space are encrypted for, which no lost device can open; nil in one that is not encrypted. Throws
    /// `StoreError.epochMissing` where nothing may be written.
    func writing(
        to space: SpaceID, _ store: SyncStore, avoiding lost: Set<DeviceID>
    ) throws -> AgeIdentity? {
        guard let membership = store.ledger(of: space)?.membership, membership.isToBeSealed else {
            return nil
        }
        guard let epoch = secrets(of: space).writing(in: membership, avoiding: lost) else {
            throw StoreError.epochMissing
        }
        return epoch.secret
    }
}

/// What opens files.
struct FileKeys: Sendable {
    let identities: [AgeIdentity]

    /// Those of some spaces.
    init(of spaces: Set<SpaceID>, _ keys: EpochKeyRing) {
        identities = spaces.flatMap { keys.secrets(of: $0).identities.values }
    }

    /// Reads what is encrypted for one of the keys; nil for anything else: somebody's own age file, or one
    /// that was there before the space was encrypted.
    func reader(of stored: any ByteInput) throws -> AgeReader? {
        guard !identities.isEmpty, try AgeReader.isAgeFile(stored) else { return nil }
        do {
            return try AgeReader(stored, identities: identities, stanzasAtMost: 1)
        } catch is AgeError {
            return nil
        }
    }
}

extension HashedFile {
    /// As it would be in a space that is encrypted.
    func ids(for keys: FileKeys) async throws -> Set<BlobID> {
        try await withTaskExecutorPreference(ArchiveExecutor.shared) {
            var ids: Set<BlobID> = [id]
            for epoch in keys.identities {
                var hash = BlobHash()
                try await AgeWriter(id, for: epoch).write(HashedInput(file: self)) {
                    try hash.update($0)
                }
                ids.insert(try hash.finish().blobID)
            }
            return ids
        }
    }
}

/// A local file as it was hashed.
struct HashedInput: ByteInput {
    let file: HashedFile

    var length: UInt64 { file.length }

    func read(_ range: Range<UInt64>) throws -> [UInt8] { try file.read(range) }
}

/// A decrypted file; what does not decrypt is not the whole of it.
struct DecryptedInput: ByteInput {
    let plain: AgePlaintext
    let blob: BlobID

    var length: UInt64 { plain.length }

    func read(_ range: Range<UInt64>) throws -> [UInt8] {
        do {
            return try plain.read(range)
        } catch is AgeError {
            throw BlobFilesError.corrupt(blob)
        }
    }
}
