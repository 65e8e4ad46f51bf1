/// Correcting the dates of a device's changes.
extension Sentence {
    package enum Redate {
        /// The planned changes, line by line, with the question at the end. `lines` have trip, count and
        /// times.
        package static func question(_ view: RedateView, lines: String) -> String {
            let shared = tr(
                view.trips.count,
                """
                Who shares this trip with you sees the same, and of what was changed twice at once the later one.
                """,
                """
                Who shares these trips with you sees the same, and of what was changed twice at once the later \
                one.
                """)
            let device = quoted(view.device.name)
            let back =
                view.offsetMilliseconds == 0
                ? tr("Redate at any time with: peersync device redate \(device)")
                : tr("Undo at any time with: peersync device redate \(device) --undo")
            return "\(lines)\n\(movement(view, isDone: false)) \(shared) \(back)" + refused(view)
                + tr(view.changes, "\nRedate it?", "\nRedate them?")
        }

        package static func done(_ view: RedateView) -> String {
            movement(view, isDone: true) + refused(view)
        }

        private static func movement(_ view: RedateView, isDone: Bool) -> String {
            let what = count(view.changes, "change", "changes")
            let device = name(view.device.name)
            guard view.offsetMilliseconds != 0 else {
                return isDone
                    ? tr(
                        view.changes, "\(what) of \(device) is now dated again as its clock said.",
                        "\(what) of \(device) are now dated again as its clock said.")
                    : tr(
                        view.changes,
                        "\(what) of \(device) would be dated again as its clock said.",
                        "\(what) of \(device) would be dated again as its clock said.")
            }
            let time = Status.exactDuration(Int(clamping: view.offsetMilliseconds.magnitude / 1000))
            let side = view.offsetMilliseconds < 0 ? tr("earlier") : tr("later")
            return isDone
                ? tr(
                    view.changes,
                    "\(what) of \(device) is now dated \(time) \(side) than its clock said.",
                    "\(what) of \(device) are now dated \(time) \(side) than its clock said.")
                : tr(
                    view.changes,
                    "\(what) of \(device) would be dated \(time) \(side) than its clock said.",
                    "\(what) of \(device) would be dated \(time) \(side) than its clock said.")
        }

        private static func refused(_ view: RedateView) -> String {
            guard !view.refused.isEmpty else { return "" }
            let names = view.refused.map { name($0.name) }.joined(separator: ", ")
            return tr("\nNot in \(names): there you may not.")
        }
    }
}

extension Sentence.Status {
    /// `3 days 2 hours`: the two greatest units.
    package static func exactDuration(_ seconds: Int) -> String {
        let units: [(Int, (Int) -> String)] = [
            (86_400, { tr($0, "\($0) day", "\($0) days", context: "by") }),
            (3600, { tr($0, "\($0) hour", "\($0) hours", context: "by") }),
            (60, { tr($0, "\($0) minute", "\($0) minutes", context: "by") }),
            (1, { tr($0, "\($0) second", "\($0) seconds", context: "by") }),
        ]
        guard let first = units.firstIndex(where: { seconds >= $0.0 }) else {
            return tr("0 seconds")
        }
        var rest = seconds
        var parts: [String] = []
        for (size, text) in units[first...].prefix(2) where rest >= size {
            parts.append(text(rest / size))
            rest %= size
        }
        return parts.joined(separator: " ")
    }
}

extension APIError {

    package static let badDuration = APIError(
        code: .badInput, sentence: "That is no length of time.",
        hint: "Type it like 3d, 1h30m or 45s.")
}
