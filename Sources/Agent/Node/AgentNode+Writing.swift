internal import Logging
import Store
package import SyncCore

/// Writing: one signed commit at a time, durable before it is answered, then handed to the engine.
extension AgentNode {
    /// Writes one atomic commit, with the authority that was given to this device. Throws
    /// ``AgentError/notPermitted(required:)`` when the role does not allow it,
    /// ``AgentError/tooLarge`` over 1 MiB, and what the store throws.
    ///
    /// Throws ``APIError`` for a space whose schema is not known here: nobody could say what a value
    /// means.
    func write(_ draft: ChangeSet, to space: SpaceID) async throws {
        _ = try requireSchema(of: space)
        let device = identity.deviceID
        try await append(to: space) { context in
            let precedence = context.ledger.membership.precedence(of: device, under: context.grant)
            return CommitDraft(
                clear: ClearPart(blobs: draft.blobs),
                operations: draft.operations.map { $0.raised(to: precedence) })
        }
    }

    /// Writes one commit whose content depends on the ledger as it is at that moment.
    func append(
        to space: SpaceID,
        _ draft: @escaping @Sendable (DraftContext) throws -> CommitDraft
    ) async throws {
        try await carryOut { try $0.append(to: space, draft) }
    }

    /// Does a piece of writing on a thread that may wait, and tells of it once it is durable.
    func carryOut(
        _ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done
    ) async throws {
        // Beside a disk that lost bytes of a file, nothing more is promised.
        if let fault = storageFault { throw fault }
        do {
            take(try await store.offloaded { [self] _ in try body(work) })
        } catch StoreError.permissionRefused(let required) {
            throw AgentError.notPermitted(required: required)
        } catch StoreError.commitTooLarge {
            throw AgentError.tooLarge
        } catch StoreError.spaceUnknown {
            throw AgentError.spaceUnknown
        } catch let error as StoreError {
            notWritten("commit not stored", error)
            throw error
        }
    }

    /// Makes a space with this device as founder and writes its first records, whose ids may depend
    /// on the new space.
    package func createSpace(
        _ role: SpaceRole, following schema: SchemaPin? = nil,
        operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID {
        guard let card = identity.unverifiedCard else { throw AgentError.notInitialised }
        if let fault = storageFault { throw fault }
        let (space, done) = try await store.offloaded { [self] _ in
            try work.found(role, card, following: schema)
        }
        take(done)
        let records = operations(space)
        if !records.isEmpty {
            try await write(ChangeSet(operations: records), to: space)
        }
        // Further devices of this person have it without being asked.
        await grantSiblings()
        return space
    }

    func newRecordID() -> RecordID {
        var random = SystemRandomNumberGenerator()
        return RecordID(Bytes16(random: &random))
    }

    /// The same id on every device, see ``RecordID/derived(space:collection:source:)``.
    func derivedRecordID(
        space: SpaceID, collection: String, source: [UInt8]
    ) -> RecordID {
        RecordID.derived(space: space, collection: collection, source: source)
    }
}
