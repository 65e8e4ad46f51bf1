/// Errors about setting up this computer.
extension APIError {
    package static let notInitialised = APIError(
        code: .notInitialised, sentence: "peersync is not set up on this computer yet.",
        hint: firstSteps)

    /// The ways to begin.
    package static let firstSteps: Message = tr(
        """
        The first step is one of these:

          peersync init             this is your first device
          peersync join --mine      you already use peersync on another device
          peersync restore FOLDER   you have a backup
          peersync recovery use     you have only your recovery key left
        """)

    package static func alreadyInitialised(home: String) -> APIError {
        APIError(
            code: .alreadyInitialised, sentence: "peersync is already set up here (\(home)).",
            hint: "See how it is doing: peersync status")
    }

    package static let syncIsOff = APIError(
        code: .syncOff, sentence: "Sync is switched off on this computer.",
        hint: "Switch it on: peersync sync on")
}

/// Errors about the folder with all data.
extension APIError {
    package static func homeOfAnotherUser(_ path: String) -> APIError {
        APIError(
            code: .notAllowed, sentence: "The folder \(path) belongs to another user.",
            hint: "Choose a folder of your own with --home.")
    }
}
