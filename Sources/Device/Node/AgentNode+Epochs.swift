internal import Encryption
import Node
internal import Records
package import SyncCore

/// Encrypted spaces: creates epochs, and gives every reader the keys.
extension AgentNode {
    package func makeEpoch(in space: SpaceID) async throws {
        try await carryOut { try $0.epochs.make(in: space) }
    }

    /// Ensures that there is an epoch to write under, if this device is the one to make it. Runs
    /// separately, so that it learns the outcome of the writing.
    func readyEpoch(in space: SpaceID) async throws {
        guard try work.epochs.isNeeded(in: space) else { return }
        try await carryOut { try $0.epochs.ready(in: space) }
    }

    package func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)] {
        epochKeys.secrets(of: space).identities.map { ($0.key, $0.value.text) }
    }
}
