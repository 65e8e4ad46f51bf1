internal import LocalAPI

extension OperationHandlers {
    /// Adds the functions of trips, their members, their encryption and their orphans, and of vaults.
    package mutating func addTripHandlers() {
        let spaces = SpaceService(replica)
        let members = MemberService(replica)
        let encryption = EncryptionService(replica)
        let vaults = VaultService(replica)
        let orphans = OrphanService(replica)
        reading(\.trips.list, telling: .sync) { _, _ in try spaces.trips() }
        on(\.trips.create) { try await spaces.createTrip($1) }
        reading(\.trips.show, telling: .sync) { trip, _ in try spaces.show(trip) }
        on(\.trips.rename) { try await spaces.rename($0, $1) }
        on(\.trips.delete) { trip, _ in try await spaces.delete(trip) }
        on(\.trips.restore) { trip, _ in try await spaces.restore(trip) }
        reading(\.trips.sharing.members) { trip, _ in try members.members(of: trip) }
        on(\.trips.sharing.grant) { try await members.grant($0, $1) }
        on(\.trips.sharing.revoke) { try await members.revoke($0, $1) }
        reading(\.trips.sharing.may) { try members.may($0, $1) }
        on(\.trips.sharing.request) { try await members.request($0, $1) }
        on(\.trips.sharing.accept) { trip, _ in try await spaces.accept(trip) }
        on(\.trips.sharing.decline) { trip, _ in try await spaces.decline(trip) }
        on(\.trips.sharing.leave) { trip, _ in try await spaces.leave(trip) }
        on(\.trips.encryption.encrypt) { trip, _ in try await encryption.encrypt(trip) }
        on(\.trips.encryption.rotateKey) { trip, _ in try await encryption.rotateKey(trip) }
        on(\.trips.encryption.exportKey) { trip, _ in try encryption.exportKey(trip) }
        reading(\.vaults.list, telling: .sync) { _, _ in try vaults.list() }
        on(\.vaults.add) { try await vaults.add($1) }
        on(\.vaults.remove) { try await vaults.remove($1) }
        on(\.trips.digest) { trip, _ in try await spaces.digest(of: trip) }
        reading(\.trips.recovery.orphans) { _, scope in try orphans.list(scope) }
        on(\.trips.recovery.dismissOrphans) { _, scope in try await orphans.dismiss(scope) }
        on(\.trips.recovery.recoverOrphans) { try await orphans.recover($1) }
        on(\.trips.recovery.undoRecovery) { try await orphans.undoRecovery($1) }
    }
}
