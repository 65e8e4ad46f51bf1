package import LocalAPI
package import SyncCore

/// A trip or another space that this device holds or may have, except the person's own.
package struct KnownSpace: Sendable {
    package enum Standing: Sendable {
        case member
        /// Accepted, but nothing of it has arrived; with the device that offered it.
        case awaited(Offer?, from: DeviceID?)
        /// This device carries it without reading it.
        case carried
        /// Waits for this person's answer.
        case granted(Offer, from: DeviceID)
        case left
        /// Deleted for everybody; its content is still here, and it can be restored.
        case deleted(SpaceDeletion)
    }

    package let space: SpaceID
    /// Safe to print; empty while it is unknown.
    package internal(set) var name: String
    package internal(set) var isActive = true
    package internal(set) var standing: Standing
    /// The name of its schema; nil while that is unknown here.
    package internal(set) var schema: String?
    /// Whether it is for memories: it follows the journal, or its schema is unknown so far.
    package internal(set) var isTrip = true
    /// The word for it in commands.
    package var noun: SpaceNoun { SpaceNoun(isTrip: isTrip) }

    package var id: String { space.description }
    package var entry: Lookup.Entry { Lookup.Entry(id: id, name: name) }

    var isReadable: Bool { if case .member = standing { true } else { false } }
    package var deletion: SpaceDeletion? {
        if case .deleted(let deletion) = standing { deletion } else { nil }
    }

    /// Throws unless it is a trip whose records can be read and written here.
    func requireTrip(in replica: any Replica) throws(APIError) {
        try requireContents(in: replica)
        guard isTrip else {
            throw APIError(
                code: .badInput,
                sentence:
                    "\(Sentence.name(name)) is no trip: it follows \(Sentence.name(schema ?? "")).",
                hint: "Its records: peersync record list \(Sentence.quoted(name)) COLLECTION")
        }
    }

    /// Throws unless the space's records can be read and written here.
    func requireContents(in replica: any Replica) throws(APIError) {
        switch standing {
        case .member: return
        case .awaited: throw SpaceErrors.notFetchedYet(space: name)
        case .carried:
            throw APIError(
                code: .conflict,
                sentence: "This device only carries \(Sentence.name(name)) and cannot read it.",
                hint: "See what it carries: peersync vault list")
        case .granted: throw SpaceErrors.notAcceptedYet(space: name, isTrip: isTrip)
        case .left: throw replica.roleLost(in: name)
        case .deleted(let deletion):
            throw spaceDeleted(
                name, isTrip: isTrip, by: deletion.isMine ? nil : deletion.by.name)
        }
    }
}

/// The deletion of a space for everybody: its author and time, by the last write.
package struct SpaceDeletion: Sendable {
    /// All writes that delete it.
    package let writes: [SurvivingWrite]
    package let last: SurvivingWrite
    package let by: Reference
    /// Whether this person deleted it.
    package let isMine: Bool
}

extension KnownSpace {
    /// A space of which nothing is here; one whose offer is not known is called by its id.
    init(_ space: SpaceID, _ offer: Offer?, _ standing: Standing) {
        if let offer, offer.flags.onlyCarries {
            self.init(sealed: space, standing)
            return
        }
        let schema = ShownText.line(offer?.schema ?? "")
        let title = ShownText.line(offer?.title ?? "")
        self.init(
            space: space, name: title.isEmpty ? ShortIDs.alone(space.description) : title,
            standing: standing,
            schema: schema.isEmpty ? nil : schema, isTrip: schema.isEmpty)
    }
}

extension KnownSpace {
    /// A space that this device carries, or is asked to carry, without a name to show.
    init(sealed space: SpaceID, _ standing: Standing) {
        self.init(
            space: space, name: Self.sealedName(of: space), standing: standing, isTrip: false)
    }

    /// The name of a space on a device that cannot read it.
    static func sealedName(of space: SpaceID) -> String { "sealed-\(space.description.prefix(6))" }

    /// Whether this device carries it, or would, without reading it.
    package var isSealed: Bool {
        switch standing {
        case .carried: true
        case .granted(let offer, _): offer.flags.onlyCarries
        case .awaited(let offer, _): offer?.flags.onlyCarries ?? false
        case .member, .left, .deleted: false
        }
    }
}

extension Permissions {
    /// Whether these are the permissions of a vault.
    var onlyCarries: Bool { mayHold && !contains(.read) }
}

/// A space whose records can be read and written here: one that is shared, or the person's own.
package struct ReadableSpace: Sendable {
    package let id: SpaceID
    /// Nil for the person's own space.
    package let known: KnownSpace?
    package let reference: Reference

    /// Its name; that of the person's own is `home`.
    package var name: String { reference.name }
    package var isTrip: Bool { known?.isTrip ?? false }
    package var noun: SpaceNoun { SpaceNoun(isTrip: isTrip) }
    /// Nil for the person's own space, which views do not name.
    package var sharedReference: Reference? { known == nil ? nil : reference }
}

/// `by` is nil for this person.
private func spaceDeleted(_ name: String, isTrip: Bool, by: String?) -> APIError {
    let (what, place) = (SpaceNoun(isTrip: isTrip), Sentence.name(name))
    let sentence: Message =
        switch (by.map(Sentence.plain), isTrip) {
        case (nil, true): tr("You deleted the trip \(place).")
        case (nil, false): tr("You deleted the space \(place).")
        case (let who?, true): tr("\(who) deleted the trip \(place).")
        case (let who?, false): tr("\(who) deleted the space \(place).")
        }
    return APIError(
        code: .notFound, sentence: sentence,
        hint: "Bring it back for everybody: peersync \(what) restore \(Sentence.quoted(name))")
}
