extension Sentence {
    /// The words of `log` and `status` about late changes and many deletions.
    package enum Arrival {
        /// `place` is nil for the person's own lists; `ageSeconds` is how old the oldest change was when it came.
        package static func late(
            _ changes: Int, of device: String, to place: String?, ageSeconds: Int, deletions: Int,
            conflicts: Int
        ) -> String {
            let parts =
                (deletions > 0 ? [count(deletions, "deletion", "deletions")] : [])
                + (conflicts > 0 ? [count(conflicts, "conflict", "conflicts")] : [])
            let what = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
            return tr(
                """
                \(plain(device)) brought \(count(changes, "change", "changes")) to \(named(place)), \
                up to \(Status.duration(ageSeconds)) old\(what).
                """)
        }

        package static func afterUndo(
            _ changes: Int, of device: String, to place: String?
        ) -> String {
            tr(
                """
                \(plain(device)) brought \(count(changes, "change", "changes")) to \(named(place)), written \
                before you undid its changes.
                """)
        }

        package static func deletions(
            _ records: Int, of device: String, in place: String?
        ) -> String {
            tr(
                "\(plain(device)) deleted \(count(records, "record", "records")) in \(named(place))."
            )
        }

        package static func line(_ arrival: ArrivalView) -> String {
            let (device, place) = (arrival.device.name, arrival.space?.name)
            let age = arrival.received.milliseconds - arrival.written.milliseconds
            return switch arrival.kind {
            case .late:
                late(
                    arrival.changes, of: device, to: place,
                    ageSeconds: Int(clamping: max(0, age) / 1000), deletions: arrival.deletions,
                    conflicts: arrival.conflicts)
            case .afterUndo: afterUndo(arrival.changes, of: device, to: place)
            case .deletions: deletions(arrival.deletions, of: device, in: place)
            }
        }

        private static func named(_ place: String?) -> String {
            place.map(Sentence.name) ?? tr("your own lists")
        }
    }
}
