package import LocalAPI

/// The changes that have not reached anybody else when a person leaves a trip or space.
package enum LeaveText {
    /// Before the question; empty where others have everything.
    package static func unsent(_ trip: TripView, isSyncOn: Bool) -> String {
        guard let changes = trip.unsent, changes > 0 else { return "" }
        let (what, name) = (Sentence.count(changes, "change", "changes"), Sentence.name(trip.name))
        let sentence = tr(
            changes,
            """
            Nobody else has \(what) of \(name) yet: this device sends it at its next sync, with the \
            message that you left.
            """,
            """
            Nobody else has \(what) of \(name) yet: this device sends them at its next sync, with the \
            message that you left.
            """)
        return (isSyncOn ? sentence : "\(sentence) \(tr("Sync is off: peersync sync on"))") + "\n"
    }

    /// Once it was left: nothing where a connected device takes just that.
    package static func remarks(_ left: TripView, _ status: StatusView) -> [String] {
        status.problems.filter { problem in
            problem.kind == .unsentLeave && problem.space?.id == left.id
                && (problem.count ?? 0 > 0 || !status.devices.contains(where: \.connected))
        }.map { problem in
            [problem.sentence, problem.remedy].compactMap(\.self).joined(separator: " ")
        }
    }
}
