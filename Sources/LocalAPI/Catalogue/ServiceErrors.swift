/// Errors about the agent as a service.
extension APIError {
    package static let otherSupervisor: Message = tr(
        """
        'peersync run' in a terminal or under another supervisor: it stays in the foreground and \
        ends on SIGTERM.
        """)

    package static let noSystemd = APIError(
        code: .failed, sentence: "There is no systemd on this computer to run a service.",
        hint: "Run \(otherSupervisor)")

    package static let noJournal = APIError(
        code: .failed, sentence: "There is no journalctl on this computer to read the logs with.",
        hint: "Run \(otherSupervisor)")
}
