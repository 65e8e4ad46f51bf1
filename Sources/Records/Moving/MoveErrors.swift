import LocalAPI

/// Why records are not moved to another space, or not completely.
enum MoveErrors {
    static func inConflict(_ name: String) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "\(named(name)) was changed on several devices at once. Nothing was moved.",
            hint: "Decide first, so that no value stays behind: peersync conflicts")
    }

    static func changedMeanwhile(_ name: String) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "Somebody changed \(named(name, isFirst: false)) meanwhile. Nothing was moved.",
            hint: "Try again.")
    }

    /// About a trip with an older version of the schema.
    static func noField(_ field: String, of name: String, in trip: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                \(named(name)) has a \(Sentence.plain(field)), and \(Sentence.name(trip)) has no room for it. \
                Nothing was moved.
                """,
            hint:
                "An admin gives it the newest fields: peersync trip upgrade \(Sentence.quoted(trip))"
        )
    }

    /// `encrypted` is the encrypted trip.
    static func fileNotHere(_ name: String, encrypted trip: String) -> APIError {
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
    static func notDeleted(in trip: String, because reason: APIError) -> APIError {
        APIError(
            code: reason.code,
            sentence: """
                It is in both trips now: it could not be deleted in \(Sentence.name(trip)). \
                \(reason.message)
                """,
            hint: "Try again, or take the new one away again: peersync undo")
    }

    static func changedSince(_ name: String, in source: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                \(named(name)) is in both trips, as a move was interrupted, and was changed in \
                \(Sentence.name(source)) since. Nothing was deleted.
                """,
            hint: "Compare the two, and delete one by its id: peersync memory delete ID")
    }

    private static func named(_ name: String, isFirst: Bool = true) -> String {
        name.isEmpty ? (isFirst ? tr("One of them") : tr("one of them")) : Sentence.name(name)
    }
}
