extension Sentence {
    /// The words of `service`, and those of the agent for the service manager.
    package enum Service {
        // MARK: The agent's own line

        /// `port` is nil while nothing listens.
        package static func connected(_ devices: Int, inSync: Int, port: Int?) -> String {
            let place = port.map { tr("Listening on port \($0)") } ?? tr("Running")
            guard devices > 0 else { return tr("\(place), no other device connected.") }
            let sync =
                inSync == devices
                ? (devices == 1 ? tr("in sync") : tr("all in sync"))
                : (devices == 1 ? tr("not in sync yet") : tr("\(inSync) of them in sync"))
            return tr("\(place), \(count(devices, "device", "devices")) connected, \(sync).")
        }

        // MARK: Installing and removing

        package static func lingering(_ isOn: Bool) -> String {
            isOn
                ? tr(
                    """
                    Lingering is on: the service also runs while you are logged out, from the start of \
                    the computer.
                    """)
                : tr(
                    """
                    Lingering is off: the service ends when you log out and starts when you log in. \
                    To keep it running, from the start of the computer: loginctl enable-linger
                    """)
        }

        package static func removed(_ removal: ServiceRemoval) -> String {
            let done =
                removal.removed
                ? tr("The service is stopped and removed.") : tr("The service was not installed.")
            let left = removal.unitFileLeft.map { tr("The unit file \($0) stays: you wrote it.") }
            let data =
                tr(
                    "Your data stays in \(Printable.line(removal.home)). To sync again: peersync run"
                )
            return [done, left, data].compactMap(\.self).joined(separator: "\n")
        }

        // MARK: Status

        package static func state(_ view: ServiceView, since: String?) -> String {
            let since = since.map { tr(" since \($0)") } ?? ""
            switch view.state {
            case .running: return tr("running\(since)")
            case .starting: return tr("starting\(since)")
            case .stopping: return tr("stopping\(since)")
            case .retrying: return tr("failed\(since), starts again in a moment")
            case .failed: return tr("failed\(since), does not start again by itself")
            case .stopped: return view.installed ? tr("stopped") : tr("not installed")
            }
        }

        package static func starts(_ view: ServiceView) -> String {
            guard view.installed else { return tr("never; install it: peersync service install") }
            guard view.enabled else {
                return tr("not by itself; change that: peersync service install")
            }
            return view.lingering
                ? tr("with the computer (lingering is on)")
                : tr("with your session (lingering is off: loginctl enable-linger)")
        }

        package static func restarts(_ number: Int) -> String {
            number == 0
                ? tr("none")
                : tr(
                    "\(count(number, "restart", "restarts")) after failures: peersync service logs")
        }

        package static func answers(_ view: ServiceView) -> String {
            switch (view.agentAnswers, view.state) {
            case (true, .running): tr("answers")
            case (true, _): tr("answers, but is not this service: another 'peersync run'")
            case (false, .running): tr("does not answer; it is restarted if that lasts two minutes")
            case (false, _): tr("does not run")
            }
        }

        // MARK: Failures

        package static var seeLogs: String { tr("See what it said last: peersync service logs") }

        /// `told` is the agent's own last text.
        package static func failure(
            _ failure: ServiceFailure, program: String, told: ServiceView.Failure?
        ) -> ServiceView.Failure {
            switch failure {
            case .exit, .tooOften:
                if let told { return told }
                return ServiceView.Failure(sentence: sentence(failure, program), remedy: seeLogs)
            case .noProgram:
                return ServiceView.Failure(
                    sentence: sentence(failure, program),
                    remedy: tr("Install the service again with the program where it is now."))
            case .noCredentials:
                return ServiceView.Failure(
                    sentence: sentence(failure, program),
                    remedy: tr("Check the LoadCredential lines: systemctl --user cat peersync"))
            case .hung, .signal, .timeout:
                return ServiceView.Failure(
                    sentence: sentence(failure, program),
                    remedy: tr(
                        """
                        If it happens again, write a report: peersync doctor --report FILE
                        """))
            case .outOfMemory, .other:
                return ServiceView.Failure(sentence: sentence(failure, program), remedy: seeLogs)
            }
        }

        private static func sentence(_ failure: ServiceFailure, _ program: String) -> String {
            switch failure {
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
}
