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

    package static let journalFailed = APIError(
        code: .failed, sentence: "The journal could not be read.",
        hint: "journalctl says the reason above.")

    package static func serviceRefused(_ reason: String) -> APIError {
        APIError(
            code: .failed, sentence: "systemd did not do that: \(Printable.line(reason)).",
            hint: "See how the service is doing: peersync service status")
    }

    package static func agentOutsideService(process: Int32) -> APIError {
        APIError(
            code: .conflict,
            sentence: "An agent already runs outside of the service (process \(process)).",
            hint: """
                Stop it with Ctrl-C in its terminal, or with 'kill \(process)', then run \
                'peersync service install' again.
                """)
    }

    package static func serviceOfAnotherHome(_ home: String) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "The service is already installed for another folder (\(Printable.line(home))).",
            hint: "Remove it first: peersync service remove")
    }

    package static func foreignUnit(_ path: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                The file \(Printable.line(path)) was not written by 'peersync service install', and \
                is left as it is.
                """,
            hint: "Move it away, then run 'peersync service install' again.")
    }

    package static func unitNotWritten(_ path: String, reason: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "The file \(Printable.line(path)) could not be written: \(reason)",
            hint: "Nothing was started. Check who owns that folder.")
    }

    package static func programUnfit(_ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "systemd cannot start a program with such a name: \(Printable.line(path))",
            hint: "Move it to a folder without quotes and backslashes in its name.")
    }

    package static let programReplaced = APIError(
        code: .failed, sentence: "This program's file was replaced while it was running.",
        hint: "Run the command again.")

    package static func serviceDoesNotStart(_ failure: ServiceView.Failure) -> APIError {
        APIError(
            code: .failed,
            sentence: "The service is installed but does not start. \(failure.sentence)",
            hint: "\(failure.remedy)\nTo remove the service: peersync service remove")
    }

    package static let serviceIsSlow = APIError(
        code: .failed, sentence: "The service is installed and still starting after a minute.",
        hint: "See how far it is: peersync service status")
}
