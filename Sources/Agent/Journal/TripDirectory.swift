import LocalAPI
import Store
import SyncCore

/// A trip, or another space, that this device holds or may have.
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
    var name: String
    var isActive: Bool
    var standing: Standing
    /// The name of the schema it follows; nil while that is not known here.
    var schema: String?
    /// Whether memories go into it: it follows the journal, or that is not known yet.
    var isTrip = true

    var id: String { space.description }
    var entry: Lookup.Entry { Lookup.Entry(id: id, name: name) }

    /// Throws unless it is a trip whose records can be read and written here.
    func requireTrip() throws(APIError) {
        try requireContents()
        guard isTrip else { throw APIError.notATrip(name, schema: schema ?? "") }
    }

    /// Throws unless the space's records can be read and written here.
    func requireContents() throws(APIError) {
        switch standing {
        case .member: return
        case .awaited: throw APIError.notFetchedYet(trip: name)
        case .granted: throw APIError.notAcceptedYet(trip: name, isTrip: isTrip)
        case .left: throw APIError.roleLost(trip: name)
        }
    }
}

extension KnownTrip {
    /// A space of which only what somebody said when giving it is known here.
    fileprivate init(_ space: SpaceID, _ offer: Offer?, _ standing: Standing) {
        let schema = ShownText.line(offer?.schema ?? "")
        self.init(
            space: space, name: ShownText.line(offer?.title ?? ""), isActive: true,
            standing: standing, schema: schema.isEmpty ? nil : schema, isTrip: schema.isEmpty)
    }
}

/// All spaces of this device but the person's own, trips among them, and the one that a person means.
struct TripDirectory {
    let replica: AgentNode

    /// Spaces that are here or wait for an answer, by name; deleted and left ones not.
    func all() throws -> [KnownTrip] {
        try replica.spaces().compactMap { try known($0) }
            .sorted { ($0.name, $0.space) < ($1.name, $1.space) }
    }

    /// Spaces whose records can be read.
    func readable() throws -> [KnownTrip] {
        try all().filter { if case .member = $0.standing { true } else { false } }
    }

    /// Every space whose records can be read: those that are shared, and behind them the person's own,
    /// which is no trip.
    func readablePlaces() throws -> [(space: SpaceID, trip: KnownTrip?)] {
        let home = replica.identity.homeSpace
        let own: [(space: SpaceID, trip: KnownTrip?)] =
            replica.store.ledger(of: home) == nil ? [] : [(home, nil)]
        return try readable().map { ($0.space, $0) } + own
    }

    /// The one that a person names; without a name all of them.
    func readablePlaces(
        _ typed: String?, as kind: NamedThing
    ) throws -> [(space: SpaceID, trip: KnownTrip?)] {
        guard let typed else { return try readablePlaces() }
        let known = try findReadable(typed, as: kind)
        return [(known.space, known)]
    }

    func readableTrips() throws -> [KnownTrip] { try readable().filter(\.isTrip) }

    // As Lookup.find, which it calls.
    @inline(never)
    func find(_ typed: String, as kind: NamedThing = .trip) throws -> KnownTrip {
        try Lookup.find(typed, kind, among: try all()) { $0.entry }
    }

    /// Trips that wait for an answer or were declined: a no can be taken back.
    func acceptable() throws -> [KnownTrip] {
        let declined = try replica.spaces().compactMap { entry -> KnownTrip? in
            guard entry.role == nil, case .left(let offer?) = entry.state else { return nil }
            return KnownTrip(entry.space, offer, .left)
        }
        return try all() + declined
    }

    /// As ``find(_:)``; throws when its records cannot be read.
    func findReadable(_ typed: String, as kind: NamedThing = .trip) throws -> KnownTrip {
        let trip = try find(typed, as: kind)
        try trip.requireContents()
        return trip
    }

    /// As ``findReadable(_:)``, for what only trips have.
    func findTrip(_ typed: String) throws -> KnownTrip {
        let trip = try findReadable(typed)
        _ = try replica.requireSchema(of: trip.space)
        try trip.requireTrip()
        return trip
    }

    /// One trip by its space, as it is now; nil when it is not listed any more.
    func trip(_ space: SpaceID) throws -> KnownTrip? {
        try replica.spaces().first { $0.space == space }.flatMap { try known($0) }
    }

    func shortIDs() throws -> ShortIDs {
        ShortIDs(try replica.spaces().map(\.space.description))
    }

    func reference(_ trip: KnownTrip, _ short: ShortIDs) -> Reference {
        Reference(id: trip.id, shortID: short[trip.id], name: trip.name)
    }

    private func known(_ entry: SpaceEntry) throws -> KnownTrip? {
        guard entry.role ?? .shared == .shared else { return nil }
        switch entry.state {
        case .left: return nil
        case .offered(let offer, let device):
            return KnownTrip(entry.space, offer, .granted(offer, from: device))
        case .awaited(let offer): return KnownTrip(entry.space, offer, .awaited)
        case .active: return try held(entry.space)
        }
    }

    private func held(_ space: SpaceID) throws -> KnownTrip? {
        guard let schema = replica.schema(of: space) else {
            return KnownTrip(
                space: space, name: try plainName(of: space), isActive: true, standing: .member,
                isTrip: false)
        }
        let key = schema.titleRecord(in: space)
        var known = KnownTrip(
            space: space, name: "", isActive: true, standing: .member, schema: schema.name,
            isTrip: schema.isJournal)
        if let shown = try replica.shown(space, key.collection, key.record) {
            known.name = shown.record.line(JournalSchema.Field.name)
            known.isActive = shown.record.value(JournalSchema.Field.active)?.boolean ?? true
            return known
        }
        // A trip whose name is still on its way is listed; only a deleted one is not.
        return try replica.store.record(key, of: space)?.isDeleted ?? false ? nil : known
    }

    /// A space's name as it was last written, while its schema is not known here.
    private func plainName(of space: SpaceID) throws -> String {
        for collection in [JournalSchema.Collection.trip, Schema.spaceProfile] {
            let key = RecordKey(
                collection: collection,
                record: .derived(space: space, collection: collection, source: []))
            let register = try replica.store.record(key, of: space)?.fields[
                JournalSchema.Field.name]
            if let name = register?.latest?.value.text { return ShownText.line(name) }
        }
        return ""
    }
}
