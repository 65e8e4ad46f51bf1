internal import Encryption
import Identity
import Node
package import Records
internal import Store
import SyncCore

extension AgentNode {
    package var sharing: any SpaceSharing { NodeSharing(node: self) }
}

/// Granting, accepting and leaving spaces.
private struct NodeSharing: SpaceSharing {
    let node: AgentNode

    func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool, isFromNow: Bool
    ) async throws {
        try await changeRights(in: space) {
            try $0.members.grant(
                space, to: cards, flags: flags, authority: authority, isFromNow: isFromNow)
        }
    }

    func accept(_ space: SpaceID) async throws {
        try await node.carryOut { try $0.offers.accept(space) }
    }

    func decline(_ space: SpaceID) async throws {
        try await write(in: space) { try $0.offers.decline(space) }
    }

    func leave(_ space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.members.leave(space) }
    }

    func revoke(_ taking: RightsTaking, in space: SpaceID) async throws {
        try await changeRights(in: space) { try $0.members.revoke(taking, in: space) }
    }

    func revoke(_ taking: RightsTaking, in space: SpaceID, byKey text: String) async throws {
        let key = try PersonKey(typed: text)
        try await changeRights(in: space) {
            try $0.members.revoke(taking, in: space, signedBy: key)
        }
    }

    /// Writes a change of rights in a space; the devices that lose rights are told.
    private func changeRights(
        in space: SpaceID, _ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done
    ) async throws {
        try await node.readyEpoch(in: space)
        try await write(in: space, body)
    }

    /// The same without an epoch, which a device that only gives something up does not need.
    private func write(
        in space: SpaceID, _ body: @escaping @Sendable (EngineWork) throws -> EngineWork.Done
    ) async throws {
        try await node.carryOut { work in
            var done = try body(work)
            done.rightsWritten.append(space)
            return done
        }
    }

    func person(ofKey text: String) throws -> PersonID {
        try PersonKey(typed: text, currentBy: node.work).person
    }

    func ask(_ request: RightsRequest, in space: SpaceID) async throws {
        try await node.carryOut { try $0.members.ask(request, in: space) }
    }

    func makeEpoch(in space: SpaceID) async throws {
        try await node.carryOut { try $0.epochs.make(in: space) }
    }

    func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)] {
        node.epochKeys.secrets(of: space).identities.map { ($0.key, $0.value.text) }
    }
}
