/// What an offer of a space says, the same for every receiver.
package struct OfferedSpace: Sendable {
    private let offer: Offer
    /// The names of those who gave it to others, as far as they are known here.
    private let givers: [PersonID: String]

    package init(_ offer: Offer, givers: [PersonID: String]) {
        (self.offer, self.givers) = (offer, givers)
    }

    /// As it is said to one device: by who gave it to that one, who need not be who brings it.
    package func offer(to device: DeviceID, _ membership: Membership) -> Offer {
        var offer = offer
        offer.from = GrantDescent(membership).giver(to: device).flatMap { givers[$0] } ?? ""
        offer.flags = membership.permissions(of: device)
        offer.grants = membership.facts.grantCount(to: device)
        // Its name is nothing for who may only carry it.
        if !offer.flags.contains(.read) { offer.title = "" }
        return offer
    }
}
