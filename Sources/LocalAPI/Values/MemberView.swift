/// The rights of a person in a trip; each role includes the ones before it.
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
    /// Their exact rights; these may be fewer than those of the role.
    package let rights: [Right]
    /// True for the person of this device.
    package let me: Bool
    package let founder: Bool
    /// The person who granted it; absent for the founder.
    package let grantedBy: Reference?
    /// True once a device of theirs knows a grant; after they left, a new one.
    package let accepted: Bool
    /// Whether their writes win over those of others, at any time.
    package let authority: Bool
    package let devices: [Reference]
    /// Devices that are not known to have heard the latest grants and revocations.
    package let unaware: [Reference]
    /// The rights that they ask for and do not have.
    package let requested: [Right]?
    /// How much their devices can read; only for an encrypted trip.
    package var keys: MemberKeys?
    /// What a grant left out; only in its answer.
    package var grant: GrantOutcome?
    /// Those of the devices that are lost, or forgotten by this device.
    package var lostDevices: [LostMember]?
    /// True for a person who declined the space and has not accepted it since.
    package var declined: Bool?

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

/// What the person does not have after a grant.
package struct GrantOutcome: Codable, Sendable, Hashable {
    /// The rights that it revoked.
    package let lost: [Right]?
    /// Lost devices that got nothing.
    package let leftOut: [Reference]?

    /// Nil if there is neither.
    package init?(lost: [Right], leftOut: [Reference]) {
        guard !lost.isEmpty || !leftOut.isEmpty else { return nil }
        self.lost = lost.isEmpty ? nil : lost
        self.leftOut = leftOut.isEmpty ? nil : leftOut
    }
}

/// A device of a member that is lost, or forgotten by this device.
package struct LostMember: Codable, Sendable, Hashable {
    package let id: String
    package let shortID: String
    package let name: String
    /// True when only this device has forgotten it: as a member it still gets the trip.
    @MayBeAbsent package var forgotten: Bool

    package init(_ device: Reference, isForgotten: Bool) {
        (id, shortID, name) = (device.id, device.shortID, device.name)
        forgotten = isForgotten
    }
}

/// A person to give a trip to, and their rights.
package struct GrantDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a known person or of one of their devices.
    package let person: String
    /// Absent: their present role, or contributor.
    package let role: Role?
    /// In place of a role.
    package let rights: [Right]?
    /// True: their writes win over those of others; it stays with a person who has it.
    package let authority: Bool?
    /// When rights are reduced: writes until then stay valid. Absent: writes that are here now.
    package let believeUntil: Moment?
    /// True: in an encrypted trip they get only today's key, and no earlier ones.
    package let fromNow: Bool?

    package init(
        person: String, role: Role? = nil, rights: [Right]? = nil, authority: Bool? = nil,
        believeUntil: Moment? = nil, fromNow: Bool? = nil
    ) {
        (self.person, self.role, self.rights) = (person, role, rights)
        (self.authority, self.believeUntil, self.fromNow) = (authority, believeUntil, fromNow)
    }
}

/// A person or device to revoke a trip from.
package struct RevokeDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a member or of one of their devices.
    package let who: String
    /// Later writes do not count any more. Absent: writes that are not here now.
    package let believeUntil: Moment?
    /// Only reports what would happen.
    package let preview: Bool?
    /// Also revokes it from everybody whom they let in, directly or indirectly.
    package let withInvited: Bool?

    package init(
        who: String, believeUntil: Moment? = nil, preview: Bool? = nil, withInvited: Bool? = nil
    ) {
        (self.who, self.believeUntil, self.preview) = (who, believeUntil, preview)
        self.withInvited = withInvited
    }
}

/// The result of a revocation, or its preview.
package struct RevokeView: Codable, Sendable, Equatable {
    package let trip: Reference
    package let person: Reference
    package let me: Bool
    /// Their former role.
    package let role: Role?
    package let rights: [Right]
    /// The devices that lost it, and those of the person that keep it.
    package let devices: [Reference]
    package let kept: [Reference]
    /// People who have it only because these let them in, and whether they lose it, too.
    package let invited: [Reference]
    package let withInvited: Bool
    package let believedUntil: Moment?
    /// Changes that counted until now, and no longer do.
    package let discounted: Int
    /// False for a preview.
    package let done: Bool
    /// For an encrypted trip: whether it has a key that they do not know. Otherwise an admin's device has
    /// yet to make one.
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
    /// Absent for a person without access.
    package let role: Role?
    /// People who could allow it; empty when it is allowed.
    package let ask: [Reference]

    package init(
        trip: Reference, person: Reference, me: Bool, right: Right, allowed: Bool, role: Role?,
        ask: [Reference]
    ) {
        (self.trip, self.person, self.me, self.right) = (trip, person, me, right)
        (self.allowed, self.role, self.ask) = (allowed, role, ask)
    }
}

/// Asks for a right, withdraws the request, or refuses that of another person.
package struct RequestDraft: Codable, Sendable, Hashable {
    /// Absent: this person withdraws their request.
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
    /// The rights that they ask for now; empty for none.
    package let rights: [Right]
    /// People who can grant it.
    package let ask: [Reference]

    package init(
        trip: Reference, person: Reference, me: Bool, rights: [Right], ask: [Reference]
    ) {
        (self.trip, self.person, self.me) = (trip, person, me)
        (self.rights, self.ask) = (rights, ask)
    }
}
