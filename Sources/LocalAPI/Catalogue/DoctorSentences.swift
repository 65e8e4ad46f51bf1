/// Sentences of `peersync doctor network`.
extension Sentence {
    package enum Doctor {
        /// An observation, and its remedy.
        package struct Words: Sendable {
            package let message: Message
            package let advice: Message?

            package init(_ sentence: Message, _ remedy: Message? = nil) {
                (message, advice) = (sentence, remedy)
            }

            /// Words that are in their reader's language already.
            package init(verbatim sentence: String, _ remedy: String?) {
                self.init(Message(verbatim: sentence), remedy.map(Message.init(verbatim:)))
            }

            /// The words of status.
            package init(_ words: Sentence.Problem.Words) {
                self.init(words.message, words.advice)
            }

            package var sentence: String { message.text }
            package var remedy: String? { advice?.text }
        }
    }
}
