/// Errors about the agent itself: its home, its store, its network, its pairing.
extension APIError {
    package static func storeBroken(_ reason: String) -> APIError {
        APIError(
            code: .failed, sentence: "The store could not be read or written: \(reason).",
            hint: "Nothing more is written until peersync is started again. Check the disk first.")
    }

    /// An own folder or file that is not there, or that this user may not use.
    package static func noAccess(_ path: String) -> APIError {
        APIError(
            code: .failed,
            sentence: """
                The files of this device cannot be read or written: peersync may not use \(path).
                """,
            hint: """
                Nothing is lost, and texts go on. Give yourself access again: \
                chmod u+rwX \(Sentence.quoted(path)), or: peersync doctor --repair
                """)
    }

    /// A call on an own file failed, and the next one may not.
    package static func fileFailed(_ reason: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "A file of this device could not be read or written: \(reason).",
            hint: "Check the disk, then try again.")
    }

    package static let doctorNotStarted = APIError(
        code: .notFound, sentence: "Nothing has been checked yet.",
        hint: "Begin with: peersync doctor")
}
