extension Sentence {
    /// What a damaged database has taken from here.
    package enum Damage {
        package typealias Words = Sentence.Problem.Words

        /// Changes that a damaged disk has taken from here. `devices` have them; those in reach, when
        /// `isComing`.
        package static func changes(
            _ changes: Int, on devices: [String], isComing: Bool
        ) -> Words {
            let what = Sentence.count(changes, "change", "changes")
            let phrase = "\(what) \(changes == 1 ? "was" : "were") damaged on this disk"
            let names = devices.map { plain($0) }.joined(separator: ", ")
            if devices.isEmpty {
                return Words(
                    "\(phrase); which device has \(changes == 1 ? "it" : "them") is not known here.",
                    phrase,
                    """
                    Connect every device that shares with you: what one of them has comes by \
                    itself. The disk may be failing: make a backup.
                    """)
            }
            return Words(
                isComing
                    ? "\(phrase) and \(changes == 1 ? "is" : "are") fetched again from \(names)."
                    : "\(phrase) and \(changes == 1 ? "comes" : "come") again once in reach of \(names).",
                phrase, "The disk may be failing: make a backup, and look with 'peersync doctor'.")
        }

        /// Of some trips, and perhaps of this person's own lists, everything went with a damaged database.
        package static func spaces(trips: Int, lists: Bool) -> Words {
            let names = [
                trips > 0 ? Sentence.count(trips, "trip", "trips") : nil,
                lists ? "your own lists" : nil,
            ].compactMap { $0 }.joined(separator: " and ")
            let isOne = trips == 1 && !lists
            return Words(
                "The database was damaged or lost: nothing of \(names) is here any more.",
                "\(names) went with a damaged database",
                """
                \(isOne ? "It comes" : "They come") again by \(isOne ? "itself" : "themselves") once a \
                device that has \(isOne ? "it" : "them") is in reach. The disk may be failing: look with \
                'peersync doctor'.
                """)
        }
    }
}
