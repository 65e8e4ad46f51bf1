import LocalAPI
import SyncCore

/// Trips: making, naming, taking, leaving, deleting.
extension JournalService {
    func trips() async throws -> [TripView] {
        let short = try trips.shortIDs()
        return try trips.all().filter(\.isTrip).map { try view($0, short) }
    }

    /// Trips and all other spaces that are shared with others or could be.
    func spaces() async throws -> [TripView] {
        let short = try trips.shortIDs()
        return try trips.all().map { try view($0, short) }
    }

    /// The trip starts with its own record and the names of who made it.
    func createTrip(_ draft: TripDraft) async throws -> TripView {
        let name = try InputCheck.name(draft.name, .tripName)
        let replica = replica
        let space: SpaceID
        do {
            space = try await replica.createSpace(.shared) { space in
                [
                    RecordOperation(
                        collection: Collection.trip, record: replica.tripRecordID(in: space),
                        writes: [
                            Write(field: Field.name, value: .text(name)),
                            Write(field: Field.active, value: .boolean(true)),
                        ])
                ] + replica.profileOperations(in: space)
            }
        } catch AgentError.notInitialised {
            throw APIError.notInitialised
        }
        return try view(of: space, called: name)
    }

    func showTrip(_ trip: String) async throws -> TripView {
        try view(trips.find(trip), trips.shortIDs())
    }

    func renameTrip(_ trip: String, _ rename: TripRename) async throws -> TripView {
        let known = try trips.findReadable(trip)
        let name = try InputCheck.name(rename.name, .tripName)
        let key = try replica.titleRecord(in: known.space)
        let shown = try replica.shown(known.space, key.collection, key.record)
        let write = Write(
            field: Field.name, value: .text(name), replaces: shown?.record.writes(Field.name) ?? [])
        let operation = RecordOperation(
            collection: key.collection, record: key.record, writes: [write])
        try await self.write(ChangeSet(operations: [operation]), to: known, .rename)
        return try view(of: known.space, called: name)
    }

    func acceptTrip(_ trip: String) async throws -> TripView {
        let known = try Lookup.find(trip, .trip, among: try trips.acceptable()) { $0.entry }
        switch known.standing {
        case .granted, .left: break
        case .member, .awaited: throw APIError.alreadyAnswered(trip: known.name)
        }
        try await replica.accept(known.space)
        return try view(of: known.space, called: known.name)
    }

    func declineTrip(_ trip: String) async throws -> TripView {
        let known = try waiting(trip)
        let before = try view(known, trips.shortIDs())
        try await replica.decline(known.space)
        return before
    }

    func leaveTrip(_ trip: String) async throws -> TripView {
        let known = try leavable(trip)
        try await leave(known)
        let left = KnownTrip(
            space: known.space, name: known.name, isActive: known.isActive, standing: .left)
        return try view(left, trips.shortIDs())
    }

    /// A deleted trip is an ordinary deletion of its record: everybody's devices stop listing it.
    func deleteTrip(_ trip: String) async throws -> TripView {
        let known = try trips.findReadable(trip)
        let before = try view(known, trips.shortIDs())
        let key = try replica.titleRecord(in: known.space)
        let operation = RecordOperation(
            collection: key.collection, record: key.record, writes: [.deletion(true)])
        try await write(ChangeSet(operations: [operation]), to: known, .delete)
        return before
    }

    func digest(ofTrip trip: String) async throws -> DigestView {
        let known = try trips.findReadable(trip)
        let digest = try replica.digest(of: known.space)
        let files = try await replica.media.verifyAll(in: known.space)
        return DigestView(
            trip: trips.reference(known, try trips.shortIDs()), digest: hexadecimal(digest.bytes),
            filesVerified: files.verified, filesTotal: files.total)
    }

    func view(of space: SpaceID, called name: String) throws -> TripView {
        let trip =
            try trips.trip(space)
            ?? KnownTrip(space: space, name: name, isActive: true, standing: .awaited)
        return try view(trip, trips.shortIDs())
    }

    private func leave(_ trip: KnownTrip) async throws {
        // Of what has not come yet nothing is here to write a leave into: the others are told that
        // it is not wanted.
        if case .awaited = trip.standing { return try await replica.decline(trip.space) }
        do {
            try await replica.leave(trip.space)
        } catch AgentError.notPermitted {
            throw APIError.roleLost(trip: trip.name)
        }
    }

    /// A trip that waits for this person's answer.
    private func waiting(_ typed: String) throws -> KnownTrip {
        let known = try trips.find(typed)
        guard case .granted = known.standing else {
            throw APIError.alreadyAnswered(trip: known.name)
        }
        return known
    }

    /// A trip that this person can leave.
    private func leavable(_ typed: String) throws -> KnownTrip {
        let known = try trips.find(typed)
        switch known.standing {
        case .granted: throw APIError.notAcceptedYet(trip: known.name, isTrip: known.isTrip)
        case .left: throw APIError.roleLost(trip: known.name)
        case .awaited: break
        case .member: try checkOthersRemain(known)
        }
        return known
    }

    /// Leaving must neither lose the trip nor leave it without anybody who can grant it.
    private func checkOthersRemain(_ trip: KnownTrip) throws(APIError) {
        let others = (replica.membership(of: trip.space)?.members ?? []).filter {
            $0.standing.card.person != replica.identity.person
        }
        guard !others.isEmpty else { throw APIError.lastMember(trip: trip.name) }
        let isAdmin = permissions(in: trip).contains(.admin)
        guard !isAdmin || others.contains(where: { $0.standing.current.contains(.admin) }) else {
            throw APIError.lastAdmin(trip: trip.name)
        }
    }
}
