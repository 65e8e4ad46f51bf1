/// What a person may do in a trip; each role includes the ones before it.
package enum Role: String, Codable, Sendable, CaseIterable {
    /// Reads.
    case viewer
    /// Adds and edits.
    case contributor
    /// Deletes too.
    case editor
    /// Grants and revokes too.
    case admin

    package var rights: [Right] {
        switch self {
        case .viewer: [.read]
        case .contributor: [.read, .write]
        case .editor: [.read, .write, .delete]
        case .admin: Right.allCases
        }
    }
}

/// One thing that a person may do in a trip.
package enum Right: String, Codable, Sendable, CaseIterable {
    case read
    /// Add and edit.
    case write
    case delete
    /// Grant and revoke.
    case admin
}

/// One person of a trip.
package struct MemberView: Codable, Sendable, Equatable {
    package let person: Reference
    package let role: Role
    /// Exactly what they may do; a role may leave something out.
    package let rights: [Right]
    /// True for the person of this device.
    package let me: Bool
    package let founder: Bool
    /// Who gave it to them; absent for the founder.
    package let grantedBy: Reference?
    /// True once any device of the person has acknowledged something of the trip.
    package let accepted: Bool
    /// Whether what they write wins over what others write, whenever it was written.
    package let authority: Bool
    package let devices: [Reference]
    /// Those of the devices that are not known to have heard the latest grants and revocations.
    package let unaware: [Reference]
    /// What they ask for and do not have.
    package let requested: [Right]?
    /// What their devices can read; only of an encrypted trip.
    package var keys: MemberKeys?
    /// What a grant took from them; only in its answer.
    package var lost: [Right]?
    /// Devices of theirs that a grant to the person left out, as they are lost; only in its answer.
    package var leftOut: [Reference]?
    /// Those of the devices that are lost.
    package var lostDevices: [Reference]?

    package init(
        person: Reference, role: Role, rights: [Right]? = nil, me: Bool, founder: Bool,
        grantedBy: Reference? = nil, accepted: Bool, authority: Bool = false,
        devices: [Reference], unaware: [Reference] = [], requested: [Right]? = nil
    ) {
        (self.person, self.role, self.me, self.founder) = (person, role, me, founder)
        (self.accepted, self.authority, self.devices) = (accepted, authority, devices)
        (self.grantedBy, self.unaware, self.requested) = (grantedBy, unaware, requested)
        self.rights = rights ?? role.rights
    }
}

/// Who gets a trip, and what they may do.
package struct GrantDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a known person or of one of their devices.
    package let person: String
    /// Absent: what they have, or contributor.
    package let role: Role?
    /// In place of a role.
    package let rights: [Right]?
    /// True: what they write wins over what others write; it stays with who has it.
    package let authority: Bool?
    /// With less than they have: what they wrote until then keeps counting as it did. Absent: what is
    /// here now.
    package let believeUntil: Moment?
    /// True: of an encrypted trip they get the key of today alone, and none of the earlier ones.
    package let fromNow: Bool?

    package init(
        person: String, role: Role? = nil, rights: [Right]? = nil, authority: Bool? = nil,
        believeUntil: Moment? = nil, fromNow: Bool? = nil
    ) {
        (self.person, self.role, self.rights) = (person, role, rights)
        (self.authority, self.believeUntil, self.fromNow) = (authority, believeUntil, fromNow)
    }
}

/// From whom a trip is taken.
package struct RevokeDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a member or of one of their devices.
    package let who: String
    /// What they wrote later counts for nothing any more. Absent: what is not here now.
    package let believeUntil: Moment?
    /// Only says what would happen.
    package let preview: Bool?
    /// Whether it is taken also from everybody whom they let in, and whom those let in.
    package let withInvited: Bool?

    package init(
        who: String, believeUntil: Moment? = nil, preview: Bool? = nil, withInvited: Bool? = nil
    ) {
        (self.who, self.believeUntil, self.preview) = (who, believeUntil, preview)
        self.withInvited = withInvited
    }
}

/// From whom a trip was taken, or would be.
package struct RevokeView: Codable, Sendable, Equatable {
    package let trip: Reference
    package let person: Reference
    package let me: Bool
    /// What they had.
    package let role: Role?
    package let rights: [Right]
    /// The devices that have it no more, and those of the person that keep it.
    package let devices: [Reference]
    package let kept: [Reference]
    /// People who have it only because these let them in, and whether it is taken from them, too.
    package let invited: [Reference]
    package let withInvited: Bool
    package let believedUntil: Moment?
    /// Changes that counted until now and do not any more.
    package let discounted: Int
    /// False for a preview.
    package let done: Bool
    /// Of an encrypted trip: whether it has a key now that they do not know. Otherwise an admin's device
    /// has yet to make one.
    package var newKey: Bool?

    package init(
        trip: Reference, person: Reference, me: Bool, role: Role?, rights: [Right],
        devices: [Reference], kept: [Reference], invited: [Reference], withInvited: Bool,
        believedUntil: Moment?, discounted: Int, done: Bool
    ) {
        (self.trip, self.person, self.me, self.role) = (trip, person, me, role)
        (self.rights, self.devices, self.kept) = (rights, devices, kept)
        (self.invited, self.withInvited) = (invited, withInvited)
        (self.believedUntil, self.discounted, self.done) = (believedUntil, discounted, done)
    }
}

/// Whether somebody may do something.
package struct RightQuery: Codable, Sendable, Hashable {
    /// Name or id prefix of a member.
    package let person: String
    package let right: Right

    package init(person: String, right: Right) { (self.person, self.right) = (person, right) }
}

package struct RightView: Codable, Sendable, Equatable {
    package let trip: Reference
    package let person: Reference
    package let me: Bool
    package let right: Right
    package let allowed: Bool
    /// Absent for who has no access.
    package let role: Role?
    /// Who could allow it; empty when it is allowed.
    package let ask: [Reference]

    package init(
        trip: Reference, person: Reference, me: Bool, right: Right, allowed: Bool, role: Role?,
        ask: [Reference]
    ) {
        (self.trip, self.person, self.me, self.right) = (trip, person, me, right)
        (self.allowed, self.role, self.ask) = (allowed, role, ask)
    }
}

/// Asks for a right, takes that back, or refuses what somebody asked for.
package struct RequestDraft: Codable, Sendable, Hashable {
    /// Absent: this person asks for nothing any more.
    package let right: Right?
    /// The member whose request is refused.
    package let refuse: String?

    package init(right: Right? = nil, refuse: String? = nil) {
        (self.right, self.refuse) = (right, refuse)
    }
}

package struct RequestView: Codable, Sendable, Equatable {
    package let trip: Reference
    package let person: Reference
    package let me: Bool
    /// What they ask for now; empty: nothing any more.
    package let rights: [Right]
    /// Who can grant it.
    package let ask: [Reference]

    package init(
        trip: Reference, person: Reference, me: Bool, rights: [Right], ask: [Reference]
    ) {
        (self.trip, self.person, self.me) = (trip, person, me)
        (self.rights, self.ask) = (rights, ask)
    }
}
