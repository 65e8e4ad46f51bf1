internal import LocalAPI
internal import Store
internal import SyncCore

/// The files of records that are moved to another space: how each gets there, and whether it can now.
struct MovedFiles {
    private let replica: any Replica
    private let source: ReadableSpace
    private let target: ReadableSpace
    /// Those that are the same ones there. Of one that is not here yet, a device that holds it in the source gives it to
    /// this device, which has it for both from then on.
    private var same: Set<BlobID> = []
    /// Those that are others there, as one of the spaces is encrypted.
    private var again: [NamedBlob] = []

    init(_ replica: any Replica, from source: ReadableSpace, to target: ReadableSpace) {
        (self.replica, self.source, self.target) = (replica, source, target)
    }

    /// Takes in a file of a record of this name. Throws ``APIError`` when the others could not read it.
    mutating func add(
        _ blob: BlobID, _ kind: NamedBlobKind, of name: String
    ) throws -> NamedBlob {
        guard let stored = try replica.store.blob(blob) else {
            throw APIError.originalNotHere(name)
        }
        let file = NamedBlob(blob: blob, size: stored.size, kind: kind)
        switch try form(of: blob) {
        case .plain where !isEncrypted(target): same.insert(blob)
        case .plain, .encrypted: if !again.contains(file) { again.append(file) }
        case .closed: throw SpaceService(replica).fileClosed(name, in: source.id)
        case .missing:
            // A file of an encrypted space has to be decrypted for others, and theirs encrypted for it.
            let isClear = try !isEncrypted(source) || replica.store.isNamedInClear(blob)
            guard !isEncrypted(target), isClear else {
                throw Sentence.Move.fileNotHere(
                    name, encrypted: isEncrypted(target) ? target.name : source.name)
            }
            same.insert(blob)
        }
        return file
    }

    /// What a file is in the source. Bytes that are here for a third space alone are not the source's to give.
    private func form(of blob: BlobID) throws -> FileForm {
        guard try replica.store.spaces(holding: blob).contains(source.id) else { return .missing }
        return try replica.form(of: blob, in: source.id)
    }

    private func isEncrypted(_ space: ReadableSpace) -> Bool {
        replica.membership(of: space.id)?.isToBeSealed == true
    }

    /// Has all of them count in the target, before any record there names them. Answers with those that became
    /// others, by what they were.
    func carryOut() async throws -> [BlobID: NamedBlob] {
        try await replica.followFiles(same, of: source.id, in: target.id)
        guard !again.isEmpty else { return [:] }
        do {
            return try await replica.copyFiles(
                again, to: target.id, ProgressMeter(.adding, again))
        } catch StoreError.epochMissing {
            throw SpaceService(replica).keyMissing(in: target)
        }
    }
}
