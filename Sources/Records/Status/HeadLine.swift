package import LocalAPI

/// Decisions that wait for the person at this device.
package struct PersonWaits: Hashable, Sendable {
    /// Entries that somebody has to decide about.
    package var entries = 0
    /// Trips and spaces that are granted to this person.
    package var invitations = 0
    /// Trips and spaces with changes that do not count.
    package var uncounted = 0
    /// Trips and spaces that were revoked from this device.
    package var taken = 0

    package init() {}

    package var isNothing: Bool { self == PersonWaits() }

    fileprivate var sentences: [String] {
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
            uncounted == 0
                ? nil
                : Sentence.count(
                    uncounted, "trip has changes that do not count",
                    "trips have changes that do not count"),
            taken == 0
                ? nil
                : Sentence.count(
                    taken, "trip was taken from you", "trips were taken from you"),
        ].compactMap(\.self)
    }
}

extension StatusVerdict {
    /// The head line; `because` says why nothing is exchanged, `isWaiting` whether something waits for
    /// a device, `onlyHere` how many trips and spaces no other device has.
    package static func headLine(
        _ state: SyncState, person: PersonWaits = PersonWaits(), isWaiting: Bool = false,
        onlyHere: Int = 0, because reason: String? = nil
    ) -> String {
        let asked = person.sentences
        let also = asked.map { "; \($0)" }.joined()
        return switch state {
        case .synced, .localOnly:
            onlyHere == 0
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

    private static func onlyOnThisDevice(_ spaces: Int) -> String {
        tr(
            spaces, "\(spaces) trip is only on this device",
            "\(spaces) trips are only on this device")
    }
}
