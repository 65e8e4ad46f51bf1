internal import LocalAPI
internal import Logging
import Node
package import Records
package import Store
package import SyncCore
internal import Synchronization

/// Writing: signed commits, durable before the answer, then passed to the engine.
extension AgentNode {
    /// Writes one group of commits, with the authority granted to this device.
    package func write(_ group: [ChangeSet], to space: SpaceID) async throws {
        // Without a schema nobody could say what a value means.
        _ = try requireSchema(of: space)
        try await readyEpoch(in: space)
        let isSealed = try isSealed(space, naming: group.flatMap(\.blobs))
        try await carryOut { try $0.write(group, to: space, isSealed: isSealed) }
    }

    /// Whether new commits are sealed. Throws ``StoreError/filesInClear`` if the commit would name
    /// a file that is stored here unencrypted, as when the space was encrypted while the file was
    /// added.
    private func isSealed(_ space: SpaceID, naming files: [NamedBlob]) throws -> Bool {
        guard store.spaces.isToBeSealed(space) else { return false }
        guard try files.allSatisfy({ try form(of: $0.blob, in: space) != .plain }) else {
            throw StoreError.filesInClear
        }
        return true
    }

    /// Ensures that there is an epoch to write under, if this device is the one to make it. Runs
    /// separately, so that it learns the outcome of the writing.
    func readyEpoch(in space: SpaceID) async throws {
        guard try work.epochs.isNeeded(in: space) else { return }
        try await carryOut { try $0.epochs.ready(in: space) }
    }

    package func pin(_ schema: SchemaPin, in space: SpaceID) async throws {
        try await carryOut { work in
            try work.append(to: space) { _ in
                CommitDraft(clear: ClearPart(schema: schema), operations: [])
            }
        }
    }

    package func recover(
        _ orphan: Orphan, of orphans: Orphans, naming files: SealedFiles?,
        in space: SpaceID
    ) async throws {
        try await readyEpoch(in: space)
        try await carryOut {
            try $0.recover(orphan, of: orphans, naming: files, in: space)
        }
    }

    package func undoRecovery(_ number: Int64, in space: SpaceID) async throws -> Int {
        let taken = Mutex(0)
        try await readyEpoch(in: space)
        try await carryOut { work in
            guard let undone = try work.undoRecovery(number, in: space) else {
                return EngineWork.Done()
            }
            taken.withLock { $0 = undone.commits }
            return undone.done
        }
        return taken.withLock { $0 }
    }

    package func redate(_ redating: Redating, in space: SpaceID) async throws {
        try await carryOut { try $0.redate(redating, in: space) }
    }

    /// Runs a write on a thread that may wait, and reports it once it is durable.
    func carryOut(_ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done) async throws {
        // After the disk lost bytes of a file, no write is promised any more.
        if let fault = storage.fault { throw fault }
        do {
            adopt(try await store.offloaded { [self] _ in try body(work) })
        } catch let error as StoreError where !error.isRefusal {
            storage.notWritten("commit not stored", error, isTold: true)
            throw error
        }
    }

    /// Creates a space with this device as founder and writes its first records, whose ids may
    /// depend on the new space.
    package func createSpace(
        _ role: SpaceRole, following schema: SchemaPin?, isEncrypted: Bool,
        operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID {
        guard let card = identity.unverifiedCard else { throw APIError.notInitialised }
        if let fault = storage.fault { throw fault }
        let (space, done) = try await store.offloaded { [self] _ in
            try work.found(role, card, following: schema, isEncrypted: isEncrypted)
        }
        adopt(done)
        let records = operations(space)
        if !records.isEmpty {
            try await write(ChangeSet(operations: records), to: space)
        }
        // This person's other devices receive it without being asked.
        await nodeLoop.carryOut(.siblings, for: self)
        return space
    }
}
