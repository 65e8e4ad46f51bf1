extension Sentence {
    package enum Search {
        package static var none: String {
            tr("Nothing found. Only the beginnings of words are compared.")
        }

        package static func more(_ count: Int) -> String {
            tr("There are more: add a word, or use --limit \(5 * count).")
        }

        package static let noWords = APIError(
            code: .badInput, sentence: "There is no word to search for.",
            hint: "Give the beginning of a word: peersync search duomo")

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
