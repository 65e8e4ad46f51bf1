internal import Identity
package import LocalAPI
internal import Logging
import Records
internal import Store
internal import SyncCore

/// The names of this device and its person: an ordinary record in every space.
package struct NameService: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    package func renameDevice(_ draft: NameDraft) async throws -> RenameView {
        let name = try acceptable(draft.name)
        let old = node.identity.deviceName
        try setNames { $0.deviceName = name }
        let untold = try await tellNames()
        return RenameView(was: old, name: name, person: false, untold: untold)
    }

    package func renamePerson(_ draft: NameDraft) async throws -> RenameView {
        let name = try acceptable(draft.name)
        let old = node.names.person(node.identity.person)
        // This person's other devices receive it in their own space, everybody else from here.
        let own = node.identity.homeSpace
        try await node.write(
            ChangeSet(operations: [.profile(of: node.identity.person, named: name, in: own)]),
            to: own)
        try setNames { $0.personName = name }
        return RenameView(
            was: old, name: name, person: true, untold: try await tellNames())
    }

    private func acceptable(_ name: String) throws -> String {
        let name = name.trimmedLine
        guard PairingName.isAcceptable(name) else {
            throw Sentence.Usage.badName(name, most: Limits.nameBytes)
        }
        return name
    }

    private func setNames(_ change: (inout OwnIdentity) -> Void) throws {
        var identity = node.identity
        change(&identity)
        try IdentityStore.save(identity, in: node.store, node.home)
        node.setIdentity(identity)
    }

    /// Writes the names of this device and its person wherever they differ. Returns the trips in
    /// which this device may not write them.
    private func tellNames() async throws -> [Reference] {
        var untold: [Reference] = []
        for space in try SpaceDirectory(node).readable(.withDeleted) {
            let changed = try node.names.profiles(in: space.id).filter { operation in
                try !isShown(operation, in: space.id)
            }
            guard !changed.isEmpty else { continue }
            do {
                try await node.write(ChangeSet(operations: changed), to: space.id)
            } catch StoreError.permissionRefused {
                untold.append(space.reference)
            } catch is APIError {
                // Its schema is unknown here, so nobody knows which field is a name.
                untold.append(space.reference)
            }
        }
        return untold
    }

    private func isShown(_ operation: RecordOperation, in space: SpaceID) throws -> Bool {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        guard let state = try node.store.records.record(key, of: space), !state.isDeleted else {
            return false
        }
        return operation.writes.allSatisfy { write in
            state.fields[write.field]?.latest?.value == write.value
        }
    }
}
