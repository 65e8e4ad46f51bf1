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
                trip.memberCount == 0 ? "" : String(trip.memberCount), trip.shortID,
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
            let waits = waitsForAnswer(from: trip.grantedBy?.name)
            guard !trip.isTrip else { return waits }
            return "\(Self.contents(trip))\(trip.grantedBy == nil ? "," : "") \(waits)"
        case .left: return tr("you left it on another device", context: "in a list")
        case .carried:
            guard let view = trip.carried else { return "" }
            let said = carried(
                trip, view, ago: view.newest.map { Formatting.ago($0) })
            return trip.missing == .nothing
                ? said : "\(said), \(missing(trip.missing))"
        case .member, .deleted: break
        }
        var contents = Self.contents(trip)
        if trip.carried != nil { contents = carriedSince(trip, contents: contents) }
        if trip.state == .localOnly { contents += ", \(tr("only on this device"))" }
        if let deletion = trip.deletion {
            let said = Self.deletion(deletion, ago: Formatting.ago(deletion.at))
            return "\(contents), \(said)"
        }
        guard trip.missing != .nothing else { return contents }
        return "\(contents), \(missing(trip.missing))"
    }

    /// `14 memories and 31 files (48 MB)`.
    static func contents(_ trip: TripView) -> String {
        guard trip.membership != .member || trip.memberCount > 0 else {
            return tr("nothing here yet")
        }
        if let schema = trip.schema, !trip.isTrip { return Sentence.plain(schema) }
        let memories = Sentence.count(trip.memoryCount, "memory", "memories")
        let files = Sentence.count(trip.mediaCount, "file", "files")
        return trip.mediaCount == 0
            ? memories : tr("\(memories) and \(files) (\(Sentence.size(trip.bytes)))")
    }

    private static func waitsForAnswer(from person: String?) -> String {
        person.map { tr("from \(Sentence.plain($0)), waits for your answer") }
            ?? tr("waits for your answer")
    }

    private static func missing(_ waiting: WaitingCount) -> String {
        tr("\(Sentence.waiting(waiting)) not here yet")
    }

    /// `deleted by Anna, 3 minutes ago`; with work that nobody saw.
    private static func deletion(_ deletion: DeletionView, ago: String) -> String {
        let unseen = deletion.unseen.isEmpty ? "" : "; \(Sentence.Trip.unseenWork(deletion))"
        return deletion.isMine
            ? tr("deleted by you, \(ago)\(unseen)")
            : tr("deleted by \(Sentence.plain(deletion.by.name)), \(ago)\(unseen)")
    }

    /// `carried for Anna: 204 changes, 31 of 40 files (48 MB), the newest 3 hours ago`.
    private static func carried(_ trip: TripView, _ view: CarriedView, ago: String?) -> String {
        let who = receiver(trip)
        let files =
            view.filesHere == trip.mediaCount
            ? Sentence.count(trip.mediaCount, "file", "files")
            : tr("\(view.filesHere) of \(Sentence.count(trip.mediaCount, "file", "files"))")
        let size = trip.mediaCount > 0 ? " (\(Sentence.size(trip.bytes)))" : ""
        let newest = ago.map { tr(", the newest \($0)") } ?? ""
        return tr(
            """
            carried\(who), unreadable here: \(Sentence.count(view.changes, "change", "changes")), \
            \(files)\(size)\(newest)
            """)
    }

    /// Of a trip that this device could read before: `2 memories from before; what came since is only
    /// carried for Anna, unreadable here`.
    private static func carriedSince(_ trip: TripView, contents: String) -> String {
        tr(
            """
            \(contents) from before; what came since is only carried\(receiver(trip)), \
            unreadable here
            """)
    }

    private static func receiver(_ trip: TripView) -> String {
        trip.grantedBy.map { tr(" for \(Sentence.plain($0.name))") } ?? ""
    }
}
