package import LocalAPI

/// Errors about records that several services say.
package enum RecordErrors {
    package static func badLimit(_ most: Int) -> APIError {
        APIError(
            code: .badInput, sentence: "The limit must be a number from 1 to \(most).",
            hint: "For example: --limit 100")
    }

    /// `similar` are names that may have been meant.
    package static func unknownRecord(
        _ collection: String, _ name: String, similar: [String] = []
    ) -> APIError {
        let list = tr("peersync record list SPACE \(collection)", context: "command")
        return APIError(
            code: .notFound, sentence: "There is no \(collection) called \(Sentence.name(name)).",
            hint: similar.isEmpty
                ? "See what there is: \(list)"
                : "Did you mean \(Sentence.names(similar))? See what there is: \(list)")
    }

    package static func notDeleted(_ name: String) -> APIError {
        APIError(code: .conflict, sentence: "\(Sentence.name(name)) is not deleted.")
    }

    package static func recordInUse(
        _ name: String, by count: Int, of collection: String
    ) -> APIError {
        let users = Sentence.count(count, "record", "records")
        return APIError(
            code: .conflict,
            sentence: "\(Sentence.name(name)) is needed by \(users) of \(collection).",
            hint: "Delete or change those first.")
    }

    package static func missingFields(_ fields: [String], of collection: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "Every \(collection) needs \(Sentence.Member.list(fields)).",
            hint: "Add \(fields.map { tr("\($0)=VALUE") }.joined(separator: " "))")
    }

    package static func setNeedsElements(_ field: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(field) is a set of several values.",
            hint: "Put one in with \(field)+=VALUE, take one out with \(field)-=VALUE.")
    }

    package static func derivedField(_ name: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(name) is computed from other records.",
            hint: "Change those; it follows at once, on every device.")
    }

    package static func requiredField(_ field: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(field) is required and cannot be empty.",
            hint: "Give it another value: \(field)=VALUE")
    }

    package static func orderNeedsPlace(_ field: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(field) is the place among the others.",
            hint: "Say it with --before RECORD, --after RECORD, --first or --last.")
    }
}
