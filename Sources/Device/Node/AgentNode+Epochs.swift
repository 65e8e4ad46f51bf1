internal import Encryption
import Node
internal import Records
package import SyncCore

/// Encrypted spaces: making epochs, and seeing to it that who may read can.
extension AgentNode {
    package func makeEpoch(in space: SpaceID) async throws {
        try await carryOut { try $0.makeEpoch(in: space) }
    }

    /// Sees to it that there is an epoch to write under, where that is this device's to do. On its own, so
    /// that it is told of whatever becomes of the writing.
    func readyEpoch(in space: SpaceID) async throws {
        guard try work.needsEpoch(in: space) else { return }
        try await carryOut { try $0.readyEpoch(in: space) }
    }

    package func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)] {
        epochKeys.secrets(of: space).identities.map { ($0.key, $0.value.text) }
    }
}
