extension Sentence {
    /// What `orphans` says.
    package enum Orphans {
        package static let none = "Every change that is here counts."

        /// `Ben (ben-pc) in “Crete”, 3 changes: added the memory “Hut”`.
        package static func line(_ view: OrphanView, from: String, to: String) -> String {
            let who = view.isMine ? "You" : plain(view.author.name)
            let place = view.trip.map { " in \(Sentence.name($0.name))" } ?? ""
            let when = from == to ? from : "\(from) to \(to)"
            let what =
                view.changes.isEmpty
                ? count(view.count, "change", "changes") : Changes.text(view.changes)
            return "\(who) (\(plain(view.device.name)))\(place), \(when): \(what)"
        }

        package static func next(_ views: [OrphanView]) -> String {
            let trips = Set(views.map { $0.trip?.name ?? "" })
            let trip = trips.count == 1 ? trips.first.map { " \(quoted($0))" } ?? "" : ""
            guard views.contains(where: \.rescuable) else {
                return """
                    They do not count, because who made them had no right to. An admin can bring them \
                    back: peersync orphans rescue
                    """
            }
            return """
                They do not count, because who made them had no right to. Bring them back as your own \
                changes: peersync orphans rescue\(trip)
                Leave them, and be told no more: peersync orphans dismiss\(trip)
                """
        }

        package static func dismissed(_ views: [OrphanView]) -> String {
            let total = views.reduce(0) { $0 + $1.count }
            return total == 0
                ? none
                : """
                \(count(total, "change", "changes")) \(total == 1 ? "stays" : "stay") without effect. \
                You can still bring \(total == 1 ? "it" : "them") back: peersync orphans rescue
                """
        }

        package static func rescued(_ report: RecoverReport) -> String? {
            guard !report.recovered.isEmpty else { return nil }
            let trips = Set(report.recovered.map { $0.trip?.name ?? "" })
            let trip = trips.count == 1 ? trips.first.map { " \(quoted($0))" } ?? "" : ""
            return "They are yours now. Undo: peersync orphans rescue\(trip) --undo"
        }

        package static func undone(_ view: RescueUndoView) -> String {
            var lines: [String] = []
            if view.changes > 0 {
                let what = count(view.changes, "change", "changes")
                lines.append(
                    "\(what) \(view.changes == 1 ? "is" : "are") without effect again.")
            }
            if !view.refused.isEmpty {
                let trips = Member.list(view.refused.map { name($0.name) })
                lines.append(
                    "In \(trips) you may not delete what others made: ask somebody who may.")
            }
            return lines.isEmpty
                ? "Nothing was brought back on this device." : lines.joined(separator: "\n")
        }
    }
}

extension CommandHelp {
    package static let orphans = CommandHelp(
        "List changes that do not count, because who made them had no right to.",
        examples: [
            "peersync orphans", "peersync orphans Arezzo", "peersync orphans rescue Arezzo",
            "peersync orphans dismiss Arezzo",
        ],
        remarks: """
            When a trip is taken from somebody, or their role is lowered, what they write after that has \
            no effect. It is kept here, and listed with what it would change.
            """)
    package static let orphansList = CommandHelp(
        "List changes that do not count.", examples: ["peersync orphans list Arezzo"])
    package static let orphansRescue = CommandHelp(
        "Make changes that do not count again, as your own.",
        examples: [
            "peersync orphans rescue Arezzo", "peersync orphans rescue Arezzo --device bea-phone",
            "peersync orphans rescue Arezzo --undo",
        ],
        remarks: "Newer changes are kept; by --undo as well.")
    package static let orphansDismiss = CommandHelp(
        "Leave changes as they are, without effect, and be told of them no more.",
        examples: ["peersync orphans dismiss Arezzo"],
        remarks: "On this device. They stay listed by 'peersync orphans'.")
}
