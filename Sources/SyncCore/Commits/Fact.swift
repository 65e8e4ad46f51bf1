/// A membership fact as received: cards and signatures inside it are not checked yet.
package enum UnverifiedFact: Hashable, Sendable {
    case grant(UnverifiedGrant)
    case revocation(Revocation)
    case epoch(EpochFact)
    case fork(UnverifiedFork)
    case personStatement(UnverifiedPersonStatement)
    case keyExchange(UnverifiedKeyExchange)
    case redating(Redating)
    case request(RightsRequest)
    /// A kind this version does not know.
    case unknown
}

package struct UnverifiedGrant: Hashable, Sendable {
    package var card: UnverifiedCard
    package var parent: FactReference
    package var flags: Permissions
    package var siblingIndex: UInt32
    package var precedence: UInt32

    package init(
        card: UnverifiedCard, parent: FactReference, flags: Permissions, siblingIndex: UInt32,
        precedence: UInt32 = Precedence.user.rawValue
    ) {
        (self.card, self.parent, self.flags) = (card, parent, flags)
        (self.siblingIndex, self.precedence) = (siblingIndex, precedence)
    }
}

package struct Revocation: Hashable, Sendable {
    package enum Scope: UInt8, Sendable {
        case device = 1
        case person = 2
    }

    package enum Cascade: UInt8, Sendable {
        case none = 1
        case samePerson = 2
        case all = 3
    }

    package var grant: FactReference
    /// What is left; empty revokes.
    package var remaining: Permissions
    /// Over all incarnations of the grant; logs not listed are cut at 0.
    package var cut: Watermark
    package var scope: Scope
    package var cascade: Cascade

    package init(
        grant: FactReference, remaining: Permissions, cut: Watermark, scope: Scope, cascade: Cascade
    ) {
        (self.grant, self.remaining) = (grant, remaining)
        (self.cut, self.scope, self.cascade) = (cut, scope, cascade)
    }
}

/// An encryption epoch, its secret wrapped to each device that may read; or further devices that may
/// have the secrets of epochs that are there.
package struct EpochFact: Hashable, Sendable {
    /// `age1…`, of a new epoch; empty when it adds devices.
    package var recipient: String
    package var keys: [WrappedKey]
    /// Nobody looks at it.
    package var covers: [FactReference]
    /// The epochs whose secrets, in this order, each of the age files holds; none for a new epoch.
    package var addedTo: [CommitID]
    /// Of a new epoch: whom the same commit lets in is to have none that was there by then.
    package var isFromNow: Bool

    package init(
        recipient: String, keys: [WrappedKey], covers: [FactReference] = [],
        addedTo: [CommitID] = [], isFromNow: Bool = false
    ) {
        (self.recipient, self.keys, self.covers) = (recipient, keys, covers)
        (self.addedTo, self.isFromNow) = (addedTo, isFromNow)
    }
}

package struct WrappedKey: Hashable, Sendable {
    package var device: DeviceID
    /// For the device's agreement key; holds secrets of 32 bytes.
    package var ageFile: [UInt8]

    package init(device: DeviceID, ageFile: [UInt8]) {
        (self.device, self.ageFile) = (device, ageFile)
    }
}

/// The header of a commit without the rest of it.
package struct UnverifiedHeader: Hashable, Sendable {
    /// The serialized header, of which the commit's id is the hash.
    package let bytes: [UInt8]
    package let header: CommitHeader

    package init(bytes: [UInt8], header: CommitHeader) {
        (self.bytes, self.header) = (bytes, header)
    }

    package var id: CommitID { CommitID(ofHeader: bytes) }
}

/// Two headers said to be signed at one position of one log.
package struct UnverifiedFork: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        package var bytes: [UInt8]
        package var header: CommitHeader
        package var signature: [UInt8]

        package init(bytes: [UInt8], header: CommitHeader, signature: [UInt8]) {
            (self.bytes, self.header, self.signature) = (bytes, header, signature)
        }

        package var id: CommitID { CommitID(ofHeader: bytes) }
    }

    package var first: Side
    package var second: Side

    package init(first: Side, second: Side) { (self.first, self.second) = (first, second) }
}

