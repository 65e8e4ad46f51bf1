extension Sentence {
    /// Mistakes in how a command was typed, or in where its output goes.
    package enum Usage {
        /// Marks before the sentence of an error, and before its hint.
        package static let errorMark: Message = tr("error:")
        package static let hintMark: Message = tr("hint:")

        /// An invalid name of a person or device; `most` is the limit in bytes of UTF-8.
        package static func badName(_ name: String, most: Int) -> APIError {
            guard !name.trimmedLine.isEmpty else {
                return APIError(
                    code: .badInput, sentence: "The name is empty.",
                    hint: "Type at least one letter.")
            }
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
