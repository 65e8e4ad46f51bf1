extension Sentence {
    /// Why a space's schema cannot be followed on this device.
    package enum SchemaObstacle: Sendable {
        case newer, unreadable, absent
    }
}

/// Errors about schemas and the spaces that follow them.
extension APIError {
    package static func schemaNotFollowed(_ obstacle: Sentence.SchemaObstacle) -> APIError {
        switch obstacle {
        case .newer:
            APIError(
                code: .conflict,
                sentence: "This space follows a schema that was written for a newer peersync.",
                hint: """
                    Everything that comes is kept and passed on. To see and change it here, install \
                    a newer peersync.
                    """)
        case .unreadable:
            APIError(
                code: .conflict, sentence: "The schema that this space follows has mistakes in it.",
                hint: """
                    Everything that comes is kept and passed on. An admin can put it right: \
                    peersync schema change SPACE FILE
                    """)
        case .absent:
            APIError(
                code: .conflict, sentence: "The schema of this space is not here yet.",
                hint: "It comes with the space; sync once: peersync sync")
        }
    }

    /// `first` is the first mistake, in words.
    package static func badSchema(first: String, count: Int) -> APIError {
        let more =
            count > 1
            ? tr(" (and \(Sentence.count(count - 1, "more mistake", "more mistakes")))") : ""
        return APIError(
            code: .badInput, sentence: "The schema has a mistake: \(first)\(more).",
            hint: "See all of them: peersync schema check FILE")
    }

    package static func schemaTooOld(has: Int, needs: Int) -> APIError {
        APIError(
            code: .conflict,
            sentence: "The space follows version \(has) of its schema; this is version \(needs).",
            hint: "Raise `version` in the file: the highest one is followed everywhere.")
    }

    /// `field` as in `purchase.price`.
    package static func schemaChangesType(_ field: String, from: String, to: String) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "\(field) is a \(from) now and would be a \(to): what is written would not fit.",
            hint: """
                Give the new field another name, and keep the old one beside it. To convert what is written: \
                peersync schema migrate SPACE FILE
                """)
    }

    /// `place` as in `purchase.price`; `earlier` are all names it had.
    package static func schemaForgetsName(_ place: String, earlier: [String]) -> APIError {
        APIError(
            code: .conflict,
            sentence: "What was written to \(place) under an earlier name would not be shown.",
            hint: """
                Under `was:` list all that it was called, each in a line of its own: \
                \(earlier.map { "- \($0)" }.joined(separator: ", "))
                """)
    }

    package static func notATrip(_ name: String, schema: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "\(Sentence.name(name)) is no trip: it follows \(Sentence.name(schema)).",
            hint: "Its records: peersync record list \(Sentence.quoted(name)) COLLECTION")
    }
}
