package import LocalAPI
package import SyncCore

/// A trip, or another space, that this device holds or may have; not the person's own.
package struct KnownSpace: Sendable {
    package enum Standing: Sendable {
        case member
        /// Accepted, and nothing of it has come yet.
        case awaited(Offer?)
        /// This device carries it and cannot read it.
        case carried
        /// Waits for this person's answer.
        case granted(Offer, from: DeviceID)
        case left
        /// Deleted for everybody; what it held is here, and it can be brought back.
        case deleted(SpaceDeletion)
    }

    package let space: SpaceID
    /// Fit to show; empty while nobody said it.
    package internal(set) var name: String
    package internal(set) var isActive = true
    package internal(set) var standing: Standing
    /// The name of the schema it follows; nil while that is not known here.
    package internal(set) var schema: String?
    /// Whether memories go into it: it follows the journal, or that is not known yet.
    package internal(set) var isTrip = true

    package var id: String { space.description }
    package var entry: Lookup.Entry { Lookup.Entry(id: id, name: name) }

    var isReadable: Bool { if case .member = standing { true } else { false } }
    package var deletion: SpaceDeletion? {
        if case .deleted(let deletion) = standing { deletion } else { nil }
    }

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
        case .carried:
            throw APIError(
                code: .conflict,
                sentence: "This device only carries \(Sentence.name(name)) and cannot read it.",
                hint: "What it has of it: peersync vault list")
        case .granted: throw APIError.notAcceptedYet(trip: name, isTrip: isTrip)
        case .left: throw APIError.roleLost(trip: name)
        case .deleted(let deletion):
            throw APIError.spaceDeleted(
                name, isTrip: isTrip, by: deletion.isMine ? nil : deletion.by.name)
        }
    }
}

/// That a space was deleted for everybody: by whom and when, as the last deletion says.
package struct SpaceDeletion: Sendable {
    /// Every write that says so.
    package let writes: [SurvivingWrite]
    package let last: SurvivingWrite
    package let by: Reference
    /// Whether it was this person.
    package let isMine: Bool
}

extension KnownSpace {
    /// A space of which only what somebody said when giving it is known here.
    init(_ space: SpaceID, _ offer: Offer?, _ standing: Standing) {
        if let offer, offer.flags.onlyCarries {
            self.init(sealed: space, standing)
            return
        }
        let schema = ShownText.line(offer?.schema ?? "")
        self.init(
            space: space, name: ShownText.line(offer?.title ?? ""), standing: standing,
            schema: schema.isEmpty ? nil : schema, isTrip: schema.isEmpty)
    }
}

extension KnownSpace {
    /// A space that this device carries, or is asked to, and of which it has no name to show.
    init(sealed space: SpaceID, _ standing: Standing) {
        self.init(
            space: space, name: "sealed-\(space.description.prefix(6))", standing: standing,
            isTrip: false)
    }

    /// Whether this device carries it, or would: it cannot read it.
    package var isSealed: Bool {
        switch standing {
        case .carried: true
        case .granted(let offer, _): offer.flags.onlyCarries
        case .awaited(let offer): offer?.flags.onlyCarries ?? false
        case .member, .left, .deleted: false
        }
    }
}

extension Permissions {
    /// Of a vault.
    var onlyCarries: Bool { mayHold && !contains(.read) }
}

/// A space whose records can be read and written here: one that is shared, or the person's own.
package struct ReadableSpace: Sendable {
    package let id: SpaceID
    /// Nil for the person's own space.
    package let known: KnownSpace?
    package let reference: Reference

    /// As people name it: the person's own is `home`.
    package var name: String { reference.name }
    package var isTrip: Bool { known?.isTrip ?? false }
    /// Nil for the person's own space, which views do not name.
    package var sharedReference: Reference? { known == nil ? nil : reference }
}
