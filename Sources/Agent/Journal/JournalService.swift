import LocalAPI
import Store
import SyncCore

/// The journal's half of ``AgentService``: trips, memories, media, tags, bucket list and digest.
///
/// Stateless: every call reads what is shown now, and a change is durable when its call returns.
/// Methods have the names and arguments of ``AgentService`` and throw ``APIError`` for what a
/// person can do something about.
struct JournalService: Sendable {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let replica: AgentNode

    var trips: TripDirectory { TripDirectory(replica: replica) }

    /// Writes one atomic commit to a trip, with sentences for what may stand against it.
    func write(
        _ draft: ChangeSet, to trip: KnownTrip, _ action: Sentence.TripAction
    ) async throws {
        try require(requiredFlags(of: draft.operations), in: trip, action)
        try await write(draft, to: trip.space) {
            refusal(action, in: trip)
        }
    }

    /// Writes one atomic commit to the person's own space.
    func writeHome(_ draft: ChangeSet) async throws {
        try await write(draft, to: replica.identity.homeSpace) { APIError.notInitialised }
    }

    /// Throws unless this device's role in the trip allows all of it.
    func require(
        _ flags: Permissions, in trip: KnownTrip, _ action: Sentence.TripAction
    ) throws(APIError) {
        try trip.requireContents()
        guard permissions(in: trip).isSuperset(of: flags) else { throw refusal(action, in: trip) }
    }

    func permissions(in trip: KnownTrip) -> Permissions {
        replica.membership(of: trip.space)?.permissions(of: replica.identity.deviceID) ?? []
    }

    private func write(
        _ draft: ChangeSet, to space: SpaceID, refusal: () -> APIError
    ) async throws {
        do {
            try await replica.write(draft, to: space)
        } catch AgentError.notPermitted {
            throw refusal()
        } catch AgentError.tooLarge {
            throw APIError.requestTooLarge
        } catch StoreError.diskFull {
            throw APIError.diskFull
        }
    }

    private func refusal(_ action: Sentence.TripAction, in trip: KnownTrip) -> APIError {
        guard let role = LocalAPI.Role(permissions(in: trip)) else {
            return APIError.roleLost(trip: trip.name)
        }
        return APIError.roleForbids(action: action.words, trip: trip.name, role: role)
    }
}
