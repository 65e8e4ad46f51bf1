extension Sentence {
    package enum Search {

        package static func badLimit(_ most: Int) -> APIError {
            APIError(
                code: .badInput, sentence: "The limit must be a number from 1 to \(most).",
                hint: "For example: --limit 100")
        }

        package static func noKind(_ kind: String, known: [String]) -> APIError {
            APIError(
                code: .notFound,
                sentence: "There are no records of the kind \(Sentence.name(kind)).",
                hint: APIError.didYouMean(kind, among: known)
                    ?? "Known here: \(known.joined(separator: ", "))")
        }
    }
}
