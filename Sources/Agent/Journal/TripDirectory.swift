import LocalAPI
import Store
import SyncCore

/// A trip that this device holds or may have.
struct KnownTrip: Sendable {
    enum Standing: Sendable {
        case member
        /// Accepted, and nothing of it has come yet.
        case awaited
        /// Waits for this person's answer.
        case granted(Offer, from: DeviceID)
        case left
    }

    let space: SpaceID
    /// Fit to show; empty while nobody said it.
    let name: String
    let isActive: Bool
    var standing: Standing

    var id: String { space.description }
    var entry: Lookup.Entry { Lookup.Entry(id: id, name: name) }

    /// Throws unless the trip's records can be read and written here.
    func requireContents() throws(APIError) {
        switch standing {
        case .member: return
        case .awaited: throw APIError.notFetchedYet(trip: name)
        case .granted: throw APIError.notAcceptedYet(trip: name)
        case .left: throw APIError.roleLost(trip: name)
        }
    }
}

/// All trips of this device, and the one that a person means.
struct TripDirectory {
    let core: AgentCore

    /// Trips that are here or wait for an answer, by name; deleted and left ones not.
    func all() throws -> [KnownTrip] {
        try core.spaces().compactMap { try known($0) }
            .sorted { ($0.name, $0.space) < ($1.name, $1.space) }
    }

    /// Trips whose records can be read.
    func readable() throws -> [KnownTrip] {
        try all().filter { if case .member = $0.standing { true } else { false } }
    }

    // As Lookup.find, which it calls.
    @inline(never)
    func find(_ typed: String) throws -> KnownTrip {
        try Lookup.find(typed, .trip, among: try all()) { $0.entry }
    }

    /// Trips that wait for an answer or were declined: a no can be taken back.
    func acceptable() throws -> [KnownTrip] {
        let declined = try core.spaces().compactMap { entry -> KnownTrip? in
            guard entry.role == nil, case .left(let offer?) = entry.state else { return nil }
            return KnownTrip(
                space: entry.space, name: ShownText.line(offer.title), isActive: true,
                standing: .left)
        }
        return try all() + declined
    }

    /// As ``find(_:)``; throws when its records cannot be read.
    func findReadable(_ typed: String) throws -> KnownTrip {
        let trip = try find(typed)
        try trip.requireContents()
        return trip
    }

    /// One trip by its space, as it is now; nil when it is not listed any more.
    func trip(_ space: SpaceID) throws -> KnownTrip? {
        try core.spaces().first { $0.space == space }.flatMap { try known($0) }
    }

    func shortIDs() throws -> ShortIDs {
        ShortIDs(try core.spaces().map(\.space.description))
    }

    func reference(_ trip: KnownTrip, _ short: ShortIDs) -> Reference {
        Reference(id: trip.id, shortID: short[trip.id], name: trip.name)
    }

    private func known(_ entry: SpaceEntry) throws -> KnownTrip? {
        guard entry.role ?? .shared == .shared else { return nil }
        switch entry.state {
        case .left: return nil
        case .offered(let offer, let device):
            return KnownTrip(
                space: entry.space, name: ShownText.line(offer.title), isActive: true,
                standing: .granted(offer, from: device))
        case .awaited(let offer):
            return KnownTrip(
                space: entry.space, name: ShownText.line(offer?.title ?? ""), isActive: true,
                standing: .awaited)
        case .active: return try held(entry.space)
        }
    }

    private func held(_ space: SpaceID) throws -> KnownTrip? {
        let collection = JournalSchema.Collection.trip
        let id = core.tripRecordID(in: space)
        if let shown = try core.shown(space, collection, id) {
            return KnownTrip(
                space: space, name: shown.record.line(JournalSchema.Field.name),
                isActive: shown.record.value(JournalSchema.Field.active)?.boolean ?? true,
                standing: .member)
        }
        // A trip whose name is still on its way is listed; only a deleted one is not.
        let key = RecordKey(collection: collection, record: id)
        if try core.store.record(key, of: space)?.isDeleted ?? false { return nil }
        return KnownTrip(space: space, name: "", isActive: true, standing: .member)
    }
}
