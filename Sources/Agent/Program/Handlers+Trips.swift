import LocalAPI

extension LocalAgent {
    mutating func addTripHandlers() {
        let journal = JournalService(replica: runtime.node)
        on(\.trips.list) { _, _ in try await journal.trips() }
        on(\.trips.create) { try await journal.createTrip($1) }
        on(\.trips.show) { trip, _ in try await journal.showTrip(trip) }
        on(\.trips.rename) { try await journal.renameTrip($0, $1) }
        on(\.trips.delete) { trip, _ in try await journal.deleteTrip(trip) }
        on(\.trips.members) { trip, _ in try await journal.members(ofTrip: trip) }
        on(\.trips.grant) { try await journal.grantTrip($0, $1) }
        on(\.trips.accept) { trip, _ in try await journal.acceptTrip(trip) }
        on(\.trips.decline) { trip, _ in try await journal.declineTrip(trip) }
        on(\.trips.leave) { trip, _ in try await journal.leaveTrip(trip) }
        on(\.trips.digest) { trip, _ in try await journal.digest(ofTrip: trip) }
        on(\.trips.recover) { try await journal.recover($1) }
    }
}
