internal import Records
internal import Store
internal import SyncCore

/// The private space of a person.
package struct OwnLists: Sendable {
    private let node: AgentNode

    package init(of node: AgentNode) { self.node = node }

    /// Creates it, and stores the identity of this device with it.
    package func begin() async throws {
        let space = try await node.createSpace(.home, following: nil, isEncrypted: false) {
            [node] in node.names.profiles(in: $0)
        }
        var identity = node.identity
        identity.homeSpace = space
        try IdentityStore.save(identity, in: node.store, node.home)
        node.setIdentity(identity)
    }

    /// Creates another one, after a damaged database lost it and no other device of this person is
    /// known to have it.
    package func beginAgain() async throws {
        let lost = node.identity.homeSpace
        try await begin()
        try node.store.spaces.setStanding(of: lost, to: .left, now: node.clock.wall)
    }
}
