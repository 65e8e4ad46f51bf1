internal import LocalAPI
internal import Logging
import Node
package import Records
package import Store
package import SyncCore
internal import Synchronization

/// Writing: one signed commit at a time, durable before it is answered, then handed to the engine.
extension AgentNode {
    /// Writes one atomic commit, with the authority that was given to this device.
    package func write(_ changes: ChangeSet, to space: SpaceID) async throws {
        // Nobody could say what a value means that no schema knows.
        _ = try requireSchema(of: space)
        try await readyEpoch(in: space)
        let isSealed = try isSealed(space, naming: changes.blobs)
        try await carryOut { try $0.write(changes, to: space, isSealed: isSealed) }
    }

    /// Whether what is written now is sealed. Throws ``StoreError/filesInClear`` when it would name a
    /// file that lies here as people see it, as when the space was encrypted while it was added.
    private func isSealed(_ space: SpaceID, naming files: [NamedBlob]) throws -> Bool {
        guard membership(of: space)?.isToBeSealed == true else { return false }
        guard try files.allSatisfy({ try form(of: $0.blob, in: space) != .plain }) else {
            throw StoreError.filesInClear
        }
        return true
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

    /// Does a piece of writing on a thread that may wait, and tells of it once it is durable.
    func carryOut(_ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done) async throws {
        // Beside a disk that lost bytes of a file, nothing more is promised.
        if let fault = storageFault { throw fault }
        do {
            adopt(try await store.offloaded { [self] _ in try body(work) })
        } catch let error as StoreError where !error.isRefusal {
            notWritten("commit not stored", error)
            throw error
        }
    }

    /// Makes a space with this device as founder and writes its first records, whose ids may depend
    /// on the new space.
    package func createSpace(
        _ role: SpaceRole, following schema: SchemaPin?, isEncrypted: Bool,
        operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID {
        guard let card = identity.unverifiedCard else { throw APIError.notInitialised }
        if let fault = storageFault { throw fault }
        let (space, done) = try await store.offloaded { [self] _ in
            try work.found(role, card, following: schema, isEncrypted: isEncrypted)
        }
        adopt(done)
        let records = operations(space)
        if !records.isEmpty {
            try await write(ChangeSet(operations: records), to: space)
        }
        // Further devices of this person have it without being asked.
        await carryOut(.siblings)
        return space
    }
}
