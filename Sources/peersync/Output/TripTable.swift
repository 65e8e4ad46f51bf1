package import LocalAPI

/// Trips as rows.
package enum TripTable {
    /// `heading` is the word for one of them.
    package static func rendered(
        _ trips: [TripView], heading: String? = nil, width: Int?
    ) -> String {
        var table = Table([
            .text(""), .text(heading ?? tr("trip"), shrinksTo: 12),
            .text(tr("contents"), shrinksTo: 16),
            .text(tr("role")), .number(tr("people")), .text(tr("id")),
        ])
        for trip in trips.filter(\.active) + trips.filter({ !$0.active }) {
            table.add([
                Symbols.of(trip.state), name(trip), listed(trip), trip.role?.rawValue ?? "",
                trip.membership == .granted ? "" : String(trip.memberCount), trip.shortID,
            ])
        }
        let problems = trips.flatMap(\.problems).flatMap { ProblemText.lines($0) }
        return ([table.rendered(width: width)] + (problems.isEmpty ? [] : [""] + problems))
            .joined(separator: "\n")
    }

    static func name(_ trip: TripView) -> String {
        trip.name.isEmpty ? trip.shortID : trip.name
    }

    /// A trip's state for lists: encryption comes first, so that even a narrow table shows it.
    static func listed(_ trip: TripView) -> String {
        let standing = trip.active ? standing(trip) : "\(tr("over")), \(standing(trip))"
        return trip.encryption == nil ? standing : "\(tr("encrypted")), \(standing)"
    }

    /// Its contents and missing files, or the waiting offer.
    static func standing(_ trip: TripView) -> String {
        switch trip.membership {
        case .granted:
            let waits = Sentence.Trip.waitsForAnswer(from: trip.grantedBy?.name)
            return trip.isTrip ? waits : "\(Sentence.Trip.contents(trip)) \(waits)"
        case .left: return tr("you left it")
        case .carried:
            guard let view = trip.carried else { return "" }
            let said = Sentence.Vault.carried(
                trip, view, ago: view.newest.map { Formatting.ago($0) })
            return trip.missing == .nothing
                ? said : "\(said), \(Sentence.Trip.missing(trip.missing))"
        case .member, .deleted: break
        }
        var contents = Sentence.Trip.contents(trip)
        if trip.carried != nil { contents = Sentence.Vault.carriedSince(trip, contents: contents) }
        if trip.state == .localOnly { contents += ", \(Sentence.Status.short(.localOnly))" }
        if let deletion = trip.deletion {
            let said = Sentence.Trip.deletion(deletion, ago: Formatting.ago(deletion.at))
            return "\(contents), \(said)"
        }
        guard trip.missing != .nothing else { return contents }
        return "\(contents), \(Sentence.Trip.missing(trip.missing))"
    }
}
