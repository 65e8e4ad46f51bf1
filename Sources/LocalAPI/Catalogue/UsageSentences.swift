extension Sentence {
    /// Mistakes in how a command was typed, or in where its output goes.
    package enum Usage {
        /// Marks before the sentence of an error, and before its hint.
        package static let errorMark: Message = tr("error:")
        package static let hintMark: Message = tr("hint:")

        package static let badLimit = APIError(
            code: .badInput, sentence: "How many to show is a number from 1 on.",
            hint: "Without --limit it is 50.")

        /// Another one has the same name.
        package static func sameName(_ space: String, isTrip: Bool) -> String {
            let name = Sentence.name(space)
            return isTrip
                ? tr(
                    "There is another trip called \(name): tell them apart by their ids, or rename one."
                )
                : tr(
                    "There is another space called \(name): tell them apart by their ids, or rename one."
                )
        }

        /// An invalid name of a person or device; `most` is the limit in bytes of UTF-8.
        package static func badName(_ name: String, most: Int) -> APIError {
            guard !name.trimmedLine.isEmpty else { return APIError.emptyName }
            guard name.utf8.count <= most else {
                return APIError(
                    code: .badInput, sentence: "The name is too long: \(most) bytes fit.",
                    hint: "Others see it in lists and messages: choose a short one.")
            }
            return APIError(
                code: .badInput,
                sentence: "The name has several lines, or characters that cannot be shown.",
                hint: "Type it on one line.")
        }
    }
}
