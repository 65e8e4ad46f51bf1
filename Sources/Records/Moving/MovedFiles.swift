internal import LocalAPI
internal import Store
internal import SyncCore

/// The files of records that are moved to another space: how each gets there, and whether it can now.
struct MovedFiles {
    private let replica: any Replica
    private let source: ReadableSpace
    private let target: ReadableSpace
    /// Files that keep their id. If one is not here yet, this device will receive it in the source space
    /// and then has it for both.
    private var same: Set<BlobID> = []
    /// Files that get another id, as one of the spaces is encrypted.
    private var again: [NamedBlob] = []

    init(_ replica: any Replica, from source: ReadableSpace, to target: ReadableSpace) {
        (self.replica, self.source, self.target) = (replica, source, target)
    }

    /// Adds a file of a record of this name. Throws ``APIError`` when the members of the target could not
    /// read it.
    mutating func add(
        _ blob: BlobID, _ kind: NamedBlobKind, of name: String
    ) throws -> NamedBlob {
        guard let stored = try replica.store.files.blob(blob) else {
            throw APIError.originalNotHere(name)
        }
        let file = NamedBlob(blob: blob, size: stored.size, kind: kind)
        switch try form(of: blob) {
        case .plain where !isEncrypted(target): same.insert(blob)
        case .plain, .encrypted: if !again.contains(file) { again.append(file) }
        case .closed: throw KeyErrors(replica).fileClosed(name, in: source.id)
        case .missing:
            // A file of an encrypted space has to be decrypted for others, and the other way round.
            let isClear = try !isEncrypted(source) || replica.store.files.isNamedInClear(blob)
            guard !isEncrypted(target), isClear else {
                throw MoveErrors.fileNotHere(
                    name, encrypted: isEncrypted(target) ? target.name : source.name)
            }
            same.insert(blob)
        }
        return file
    }

    /// The form of a file in the source. Bytes that only a third space holds do not count.
    private func form(of blob: BlobID) throws -> FileForm {
        guard try replica.store.files.spaces(holding: blob).contains(source.id) else {
            return .missing
        }
        return try replica.form(of: blob, in: source.id)
    }

    private func isEncrypted(_ space: ReadableSpace) -> Bool {
        replica.store.spaces.isToBeSealed(space.id)
    }

    /// Makes all files count in the target, before any record there names them. Returns the blobs that got
    /// other ids, by their former ids.
    func carryOut() async throws -> [BlobID: NamedBlob] {
        try await replica.followFiles(same, of: source.id, in: target.id)
        guard !again.isEmpty else { return [:] }
        do {
            return try await replica.copyFiles(
                again, to: target.id, ProgressMeter(.adding, again))
        } catch StoreError.epochMissing {
            throw KeyErrors(replica).keyMissing(in: target)
        }
    }
}
