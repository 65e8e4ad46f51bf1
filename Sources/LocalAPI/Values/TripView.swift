/// A trip as one device sees it. In JSON, the properties of its parts stand side by side.
@dynamicMemberLookup
package struct TripView: Codable, Sendable, Equatable, Identifiable {
    package let identity: Identity
    package let contents: Contents
    package let sync: Sync
    package var details: Details

    package init(
        _ identity: Identity, contents: Contents, sync: Sync, details: Details = Details()
    ) {
        (self.identity, self.contents, self.sync) = (identity, contents, sync)
        self.details = details
    }

    package init(from decoder: any Decoder) throws {
        identity = try Identity(from: decoder)
        contents = try Contents(from: decoder)
        sync = try Sync(from: decoder)
        details = try Details(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(inOneObject: identity, contents, sync, details)
    }

    package var id: String { identity.id }
    /// Whether memories go into it, as far as is known here.
    package var isTrip: Bool { details.schema.map { $0 == "journal" } ?? true }

    package subscript<Value>(dynamicMember path: KeyPath<Identity, Value>) -> Value {
        identity[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: KeyPath<Contents, Value>) -> Value {
        contents[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: KeyPath<Sync, Value>) -> Value {
        sync[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<Details, Value>) -> Value {
        get { details[keyPath: path] }
        set { details[keyPath: path] = newValue }
    }

    /// Whether this device holds the trip.
    package enum Membership: String, Codable, Sendable, CaseIterable {
        case member
        /// Granted by someone, waits for accept or decline.
        case granted
        case left
        /// This device carries it as a vault and cannot read it.
        case carried
        /// Deleted for everybody; it can be brought back.
        case deleted
    }
}

extension TripView {
    /// Its names, and the rights that this person has in it.
    package struct Identity: Codable, Sendable, Equatable {
        /// The space id.
        package let id: String
        package let shortID: String
        /// Empty while a granted trip has not been fetched.
        package let name: String
        package let active: Bool
        package let membership: Membership
        /// This person's role; `nil` once it was lost.
        package let role: Role?
        /// The person who granted it, for a trip that waits for an answer or that this device carries.
        package let grantedBy: Reference?

        package init(
            id: String, shortID: String, name: String, active: Bool, membership: Membership,
            role: Role?, grantedBy: Reference?
        ) {
            (self.id, self.shortID, self.name, self.active) = (id, shortID, name, active)
            (self.membership, self.role, self.grantedBy) = (membership, role, grantedBy)
        }
    }

    /// How much is in it.
    package struct Contents: Codable, Sendable, Equatable {
        package let memberCount: Int
        package let memoryCount: Int
        package let mediaCount: Int
        /// Bytes of all originals, here or not.
        package let bytes: Int64

        package init(members: Int = 0, memories: Int = 0, media: Int = 0, bytes: Int64) {
            (memberCount, memoryCount, mediaCount) = (members, memories, media)
            self.bytes = bytes
        }
    }

    /// How far it is synced.
    package struct Sync: Codable, Sendable, Equatable {
        /// Items of it that this device still lacks.
        package let missing: WaitingCount
        package let state: SyncState
        /// Its problems, most urgent first.
        package let problems: [ProblemView]
        /// Changes that count for nothing because a device wrote twice from one state, and that were not
        /// brought back from here.
        package let quarantined: Int

        package init(
            _ state: SyncState, missing: WaitingCount = .nothing, problems: [ProblemView] = [],
            quarantined: Int = 0
        ) {
            (self.state, self.missing) = (state, missing)
            (self.problems, self.quarantined) = (problems, quarantined)
        }
    }

    /// Each is absent where it does not apply or is not known.
    package struct Details: Codable, Sendable, Equatable {
        /// The name of the schema it follows, `journal` for a trip; `nil` while that is not known here.
        package var schema: String?
        /// Its people, and the names of its schema's collections: only of one that is shown alone.
        package var members: [MemberView]?
        package var collections: [String]?
        /// Where it comes from: only of one that is shown alone and was made of an archive.
        package var origin: OriginView?
        /// Present for one that is encrypted.
        package var encryption: EncryptionView?
        /// Devices that carry it, as they said, and cannot read it: only of one that is shown alone.
        package var vaults: [Reference]?
        /// Other devices of this person that keep it when this device leaves it: only of one that is shown alone.
        package var keptBy: [Reference]?
        /// Changes that no other person's device is known to have: only of one that is shown alone.
        package var unsent: Int?
        /// Present for one that this device carries and cannot read; with membership `member` where it
        /// could read before.
        package var carried: CarriedView?
        /// Present for a trip that was deleted.
        package var deletion: DeletionView?

        package init(schema: String? = nil) { self.schema = schema }
    }
}

/// The person who deleted a trip, the time, and the writes that they had not seen.
package struct DeletionView: Codable, Sendable, Equatable {
    package let by: Reference
    /// True for the person of this device.
    package let isMine: Bool
    /// By the clock of the device that deleted it.
    package let at: Moment
    /// One for each device that wrote something.
    package let unseen: [UnseenWork]

    package init(by: Reference, isMine: Bool, at: Moment, unseen: [UnseenWork]) {
        (self.by, self.isMine, self.at, self.unseen) = (by, isMine, at, unseen)
    }
}

/// Writes by one device to a trip while another one deleted it.
package struct UnseenWork: Codable, Sendable, Equatable {
    package let author: Reference
    /// True for the person of this device.
    package let isMine: Bool
    package let device: Reference
    /// When the last of it was written, by the clock of that device.
    package let written: Moment
    package let changes: [ChangeView]

    package init(
        author: Reference, isMine: Bool, device: Reference, written: Moment, changes: [ChangeView]
    ) {
        (self.author, self.isMine, self.device) = (author, isMine, device)
        (self.written, self.changes) = (written, changes)
    }
}

/// A new trip.
package struct TripDraft: Codable, Sendable, Hashable {
    package let name: String
    /// True: nobody but its members can ever read it.
    package let encrypted: Bool?

    package init(name: String, encrypted: Bool? = nil) {
        (self.name, self.encrypted) = (name, encrypted)
    }
}

/// A trip's new name.
package struct TripRename: Codable, Sendable, Hashable {
    package let name: String

    package init(name: String) { self.name = name }
}

/// The digest of a trip as this device shows it.
package struct DigestView: Codable, Sendable, Equatable {
    package let trip: Reference
    /// Hex SHA-256 over shown state with blob ids.
    package let digest: String
    /// Files whose bytes were read and verified on this device.
    package let filesVerified: Int
    package let filesTotal: Int

    package init(trip: Reference, digest: String, filesVerified: Int, filesTotal: Int) {
        (self.trip, self.digest) = (trip, digest)
        (self.filesVerified, self.filesTotal) = (filesVerified, filesTotal)
    }
}
