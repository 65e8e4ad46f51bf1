/// What an offer of a space says, the same for every receiver.
package struct OfferedSpace: Sendable {
    private let offer: Offer
    /// The names of those who gave it to others, as far as they are known here.
    private let givers: [PersonID: String]
    /// For devices of the founder that lost the space: they need not ask their person.
    private let founding: FoundingProof?

    package init(
        _ offer: Offer, givers: [PersonID: String], founding: FoundingProof? = nil
    ) {
        (self.offer, self.givers, self.founding) = (offer, givers, founding)
    }

    /// As it is said to one device: by who gave it to that one, who need not be who brings it.
    package func offer(to device: DeviceID, _ membership: Membership) -> Offer {
        var offer = offer
        offer.from = GrantDescent(membership).giver(to: device).flatMap { givers[$0] } ?? ""
        offer.flags = membership.permissions(of: device)
        offer.grants = membership.facts.grantCount(to: device)
        let isFounder = membership.facts.card(of: device)?.person == membership.founder
        offer.founding = isFounder ? founding : nil
        // Its name is nothing for who may only carry it.
        if !offer.flags.contains(.read) { offer.title = "" }
        return offer
    }
}
