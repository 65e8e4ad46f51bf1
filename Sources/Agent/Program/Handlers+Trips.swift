import Files
import LocalAPI
import Records

extension LocalAgent {
    mutating func addTripHandlers() {
        let spaces = SpaceService(runtime.node)
        reading(\.trips.list) { _, _ in try spaces.trips() }
        on(\.trips.create) { try await spaces.createTrip($1) }
        reading(\.trips.show) { trip, _ in try spaces.show(trip) }
        on(\.trips.rename) { try await spaces.rename($0, $1) }
        on(\.trips.delete) { trip, _ in try await spaces.delete(trip) }
        on(\.trips.restore) { trip, _ in try await spaces.restore(trip) }
        reading(\.trips.members) { trip, _ in try spaces.members(of: trip) }
        on(\.trips.grant) { try await spaces.grant($0, $1) }
        on(\.trips.revoke) { try await spaces.revoke($0, $1) }
        reading(\.trips.may) { try spaces.may($0, $1) }
        on(\.trips.request) { try await spaces.request($0, $1) }
        on(\.trips.accept) { trip, _ in try await spaces.accept(trip) }
        on(\.trips.decline) { trip, _ in try await spaces.decline(trip) }
        on(\.trips.leave) { trip, _ in try await spaces.leave(trip) }
        on(\.trips.encrypt) { trip, _ in try await spaces.encrypt(trip) }
        on(\.trips.rotateKey) { trip, _ in try await spaces.rotateKey(trip) }
        on(\.trips.exportKey) { trip, _ in try spaces.exportKey(trip) }
        reading(\.vaults.list) { _, _ in try spaces.vaults() }
        on(\.vaults.add) { try await spaces.addVault($1) }
        on(\.vaults.remove) { try await spaces.removeVault($1) }
        on(\.trips.digest) { trip, _ in try await spaces.digest(of: trip) }
        let archives = ArchiveService(runtime.node, runtime.media)
        on(\.trips.archive) { try await archives.archive($0, $1) }
        on(\.trips.importArchive) { try await archives.importArchive($1) }
        reading(\.trips.orphans) { _, scope in try spaces.orphans(scope) }
        on(\.trips.dismissOrphans) { _, scope in try await spaces.dismissOrphans(scope) }
        on(\.trips.recoverOrphans) { try await spaces.recoverOrphans($1) }
        on(\.trips.undoRecovery) { try await spaces.undoRecovery($1) }
    }
}
