extension Sentence {
    /// What is wrong with how a command was typed, or with where its words go.
    package enum Usage {
        /// Before the sentence of an error, and before what to do.
        package static let errorMark: Message = tr("error:")
        package static let hintMark: Message = tr("hint:")

        package static func noCommand(_ word: String) -> String {
            tr("There is no command \(name(word)).")
        }

        package static func notUTF8(_ argument: String) -> String {
            tr("\(name(argument)) has bytes that are not UTF-8; nothing was changed.")
        }

        package static var useUTF8: String {
            tr("There is no file of that name; for a text, use a terminal that is set to UTF-8.")
        }

        package static var yesOrNo: String { tr("Please type y or n: ") }

        package static func notAFile(_ path: String) -> APIError {
            APIError(
                code: .badInput, sentence: "\(path) is not an ordinary file.",
                hint: "Devices, pipes and sockets cannot be added.")
        }

        package static func noFolder(_ path: String) -> APIError {
            APIError(
                code: .badInput, sentence: "There is no folder \(path).",
                hint: "Make it first, or name another one.")
        }

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

        package static func homeIsAFile(_ path: String) -> APIError {
            APIError(
                code: .badInput, sentence: "\(path) is a file, not a folder.",
                hint: "Name a folder of your own with --home.")
        }

        /// Of a name of a person or device, of at most so many bytes of UTF-8, that cannot be one.
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

        /// The result of a command could not be written to where it should go.
        package static func notWritten(_ reason: String) -> APIError {
            APIError(
                code: .failed,
                sentence: "What the command printed could not be written: \(reason).",
                hint: "What the command did is done. Free some room and run it again to see it.")
        }
    }
}
