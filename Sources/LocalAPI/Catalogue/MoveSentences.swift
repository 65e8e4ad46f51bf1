extension Sentence {
    /// Words about records that are moved to another trip.
    package enum Move {
        package static func moved(_ memories: [MemoryView]) -> String {
            guard let first = memories.first else { return tr("Nothing was moved.") }
            let what =
                memories.count > 1
                ? Sentence.count(memories.count, "memory", "memories")
                : "\(Memory.name(first)) (\(first.shortID))"
            return tr(
                """
                Moved \(what) to \(Sentence.name(first.trip.name)). Take it back: peersync undo
                """)
        }

        package static func inConflict(_ name: String) -> APIError {
            APIError(
                code: .conflict,
                sentence:
                    "\(named(name)) was changed on two devices at once. Nothing was moved.",
                hint: "Decide first, so that no value stays behind: peersync conflicts")
        }

        package static func changedMeanwhile(_ name: String) -> APIError {
            APIError(
                code: .conflict,
                sentence:
                    "Somebody changed \(named(name, isFirst: false)) meanwhile. Nothing was moved.",
                hint: "Try again.")
        }

        /// About a trip with an older version of the schema.
        package static func noField(_ field: String, of name: String, in trip: String) -> APIError {
            APIError(
                code: .conflict,
                sentence: """
                    \(named(name)) has a \(plain(field)), and \(Sentence.name(trip)) has no room for it. \
                    Nothing was moved.
                    """,
                hint:
                    "An admin gives it the newest fields: peersync trip upgrade \(Sentence.quoted(trip))"
            )
        }

        /// `encrypted` is the encrypted trip.
        package static func fileNotHere(_ name: String, encrypted trip: String) -> APIError {
            APIError(
                code: .notHere,
                sentence: """
                    \(named(name)) is not on this device yet, and \(Sentence.name(trip)) is encrypted. \
                    Nothing was moved.
                    """,
                hint: """
                    Its key changes on the way. Move it where the file is, or once it has come: peersync sync
                    """)
        }

        /// The new records stay.
        package static func notDeleted(in trip: String, because reason: APIError) -> APIError {
            APIError(
                code: reason.code,
                sentence: """
                    It is in both trips now: it could not be deleted in \(Sentence.name(trip)). \
                    \(reason.message)
                    """,
                hint: "Try again, or take the new one away again: peersync undo")
        }

        package static func changedSince(_ name: String, in source: String) -> APIError {
            APIError(
                code: .conflict,
                sentence: """
                    \(named(name)) is in both trips, as a move was interrupted, and was changed in \
                    \(Sentence.name(source)) since. Nothing was deleted.
                    """,
                hint: "Compare the two, and delete one by its id: peersync memory delete ID")
        }

        /// Names are nil where they are masked.
        package static func interrupted(
            _ count: Int, from source: String?, to target: String?
        ) -> Problem.Words {
            let (source, target) = (source ?? tr("TRIP"), target ?? tr("ANOTHER"))
            return Problem.Words(
                """
                The move of \(Sentence.count(count, "memory", "memories")) to \(Sentence.name(target)) was \
                interrupted: what it moves is still in \(Sentence.name(source)), too.
                """,
                "a move was interrupted",
                """
                Move them again: peersync memory move … --from \(Sentence.quoted(source)) --to \
                \(Sentence.quoted(target))
                """)
        }

        private static func named(_ name: String, isFirst: Bool = true) -> String {
            name.isEmpty ? (isFirst ? tr("One of them") : tr("one of them")) : Sentence.name(name)
        }
    }
}
