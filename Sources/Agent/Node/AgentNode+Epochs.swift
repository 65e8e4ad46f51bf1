internal import Encryption
internal import Logging
internal import Records
internal import Store
package import SyncCore
internal import Synchronization

/// Encrypted spaces: making epochs, and seeing to it that who may read can.
extension AgentNode {
    package func makeEpoch(in space: SpaceID) async throws {
        try await carryOut { try $0.makeEpoch(in: space) }
    }

    /// Sees to it that there is an epoch to write under, where that is this device's to do. On its own, so
    /// that it is told of whatever becomes of the writing.
    func readyEpoch(in space: SpaceID) async throws {
        guard work.needsEpoch(in: space) else { return }
        try await carryOut { try $0.readyEpoch(in: space) }
    }

    package func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)] {
        epochKeys.secrets(of: space).identities.map { ($0.key, $0.value.text) }
    }

    /// Looks in a moment whether a key of a space is this device's to give or to make: what somebody
    /// else does meanwhile need not be done twice.
    func keepEpochs(in space: SpaceID) {
        guard let seconds = work.epochDuty(in: space),
            keptEpochs.withLock({ $0.insert(space).inserted })
        else { return }
        Task { [weak self] in
            // Cut short or not, a look does no harm.
            try? await Task.sleep(for: .seconds(seconds))
            await self?.keepEpochsNow(in: space)
        }
    }

    private func keepEpochsNow(in space: SpaceID) async {
        _ = keptEpochs.withLock { $0.remove(space) }
        guard store.writeFailure == nil, work.epochDuty(in: space) != nil else { return }
        do {
            try await carryOut { try $0.keepEpochs(in: space) }
        } catch {
            // What changes next has it looked at again.
            logger.note(
                .error, .spaces, "keys not given", record: space.logged,
                details: ["why": .reason(error)])
        }
    }
}
