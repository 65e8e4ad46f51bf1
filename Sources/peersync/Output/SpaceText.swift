package import LocalAPI

/// What is said of spaces of any kind.
package enum SpaceText {
    /// Another one has the same name.
    static func sameName(_ space: String, isTrip: Bool) -> String {
        let name = Sentence.name(space)
        return isTrip
            ? tr(
                "There is another trip called \(name): tell them apart by their ids, or rename one."
            )
            : tr(
                "There is another space called \(name): tell them apart by their ids, or rename one."
            )
    }
    /// It was accepted. The content is unknown before the first fetch.
    package static func accepted(_ trip: TripView) -> String {
        let name = Sentence.name(trip.name)
        guard !trip.isTrip || trip.memoryCount == 0 else {
            let contents = TripTable.contents(trip)
            return tr("Accepted \(name), with \(contents): it comes to this device.")
        }
        return trip.state == .offline
            ? tr("Accepted \(name). It comes once a device that has it is connected; none is now.")
            : tr("Accepted \(name): it comes to this device now.")
    }
}
