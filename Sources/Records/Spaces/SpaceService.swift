package import LocalAPI
internal import Store
package import SyncCore

/// The life of spaces of any schema, from creating to deleting. The commands for trips use it, too.
///
/// Stateless: every call reads what is shown now, and a change is durable when its call returns. Methods
/// throw ``APIError`` for what a person can do something about.
package struct SpaceService: Sendable {
    let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    var directory: SpaceDirectory { SpaceDirectory(replica) }
    var views: SpaceViews { SpaceViews(replica) }
    private var writer: SpaceWriter { SpaceWriter(replica) }

    /// With those that were left on another device lately.
    package func trips() throws -> [TripView] {
        try views.list((directory.list() + directory.list(.leftElsewhere)).filter(\.isTrip))
    }

    /// Trips and all other spaces that are shared with others or could be; `withLeft` as in ``trips()``.
    package func spaces(withLeft: Bool = false) throws -> [TripView] {
        try views.list(directory.list() + (withLeft ? directory.list(.leftElsewhere) : []))
    }

    /// The same with a verdict that was made before.
    package func spaces(judgedBy verdict: StatusVerdict) throws -> [TripView] {
        let short = try directory.shortIDs()
        return try directory.list().map { try views.view($0, short, verdict.spaces[$0.space]) }
    }

    /// Creates a space with a schema; its first commit has its name, the names of its maker, and `beside`.
    package func create(
        following pin: SchemaPin, name typed: String, _ what: InputCheck.Input,
        isEncrypted: Bool = false,
        beside: @escaping @Sendable (SpaceID) -> [RecordOperation] = { _ in [] }
    ) async throws -> TripView {
        let name = try InputCheck.name(typed, what)
        let schema = try replica.schemas.schema(pin)
        let builtIn = replica.schemas.builtInPin.schema == pin.schema
        let writes =
            [Write(field: "name", value: .text(name))]
            + (builtIn ? replica.schemas.builtIn.titleWrites : [])
        let space = try await replica.createSpace(
            .shared, following: pin, isEncrypted: isEncrypted
        ) { [replica] space in
            let title = schema.titleRecord(in: space)
            let operation = RecordOperation(
                collection: title.collection, record: title.record, writes: writes)
            return [operation] + replica.names.profiles(in: space) + beside(space)
        }
        return try views.view(of: space, called: name)
    }

    /// Creates a space; a document is pinned in its first commit and travels with it.
    package func createSpace(_ draft: SpaceDraft) async throws -> TripView {
        let pin = try SchemaDirectory(replica).pin(draft)
        let isTrip = try replica.schemas.schema(pin).isJournal
        return try await create(
            following: pin, name: draft.name, isTrip ? .tripName : .spaceName,
            isEncrypted: draft.encrypted ?? false)
    }

    package func createTrip(_ draft: TripDraft) async throws -> TripView {
        try await create(
            following: replica.schemas.builtInPin, name: draft.name, .tripName,
            isEncrypted: draft.encrypted ?? false)
    }

    package func show(_ typed: String, as kind: NamedThing = .trip) throws -> TripView {
        do {
            return try views.detailed(directory.find(typed, among: [.shared, .deleted], as: kind))
        } catch let error as APIError where error.code == .notFound {
            let left = try directory.list(.leftElsewhere)
            let found = Lookup.matches(typed, among: left.map(\.entry))
            guard let first = found.first, found.count == 1 else { throw error }
            return try views.detailed(left[first])
        }
    }

    package func rename(_ typed: String, _ rename: TripRename) async throws -> TripView {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        let name = try InputCheck.name(rename.name, .tripName)
        let key = try replica.requireSchema(of: space.id).titleRecord(in: space.id)
        let shown = try replica.schema(of: space.id).flatMap { schema in
            try RecordReader(replica, space.id, schema).entry(key)
        }
        let write = Write(
            field: "name", value: .text(name), replaces: shown?.record.writes("name") ?? [])
        let operation = RecordOperation(
            collection: key.collection, record: key.record, writes: [write])
        try await writer.write(ChangeSet(operations: [operation]), to: space, .rename)
        return try views.view(of: space.id, called: name)
    }

    package func accept(_ typed: String) async throws -> TripView {
        let known = try Lookup.find(typed, .trip, among: try directory.list([.shared, .declined])) {
            $0.entry
        }
        switch known.standing {
        case .granted, .left: break
        case .member, .awaited, .carried, .deleted:
            throw SpaceErrors.alreadyAnswered(space: known.name, known.noun)
        }
        try await replica.sharing.accept(known.space)
        return try views.view(of: known.space, called: known.name)
    }

    /// Returns the space as it was.
    package func decline(_ typed: String) async throws -> TripView {
        let known = try directory.find(typed)
        guard case .granted = known.standing else {
            throw SpaceErrors.alreadyAnswered(space: known.name, known.noun)
        }
        let before = try views.view(known, directory.shortIDs())
        try await replica.sharing.decline(known.space)
        return before
    }

    package func leave(_ typed: String) async throws -> TripView {
        var known = try leavable(typed)
        // Nothing has arrived yet into which to write that this person leaves: the others are told of a
        // decline.
        if case .awaited = known.standing {
            try await replica.sharing.decline(known.space)
        } else {
            do {
                try await replica.sharing.leave(known.space)
            } catch StoreError.permissionRefused {
                // It was revoked before: there is nothing to give up, and nobody to tell.
                try await replica.sharing.decline(known.space)
            }
        }
        known.standing = .left
        return try views.view(known, directory.shortIDs())
    }

    package func digest(of typed: String) async throws -> DigestView {
        let space = try directory.readable(typed, among: .shared, as: .trip)
        let schema = try replica.requireSchema(of: space.id)
        let meter = ProgressMeter(.reading)
        let note = {
            try Task.checkCancellation()
            meter.add()
        }
        let digest = try replica.store.records.digest(
            of: space.id, under: schema, beforeRecord: note)
        let sound = try await replica.verifyFiles(of: space.id)
        let files = try ShownFiles(RecordReader(replica, space.id, schema, isBulk: true))
            .all(beforeRecord: note)
        return DigestView(
            trip: space.reference, digest: hexadecimal(digest.bytes),
            filesVerified: files.count { sound.contains($0) }, filesTotal: files.count)
    }

    /// A space that this person can leave.
    private func leavable(_ typed: String) throws -> KnownSpace {
        let known = try directory.find(typed)
        switch known.standing {
        case .granted: throw SpaceErrors.notAcceptedYet(space: known.name, isTrip: known.isTrip)
        case .left, .deleted: throw SpaceErrors.roleLost(space: known.name)
        case .awaited, .carried: break
        case .member: try checkOthersRemain(known)
        }
        return known
    }

    /// Leaving must neither lose the space nor leave it without a person who can grant it.
    private func checkOthersRemain(_ space: KnownSpace) throws(APIError) {
        let others = (replica.membership(of: space.space)?.members ?? []).filter {
            $0.standing.card.person != replica.local.person
        }
        guard !others.isEmpty else {
            throw APIError(
                code: .conflict,
                sentence:
                    "Nobody else has \(Sentence.name(space.name)); it would be lost when you leave.",
                hint: """
                    Give it to someone first, or delete it: \
                    peersync \(space.noun) delete \(Sentence.quoted(space.name))
                    """)
        }
        let isAdmin = replica.permissions(in: space.space).contains(.admin)
        guard !isAdmin || others.contains(where: { $0.standing.current.contains(.admin) }) else {
            throw SpaceErrors.lastAdmin(space: space.name, space.noun)
        }
    }
}
