extension Sentence {
    /// Words about losses by a damaged database.
    package enum Damage {
        package typealias Words = Sentence.Problem.Words

        /// Changes that a damaged disk lost. `devices` have them; with `isComing`, only those in reach.
        package static func changes(
            _ changes: Int, on devices: [String], isComing: Bool
        ) -> Words {
            let what = Sentence.count(changes, "change", "changes")
            let isOne = changes == 1
            let phrase: Message =
                isOne
                ? tr("\(what) was damaged on this disk") : tr("\(what) were damaged on this disk")
            let names = devices.map { plain($0) }.joined(separator: ", ")
            if devices.isEmpty {
                return Words(
                    isOne
                        ? "\(phrase); which device has it is not known here."
                        : "\(phrase); which device has them is not known here.", phrase,
                    """
                    Connect every device that shares with you: what one of them has comes by \
                    itself. The disk may be failing: make a backup. What is missing: \
                    peersync doctor damage
                    """)
            }
            let sentence: Message =
                switch (isComing, isOne) {
                case (true, true): tr("\(phrase) and is fetched again from \(names).")
                case (true, false): tr("\(phrase) and are fetched again from \(names).")
                case (false, true): tr("\(phrase) and comes again once in reach of \(names).")
                case (false, false): tr("\(phrase) and come again once in reach of \(names).")
                }
            return Words(
                sentence, phrase,
                """
                The disk may be failing: make a backup, and look with 'peersync doctor'. What is \
                missing: peersync doctor damage
                """)
        }

        /// Some trips, and perhaps this person's own lists, were lost completely with a damaged database.
        package static func spaces(trips: Int, lists: Bool) -> Words {
            let parts = [
                trips > 0 ? Sentence.count(trips, "trip", "trips") : nil,
                lists ? tr("your own lists") : nil,
            ]
            let names = Sentence.Member.list(parts.compactMap(\.self))
            return Words(
                "The database was damaged or lost: nothing of \(names) is here any more.",
                "\(names) went with a damaged database",
                trips == 1 && !lists
                    ? """
                    It comes again by itself once a device that has it is in reach. The disk may be \
                    failing: look with 'peersync doctor'. If no device has it: peersync doctor damage
                    """
                    : """
                    They come again by themselves once a device that has them is in reach. The disk may \
                    be failing: look with 'peersync doctor'. If no device has them: peersync doctor \
                    damage
                    """)
        }

        /// What is still missing, and this person dismissed.
        package static func dismissed(changes: Int, trips: Int) -> Sentence.Doctor.Words {
            Sentence.Doctor.Words(
                """
                Still missing because of damage, and dismissed by you: \
                \(missing(changes: changes, trips: trips)).
                """, "Look: peersync doctor damage")
        }

        /// `3 changes and 1 trip`.
        package static func missing(changes: Int, trips: Int) -> String {
            let parts = [
                changes > 0 ? Sentence.count(changes, "change", "changes") : nil,
                trips > 0 ? Sentence.count(trips, "trip", "trips") : nil,
            ]
            return Sentence.Member.list(parts.compactMap(\.self))
        }
    }
}
