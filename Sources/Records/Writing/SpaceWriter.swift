package import LocalAPI
internal import Store
package import SyncCore

/// Writes to spaces of any schema: only what the role of this device allows.
///
/// Stateless: every call reads what is shown now, and a change is durable when its call returns. Methods
/// throw ``APIError`` for what a person can do something about.
package struct SpaceWriter: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Writes one atomic commit, which also touches what the records belong to; its errors are sentences about
    /// the action.
    package func write(
        _ changes: ChangeSet, to space: ReadableSpace, _ action: SpaceAction
    ) async throws {
        guard !changes.operations.isEmpty else { return }
        var changes = changes
        changes.operations += try replica.touches(for: changes.operations, in: space.id)
        try await write([changes], to: space, action)
    }

    /// Writes one group of commits, at most ``Limits/commitsOfGroup``: all are shown together. Its errors are sentences
    /// about the action.
    package func write(
        _ group: [ChangeSet], to space: ReadableSpace, _ action: SpaceAction
    ) async throws {
        guard !group.isEmpty else { return }
        try requireNotDeleted(space)
        for changes in group {
            try require(
                requiredFlags(of: changes.operations, in: space.id, by: replica.local.person),
                in: space, action)
        }
        do {
            try await write(group, to: space.id)
        } catch StoreError.permissionRefused {
            throw refusal(action, lacking: [], in: space)
        } catch StoreError.commitTooLarge {
            throw APIError.requestTooLarge
        } catch StoreError.epochMissing {
            throw KeyErrors(replica).keyMissing(in: space)
        } catch StoreError.diskFull {
            throw APIError.diskFull
        }
    }

    /// Encrypts files from before the space was encrypted, and names the encrypted ones.
    private func write(_ group: [ChangeSet], to space: SpaceID) async throws {
        do {
            try await replica.write(group, to: space)
        } catch StoreError.filesInClear {
            let plain = try group.flatMap(\.blobs).filter {
                try replica.form(of: $0.blob, in: space) == .plain
            }
            let meter = ProgressMeter(.encrypting, plain)
            let files = SealedFiles(
                encrypted: try await replica.encryptFiles(plain, in: space, meter))
            let sealed = group.map { changes in
                var sealed = changes
                sealed.blobs = files.named(changes.blobs)
                sealed.operations = files.named(changes.operations)
                return sealed
            }
            try await replica.write(sealed, to: space)
        }
    }

    /// Throws unless this device's role in the space allows all of it.
    package func require(
        _ flags: Permissions, in space: ReadableSpace, _ action: SpaceAction
    ) throws(APIError) {
        let lacking = flags.subtracting(replica.permissions(in: space.id))
        guard lacking.isEmpty else { throw refusal(action, lacking: lacking, in: space) }
    }

    private func refusal(
        _ action: SpaceAction, lacking: Permissions, in space: ReadableSpace
    ) -> APIError {
        guard space.known != nil else { return APIError.notInitialised }
        guard let role = LocalAPI.Role(replica.permissions(in: space.id)) else {
            return replica.roleLost(in: space.name)
        }
        return APIError(
            code: .notAllowed,
            sentence:
                "As \(role.rawValue) of \(Sentence.name(space.name)) you may not \(action.words(as: role)).",
            hint: [Right](lacking).first.map {
                SpaceErrors.asking(for: $0, in: space.name, space.noun)
            } ?? """
                An admin can change that: peersync \(space.noun) members \
                \(Sentence.quoted(space.name))
                """)
    }

    /// Throws when a space was deleted meanwhile: nobody would see new writes.
    func requireNotDeleted(_ space: ReadableSpace) throws {
        guard let known = space.known, known.deletion == nil,
            try !replica.store.spaces.deletions(of: space.id).isEmpty
        else { return }
        try SpaceDirectory(replica).known(space.id)?.requireContents(in: replica)
    }
}

extension RecordService {
    var writer: SpaceWriter { SpaceWriter(replica) }
}
