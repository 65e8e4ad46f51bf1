import Encryption
import Media
import Records
import Store
import SyncCore

extension EpochKeyRing {
    /// The epoch under which to encrypt new files of a space; no lost device can open it. Nil for a space
    /// that is not encrypted. Throws `StoreError.epochMissing` where nothing may be written.
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

/// The keys that can open files.
struct FileKeys: Sendable {
    let identities: [AgeIdentity]

    /// The keys of these spaces.
    init(of spaces: Set<SpaceID>, _ keys: EpochKeyRing) {
        identities = spaces.flatMap { keys.secrets(of: $0).identities.values }
    }

    /// Opens a file that is encrypted for one of the keys; nil for any other: a person's own age file, or
    /// one from before the space was encrypted.
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
    /// All ids that the file may have in a space: its own, and one for each key it could be encrypted with.
    func ids(for keys: FileKeys) async throws -> Set<BlobID> {
        try await withTaskExecutorPreference(FileWorkExecutor.shared) {
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

/// A local file; reading verifies that it still is what was hashed.
struct HashedInput: ByteInput {
    let file: HashedFile

    var length: UInt64 { file.length }

    func read(_ range: Range<UInt64>) throws -> [UInt8] { try file.read(range) }
}

/// A decrypted file; a decryption error means that it is damaged.
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
