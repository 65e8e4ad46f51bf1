package import LocalAPI

/// The texts of `doctor damage`.
package enum DamageText {
    package static func rendered(_ views: [DamageView]) -> String {
        guard !views.isEmpty else {
            return tr("No data is missing because of damage.")
        }
        return views.map(line).joined(separator: "\n")
    }

    /// `“Crete”: 3 changes by ann-pc are missing; they come back once in reach of ben-pc.`
    private static func line(_ view: DamageView) -> String {
        let place = view.trip.map { Sentence.name($0.name) } ?? tr("Your own lists")
        let line = "\(place): \(what(view))"
        return view.dismissed ? line + tr(" Dismissed.") : line
    }

    private static func what(_ view: DamageView) -> String {
        guard let changes = view.changes, let device = view.device else {
            return tr("nothing is here any more.")
        }
        let author = Sentence.plain(device.name)
        let names = Sentence.Member.list(view.holders.map { Sentence.plain($0.name) })
        guard !view.holders.isEmpty else {
            return tr(
                changes,
                "\(changes) change by \(author) is missing; no device is known to have it.",
                "\(changes) changes by \(author) are missing; no device is known to have them.")
        }
        return tr(
            changes,
            "\(changes) change by \(author) is missing; it comes back once in reach of \(names).",
            "\(changes) changes by \(author) are missing; they come back once in reach of \(names)."
        )
    }

    /// What to do next; nil where nothing is missing.
    package static func next(_ views: [DamageView]) -> String? {
        var lines: [String] = []
        if views.contains(where: { !$0.isDismissible }) {
            lines.append(
                tr("If no device has your own lists, start new ones: peersync doctor --repair"))
        }
        let dismissible = views.filter(\.isDismissible)
        if dismissible.contains(where: { !$0.dismissed }) {
            lines.append(
                tr(
                    """
                    Connect every device that shares with you: what one of them has comes back by itself. \
                    If none has it, dismiss it: peersync doctor damage --dismiss
                    """))
        }
        let trips = dismissible.filter { $0.changes == nil }.compactMap(\.trip)
        if let trip = trips.first {
            lines.append(
                trips.count == 1
                    ? tr(
                        "Or take it off your list: peersync trip leave \(Sentence.quoted(trip.name))"
                    )
                    : tr("Or take one of them off your list: peersync trip leave TRIP"))
        }
        if dismissible.contains(where: \.dismissed) {
            lines.append(
                tr("Report what you dismissed again: peersync doctor damage --undo"))
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    package static func dismissed(_ views: [DamageView]) -> String {
        let dismissed = views.filter(\.dismissed)
        guard !dismissed.isEmpty else { return tr("There is nothing to dismiss.") }
        let what = Sentence.Damage.missing(
            changes: dismissed.compactMap(\.changes).reduce(0, +),
            trips: dismissed.count { $0.changes == nil })
        return tr(
            """
            Dismissed: \(what). 'peersync status' no longer reports what is missing. If another device \
            has it after all, it comes back and counts.
            """)
    }

    package static func undone(_ views: [DamageView]) -> String {
        views.isEmpty
            ? rendered(views) : tr("'peersync status' reports all that is missing again.")
    }
}
