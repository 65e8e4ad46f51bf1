/// Errors about the agent as a service.
extension APIError {
    private static let otherSupervisor: Message = tr(
        """
        'peersync run' in a terminal or under another supervisor: it stays in the foreground and \
        ends on SIGTERM.
        """)

    package static let noSystemd = APIError(
        code: .failed, sentence: "There is no systemd on this computer to run a service.",
        hint: "Run \(otherSupervisor)")

    package static func noUserManager(_ reason: String) -> APIError {
        APIError(
            code: .failed,
            sentence:
                "systemd runs no services for you in this session (\(Printable.line(reason))).",
            hint:
                "Log in as yourself, not with su or sudo, and try again. Or run \(otherSupervisor)"
        )
    }

    package static let noJournal = APIError(
        code: .failed, sentence: "There is no journalctl on this computer to read the logs with.",
        hint: "Run \(otherSupervisor)")

    package static func foreignUnit(_ path: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                The file \(Printable.line(path)) was not written by 'peersync service install', and \
                is left as it is.
                """,
            hint: "Move it away, then run 'peersync service install' again.")
    }

    package static func programUnfit(_ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "systemd cannot start a program with such a name: \(Printable.line(path))",
            hint: "Move it to a folder without quotes and backslashes in its name.")
    }
}
