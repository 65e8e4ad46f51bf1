/// Errors about the local connection and about requests as such.
extension APIError {
    /// A mistake in typed text, reported like one in an option.
    package static func mistyped(_ sentence: String) -> APIError {
        APIError(code: .badInput, sentence: Message(verbatim: sentence))
    }

    package static let agentWentAway = APIError(
        code: .noAgent, sentence: "The agent stopped before it answered.",
        hint: "Start it again, then repeat the command: \(Sentence.startAgent)")

    /// Of `undo` and `redo`: repeated after one that was done, they would change one thing more.
    package var ofUndo: APIError {
        guard self == .agentWentAway else { return self }
        return APIError(
            code: .noAgent, sentence: "The agent stopped before it answered.",
            hint: """
                Start it again: \(Sentence.startAgent). Then look whether it was done before you \
                repeat the command: peersync history
                """)
    }

    package static func strangeAnswer(detail: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "The running agent gave an answer that makes no sense (\(detail)).",
            hint:
                "Agent and command may be of different versions: stop the agent and start it again."
        )
    }

    package static func socketPathTooLong(_ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "The path of the agent's socket is too long for this system: \(path)",
            hint: "Choose a shorter folder with --home.")
    }

    package static let emptyName = APIError(
        code: .badInput, sentence: "The name is empty.",
        hint: "Give a name, or the first letters of an id.")

    package static func unreadableRequest(detail: String) -> APIError {
        APIError(code: .badInput, sentence: "The request could not be read: \(detail).")
    }

    package static let unknownRequest = APIError(
        code: .notFound, sentence: "The agent does not know this request.",
        hint: "It may be older than this command: stop the agent and start it again.")

    package static let requestTooLarge = APIError(
        code: .tooLarge, sentence: "That is too much for one request.",
        hint: "Shorten the text, or split it into several memories.")

    /// An unexpected failure.
    package static func unexpected(_ error: any Error) -> APIError {
        APIError(
            code: .failed, sentence: "Something went wrong inside peersync: \(error)",
            hint: "Try again; what was saved before is safe.")
    }

    package static let stopped = APIError(code: .failed, sentence: "Stopped.")

    package static func relativePath(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "The path \(path) does not start with a slash.",
            hint: "Programs must give the whole path.")
    }

    package static let diskFull = APIError(
        code: .failed, sentence: "The disk is full; nothing was changed.",
        hint: "Make room, then try again.")
}
