/// Errors about setting up this computer.
extension APIError {
    package static let notInitialised = APIError(
        code: .notInitialised, sentence: "peersync is not set up on this computer yet.",
        hint: """
            Set it up with 'peersync init', or with 'peersync join --mine' if you already \
            use peersync on another device.
            """)

    package static func alreadyInitialised(home: String) -> APIError {
        APIError(
            code: .alreadyInitialised, sentence: "peersync is already set up here (\(home)).",
            hint: "See how it is doing: peersync status")
    }

    /// Of a file to be made that an option named.
    package static func fileExists(_ path: String, option: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The file \(path) exists already, and is left as it is.",
            hint: "Choose another name for \(option).")
    }

    package static func fileNotWritable(
        _ path: String, reason: String, option: String
    ) -> APIError {
        APIError(
            code: .badInput, sentence: "The file \(path) cannot be written: \(reason).",
            hint: "Choose another place for \(option).")
    }

    /// A question without a terminal to ask it on.
    package static func needsTerminal(question: String, flag: String) -> APIError {
        APIError(
            code: .badInput, sentence: "There is no terminal to ask: \(question)",
            hint: "Give the answer with \(flag).")
    }

    package static func noAnswer(flag: String) -> APIError {
        APIError(
            code: .badInput, sentence: "There was no answer.",
            hint: "Give it with \(flag) to skip the question.")
    }

    /// The person answered no.
    package static let declinedByPerson = APIError(code: .failed, sentence: "Nothing was changed.")

    package static let syncIsOff = APIError(
        code: .syncOff, sentence: "Sync is switched off on this computer.",
        hint: "Switch it on: peersync sync on")
}

/// Errors about the folder with all data.
extension APIError {
    package static func homeNotAFolder(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(path) cannot be peersync's folder.",
            hint: "Choose a folder of your own with --home.")
    }

    package static let noHomeFolder = APIError(
        code: .badInput, sentence: "Your home folder is not known here (HOME is not set).",
        hint: "Choose a folder with --home.")

    package static func homeCannotBeMade(_ path: String, reason: String) -> APIError {
        APIError(
            code: .failed, sentence: "The folder \(path) could not be made: \(reason)",
            hint: "Choose another folder with --home.")
    }

    package static func homeOfAnotherUser(_ path: String) -> APIError {
        APIError(
            code: .notAllowed, sentence: "The folder \(path) belongs to another user.",
            hint: "Choose a folder of your own with --home.")
    }

    package static func homeClosed(_ path: String) -> APIError {
        APIError(
            code: .notAllowed, sentence: "You may not look into the folder \(path).",
            hint: "Choose a folder of your own with --home.")
    }

    package static func homeTooOpen(_ path: String) -> APIError {
        APIError(
            code: .notAllowed, sentence: "Other users may look into the folder \(path).",
            hint: "Close it: chmod 700 \(Sentence.quoted(path))")
    }
}
