internal import Records
internal import Store
internal import SyncCore

/// The space that a person has for themselves.
package struct OwnLists: Sendable {
    private let node: AgentNode

    package init(of node: AgentNode) { self.node = node }

    /// Begins it anew, after a damaged database lost it and no other device of this person is known that has
    /// it.
    package func beginAgain() async throws {
        var identity = node.identity
        let lost = identity.homeSpace
        identity.homeSpace = try await node.createSpace(
            .home, following: nil, isEncrypted: false
        ) { [node] in node.profileOperations(in: $0) }
        try IdentityStore.save(identity, in: node.store, node.home)
        node.setIdentity(identity)
        try node.store.setStanding(of: lost, to: .left, now: node.clock.wall)
    }
}
