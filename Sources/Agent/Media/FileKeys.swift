import Encryption
import Media
import Records
import Store
import SyncCore

/// What the files of a space are encrypted for, and what opens them.
struct FileKeys: Sendable {
    /// New files are for this one; nil in a space that is not encrypted.
    private(set) var writing: AgeIdentity?
    private(set) var reading: [AgeIdentity] = []

    /// For adding files to a space. Throws `ReplicaError.epochMissing` where nothing may be written.
    init(writingTo space: SpaceID, _ store: SyncStore, _ keys: EpochKeyRing) throws {
        guard let membership = store.ledger(of: space)?.membership, membership.isToBeSealed else {
            return
        }
        let secrets = keys.secrets(of: space)
        guard let epoch = secrets.writing(in: membership) else { throw ReplicaError.epochMissing }
        (writing, reading) = (epoch.secret, Array(secrets.identities.values))
    }

    /// For finding files in a space, whatever they were encrypted for.
    init(knownIn space: SpaceID, _ store: SyncStore, _ keys: EpochKeyRing) throws {
        reading = Array(keys.secrets(of: space).identities.values)
    }

    /// For reading a file that is here.
    init(reading blob: BlobID, _ store: SyncStore, _ keys: EpochKeyRing) throws {
        reading = try store.spaces(holding: blob).flatMap {
            keys.secrets(of: $0).identities.values
        }
    }

    /// Reads what is encrypted for one of the keys; nil for anything else: somebody's own age file, or one
    /// that was there before the space was encrypted.
    func reader(of stored: any ByteInput) throws -> AgeReader? {
        guard !reading.isEmpty, try AgeReader.isAgeFile(stored) else { return nil }
        do {
            return try AgeReader(stored, identities: reading, stanzasAtMost: 1)
        } catch is AgeError {
            return nil
        }
    }
}

extension HashedFile {
    /// As it would be in a space that is encrypted.
    func ids(for keys: FileKeys) async throws -> Set<BlobID> {
        var ids: Set<BlobID> = [id]
        for epoch in keys.reading {
            var hash = BlobHash()
            try await AgeWriter(id, for: epoch).write(HashedInput(file: self)) {
                try hash.update(Array($0))
            }
            ids.insert(try hash.finish().blobID)
        }
        return ids
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
