import LocalAPI

extension ServiceFailure {
    static var seeLogs: String { tr("See what it said last: peersync service logs") }

    /// `told` is the agent's own last text.
    func view(of program: String, told: ServiceView.Failure?) -> ServiceView.Failure {
        switch self {
        case .exit, .tooOften:
            if let told { return told }
            return ServiceView.Failure(sentence: sentence(program), remedy: Self.seeLogs)
        case .noProgram:
            return ServiceView.Failure(
                sentence: sentence(program),
                remedy: tr("Install the service again with the program where it is now."))
        case .noCredentials:
            return ServiceView.Failure(
                sentence: sentence(program),
                remedy: tr("Check the LoadCredential lines: systemctl --user cat peersync"))
        case .hung, .signal, .timeout:
            return ServiceView.Failure(
                sentence: sentence(program),
                remedy: tr(
                    """
                    If it happens again, write a report: peersync doctor --report FILE
                    """))
        case .outOfMemory, .other:
            return ServiceView.Failure(sentence: sentence(program), remedy: Self.seeLogs)
        }
    }

    private func sentence(_ program: String) -> String {
        switch self {
        case .hung: tr("The agent stopped answering and was ended.")
        case .exit(let code): tr("The agent ended with exit code \(code).")
        case .signal(let number): tr("The agent was ended by signal \(number).")
        case .noProgram: tr("The program \(Printable.line(program)) cannot be started.")
        case .noCredentials:
            tr("systemd cannot give the agent its keys, a credential of the unit.")
        case .tooOften: tr("The agent failed too often in a row.")
        case .outOfMemory: tr("The computer had no memory left, and the agent was ended.")
        case .timeout: tr("The agent did not start or stop in time and was ended.")
        case .other(let reason): tr("The agent failed (\(Printable.line(reason))).")
        }
    }
}
