package import LocalAPI

/// How many trips, and how many spaces of other schemas.
package struct SpaceCount: Hashable, Sendable {
    package var trips = 0
    package var others = 0

    package init(trips: Int = 0, others: Int = 0) { (self.trips, self.others) = (trips, others) }

    init(_ spaces: [SpaceFacts], where isMeant: (SpaceFacts) -> Bool) {
        for space in spaces where isMeant(space) {
            if space.isTrip { trips += 1 } else { others += 1 }
        }
    }

    /// A sentence for the trips and one for the others; none for what is not there.
    fileprivate func sentences(
        trips trip: (Int) -> String, others other: (Int) -> String
    ) -> [String] {
        (trips > 0 ? [trip(trips)] : []) + (others > 0 ? [other(others)] : [])
    }
}

/// Decisions that wait for the person at this device.
package struct PersonWaits: Hashable, Sendable {
    /// Entries that somebody has to decide about.
    package var entries = 0
    /// Trips and spaces that are granted to this person.
    package var invitations = 0
    /// Rights that people ask this person for.
    package var requests = 0
    /// Trips and spaces with changes that do not count.
    package var uncounted = SpaceCount()
    /// Trips and spaces that were revoked from this device.
    package var taken = SpaceCount()
    /// Trips and spaces that this person left on another device, and that are still here.
    package var left = SpaceCount()

    package init() {}

    package var isNothing: Bool { self == PersonWaits() }

    fileprivate var sentences: [String] { decisions + ofSpaces }

    private var decisions: [String] {
        [
            entries == 0
                ? nil
                : Sentence.count(
                    entries, "entry waits for your decision",
                    "entries wait for your decision"),
            invitations == 0
                ? nil
                : Sentence.count(
                    invitations, "invitation waits for your answer",
                    "invitations wait for your answer"),
            requests == 0
                ? nil
                : Sentence.count(
                    requests, "request waits for your answer", "requests wait for your answer"),
        ].compactMap(\.self)
    }

    private var ofSpaces: [String] {
        uncounted.sentences {
            Sentence.count(
                $0, "trip has changes that do not count",
                "trips have changes that do not count")
        } others: {
            Sentence.count(
                $0, "space has changes that do not count",
                "spaces have changes that do not count")
        }
            + taken.sentences {
                Sentence.count($0, "trip was taken from you", "trips were taken from you")
            } others: {
                Sentence.count($0, "space was taken from you", "spaces were taken from you")
            }
            + left.sentences {
                Sentence.count(
                    $0, "trip was left on another device", "trips were left on another device")
            } others: {
                Sentence.count(
                    $0, "space was left on another device", "spaces were left on another device")
            }
    }
}

extension StatusVerdict {
    /// The head line; `because` says why nothing is exchanged, `isWaiting` whether something waits for
    /// a device, `onlyHere` how many trips and spaces no other device has.
    package static func headLine(
        _ state: SyncState, person: PersonWaits = PersonWaits(), isWaiting: Bool = false,
        onlyHere: SpaceCount = SpaceCount(), because reason: String? = nil
    ) -> String {
        let asked = person.sentences
        let also = asked.map { "; \($0)" }.joined()
        return switch state {
        case .synced, .localOnly:
            onlyHere == SpaceCount()
                ? tr("everything is synced")
                : tr("everything shared is synced; \(onlyOnThisDevice(onlyHere))")
        case .syncing: tr("syncing now\(also)")
        case .pending:
            asked.isEmpty || isWaiting
                ? tr("something waits for another device\(also)")
                : asked.joined(separator: "; ")
        case .offline: (reason ?? tr("no other device in reach")) + also
        case .error: tr("something needs you")
        }
    }

    private static func onlyOnThisDevice(_ spaces: SpaceCount) -> String {
        spaces.sentences { count in
            tr(
                count, "\(count) trip is only on this device",
                "\(count) trips are only on this device")
        } others: { count in
            tr(
                count, "\(count) space is only on this device",
                "\(count) spaces are only on this device")
        }.joined(separator: "; ")
    }
}
