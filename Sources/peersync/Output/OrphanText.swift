package import LocalAPI

/// The texts of `orphans`.
package enum OrphanText {
    /// `Ben (ben-pc) in “Crete”, 10:00, had no right: added the memory “Hut”`.
    package static func line(_ view: OrphanView, from: String, to: String) -> String {
        let who = view.isMine ? tr("You") : Sentence.plain(view.author.name)
        let place = view.trip.map { tr(" in \(Sentence.name($0.name))") } ?? ""
        let when = from == to ? from : tr("\(from) to \(to)")
        let what =
            view.changes.isEmpty
            ? Sentence.count(view.count, "change", "changes") : Sentence.Changes.text(view.changes)
        let line =
            "\(who) (\(Sentence.plain(view.device.name)))\(place), \(when), \(reason(view.reason))"
        return "\(line)\(view.dismissed ? tr(", dismissed") : ""): \(what)"
    }

    private static func reason(_ reason: OrphanView.Reason) -> String {
        switch reason {
        case .noRight: tr("had no right")
        case .branch: tr("wrote twice from one state")
        case .gap: tr("wrote after a change that was damaged here")
        case .incomplete: tr("sent only a part of it so far")
        }
    }

    /// Spaces that were taken from this device, which so cannot know what of its own does not count; nil where
    /// there is none.
    package static func closed(_ spaces: [TripView]) -> String? {
        let taken = spaces.filter { $0.problems.contains { $0.kind == .taken } }
        guard !taken.isEmpty else { return nil }
        let names = Sentence.Member.list(taken.map { Sentence.name($0.name) })
        return tr(
            """
            This device has no role in \(names) any more: what it wrote there and had not sent by then \
            does not count, and is not listed.
            """)
    }

    package static func next(_ views: [OrphanView]) -> String {
        guard views.contains(where: \.recoverable) else {
            return tr(
                """
                They do not count. Somebody who may write can bring them back: peersync orphans \
                recover
                """)
        }
        let trip = named(views.map(\.trip))
        let open = views.filter { !$0.dismissed }
        guard let device = open.first?.device ?? views.first?.device, !open.isEmpty else {
            return tr("They stay without effect. ") + named(views)
        }
        if open.allSatisfy({ $0.reason == .incomplete }) {
            return tr(
                """
                They count once the rest is here. Bring back what came, as your own changes: peersync \
                orphans recover\(trip) --device \(Sentence.quoted(device.name))
                """)
        }
        var lines = [
            tr(
                """
                They do not count. Bring them back as your own changes: peersync orphans \
                recover\(trip)
                """)
        ]
        if Set(open.map(\.device.id)).count > 1 {
            lines.append(
                tr(
                    """
                    Only those of one device: peersync orphans recover\(trip) --device \
                    \(Sentence.quoted(device.name))
                    """))
        }
        lines.append(tr("Leave them, and be told no more: peersync orphans dismiss\(trip)"))
        return lines.joined(separator: "\n")
    }

    static func dismissed(_ views: [OrphanView]) -> String {
        let total = views.reduce(0) { $0 + $1.count }
        guard total > 0 else { return tr("There is nothing to dismiss.") }
        return tr(
            total, "\(total) change stays without effect. \(named(views))",
            "\(total) changes stay without effect. \(named(views))")
    }

    /// The command that recovers dismissed ones.
    private static func named(_ views: [OrphanView]) -> String {
        let trip = named(views.map(\.trip))
        let device = views.first.map { Sentence.quoted($0.device.name) } ?? ""
        return tr(
            """
            You can still bring back what a device wrote: peersync orphans recover\(trip) --device \
            \(device)
            """)
    }

    /// The trip as an argument, if there is only one.
    private static func named(_ trips: [Reference?]) -> String {
        let names = Set(trips.map { $0?.name ?? "" })
        guard names.count == 1, let name = names.first, !name.isEmpty else { return "" }
        return " \(Sentence.quoted(name))"
    }

    /// The recovered changes, a line for each device and trip.
    package static func recovered(_ report: RecoverReport) -> String {
        var lines = report.recovered.map { part in
            let what = Sentence.count(part.changes, "change", "changes")
            let place =
                part.trip.map { tr("in \(Sentence.name($0.name))") } ?? tr("in your own lists")
            return tr("Brought back \(what) of \(author(part)) \(place).")
        }
        if report.refused > 0 {
            let what = Sentence.count(report.refused, "change", "changes")
            lines.append(tr("You may not bring back \(what): ask somebody who may do more."))
        }
        if report.settled > 0 {
            lines.append(
                tr(
                    report.settled,
                    """
                    \(report.settled) change no longer waits: it counts by now, or is not on this \
                    device any more.
                    """,
                    """
                    \(report.settled) changes no longer wait: they count by now, or are not on this \
                    device any more.
                    """))
        }
        if report.missing.count > 0 {
            lines.append(Sentence.Encryption.notRecovered(report.missing))
        }
        if lines.isEmpty {
            lines.append(tr("There is nothing to bring back."))
        }
        if report.membershipChanges > 0 {
            lines.append(
                tr(
                    """
                    Grants and removals of people do not count either, and do not come back. Look at \
                    them with 'peersync trip members' and make them again.
                    """))
        }
        return lines.joined(separator: "\n")
    }

    private static func author(_ part: RecoveredChanges) -> String {
        let device = Sentence.plain(part.device.name)
        return part.person.name.isEmpty ? device : "\(Sentence.plain(part.person.name)) (\(device))"
    }

    static func recoveredNext(_ report: RecoverReport) -> String? {
        guard !report.recovered.isEmpty else { return nil }
        let trip = named(report.recovered.map(\.trip))
        return tr("They are yours now. Undo: peersync orphans recover\(trip) --undo")
    }

    static func undone(_ view: RecoverUndoView) -> String {
        var lines: [String] = []
        if view.changes > 0 {
            lines.append(
                tr(
                    view.changes, "\(view.changes) change no longer counts, as before.",
                    "\(view.changes) changes no longer count, as before."))
        }
        if !view.refused.isEmpty {
            let trips = Sentence.Member.list(view.refused.map { Sentence.name($0.name) })
            lines.append(
                tr("In \(trips) you may not delete what others made: ask somebody who may."))
        }
        return lines.isEmpty
            ? tr("Nothing was brought back on this device.") : lines.joined(separator: "\n")
    }
}
