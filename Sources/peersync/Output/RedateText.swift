package import LocalAPI

/// The texts of `device redate`.
package enum RedateText {
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
        let device = Sentence.quoted(view.device.name)
        let back =
            view.offsetMilliseconds == 0
            ? tr("Redate at any time with: peersync device redate \(device)")
            : tr("Undo at any time with: peersync device redate \(device) --undo")
        return "\(lines)\n\(movement(view, isDone: false))\(sameTime(view)) \(shared) \(back)"
            + refused(view)
            + tr(view.changes, "\nRedate it?", "\nRedate them?")
    }

    static func done(_ view: RedateView) -> String {
        movement(view, isDone: true) + refused(view)
    }

    private static func movement(_ view: RedateView, isDone: Bool) -> String {
        let what = Sentence.count(view.changes, "change", "changes")
        let device = Sentence.name(view.device.name)
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
        let time = Sentence.Status.exactDuration(
            Int(clamping: view.offsetMilliseconds.magnitude / 1000))
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

    /// That no change is moved by a time of its own; empty where each is dated as its clock said.
    private static func sameTime(_ view: RedateView) -> String {
        guard view.changes > 1, view.offsetMilliseconds != 0 else { return "" }
        return " "
            + tr(
                """
                All are moved by the same time. If the clock was not always off by as much, \
                choose changes with --from and --to, and say how far with --earlier or --later.
                """)
    }

    private static func refused(_ view: RedateView) -> String {
        guard !view.refused.isEmpty else { return "" }
        let names = view.refused.map { Sentence.name($0.name) }.joined(separator: ", ")
        return tr("\nNot in \(names): there you may not.")
    }
}
