/// Offers of one peer that were passed on. The same offer comes with every comparison, and one message
/// can bring thousands: what is new for a while is passed on, of as many spaces as one device may offer.
package struct PassedOffers: Sendable {
    private var offers: [SpaceID: Offer] = [:]
    private var since: UInt64

    package init(since: UInt64) { self.since = since }

    /// The offer, when it is to be passed on.
    package mutating func news(_ offer: Offer?, of space: SpaceID, at now: Instant) -> Offer? {
        if now.monotonic >= since + Limits.pullIntervalMilliseconds { forgetAll(at: now) }
        let known = offers[space]
        guard let offer, known != offer, known != nil || offers.count < Limits.offersPerDevice
        else { return nil }
        offers[space] = offer
        precondition(offers.count <= Limits.offersPerDevice, "\(offers.count) offers of one device")
        return offer
    }

    package mutating func forget(_ space: SpaceID) { offers[space] = nil }

    package mutating func forgetAll(at now: Instant) { self = PassedOffers(since: now.monotonic) }
}