package struct UnverifiedPersonStatement: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        case grant(UnverifiedGrant)
        case revocation(Revocation)
    }

    /// The bytes the signature is over.
    package var bytes: [UInt8]
    package var space: SpaceID
    /// The person's first key, of which their id is the hash.
    package var personKey: Bytes32
    /// The key that signed it where that was exchanged; nil: the first one.
    package var key: Bytes32?
    package var body: Body
    package var signature: [UInt8]

    package init(
        bytes: [UInt8], space: SpaceID, personKey: Bytes32, key: Bytes32? = nil, body: Body,
        signature: [UInt8]
    ) {
        (self.bytes, self.space, self.personKey, self.key) = (bytes, space, personKey, key)
        (self.body, self.signature) = (body, signature)
    }

    package var id: StatementID { StatementID(Label.personStatement.hash(bytes)) }
}

/// That the clock of a device was wrong: its commits whose clocks lie in a span, and that the commit
/// which says so had seen, count as if they had been written at another time.
package struct Redating: Hashable, Sendable {
    package var device: DeviceID
    /// Milliseconds since 1970, by the clocks in the headers.
    package var span: ClosedRange<UInt64>
    /// What is added; 0 gives the commits back the time that their headers say.
    package var offsetMilliseconds: Int64

    package init(device: DeviceID, span: ClosedRange<UInt64>, offsetMilliseconds: Int64) {
        (self.device, self.span) = (device, span)
        self.offsetMilliseconds = offsetMilliseconds
    }
}

/// That a person asks for rights, or with no flags: does not any more, or is refused by an admin.
package struct RightsRequest: Hashable, Sendable {
    package var person: PersonID
    package var flags: Permissions

    package init(person: PersonID, flags: Permissions) {
        (self.person, self.flags) = (person, flags)
    }
}

/// A membership fact whose cards and signatures hold.
package indirect enum MembershipFact: Sendable {
    case grant(Grant)
    case revocation(Revocation)
    case epoch(EpochFact)
    /// The log forked at this sequence.
    case fork(LogID, sequence: UInt64)
    case personGrant(Grant, StatementKey)
    case personRevocation(Revocation, StatementKey)
    case keyExchange(KeyExchange)
    case redating(Redating)
    case request(RightsRequest)
    /// Unknown, or its signatures do not hold: it keeps its index and counts for nothing.
    case void
}

package struct Grant: Sendable {
    package var card: Card
    /// Nil for the founder.
    package var parent: FactReference?
    package var flags: Permissions
    package var siblingIndex: UInt32
    package var precedence: UInt32

    package init(
        card: Card, parent: FactReference?, flags: Permissions, siblingIndex: UInt32,
        precedence: UInt32
    ) {
        (self.card, self.parent, self.flags) = (card, parent, flags)
        (self.siblingIndex, self.precedence) = (siblingIndex, precedence)
    }
}

/// A grant by a person key, no matter whose commit carries the statement.
struct PersonGrant: Hashable {
    private let person: PersonID
    private let device: DeviceID
    private let parent: FactReference?
    private let flags: Permissions
    private let siblingIndex: UInt32
    private let precedence: UInt32

    /// Nil for a fact of another kind.
    init?(_ fact: MembershipFact) {
        guard case .personGrant(let grant, let signed) = fact else { return nil }
        (person, device, parent) = (signed.person, grant.card.device, grant.parent)
        (flags, siblingIndex) = (grant.flags, grant.siblingIndex)
        precedence = grant.precedence
    }
}

extension MembershipFact {
    /// The grant that this is, by whomever.
    var grant: Grant? {
        switch self {
        case .grant(let grant), .personGrant(let grant, _): grant
        default: nil
        }
    }

    /// Whose key signed it, where one did.
    package var signed: StatementKey? {
        switch self {
        case .personGrant(_, let signed), .personRevocation(_, let signed): signed
        default: nil
        }
    }

    /// Whether a device gives something, and not a person key.
    var isGrant: Bool {
        if case .grant = self { true } else { false }
    }

    var isRedating: Bool {
        if case .redating = self { true } else { false }
    }

    /// Whether it makes an epoch, or gives the secrets of some.
    var isEpoch: Bool {
        if case .epoch = self { true } else { false }
    }

    /// Whether who may do what can depend on it.
    var isJudged: Bool {
        switch self {
        case .grant, .revocation, .personGrant, .personRevocation, .keyExchange: true
        // Of a fork its proof counts, beside the log; an epoch and a redating say nothing of rights,
        // and asking for them gives none.
        case .epoch, .fork, .redating, .request, .void: false
        }
    }
}
