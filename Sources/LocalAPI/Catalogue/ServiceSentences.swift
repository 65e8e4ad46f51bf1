extension Sentence {
    /// What `service` says, and what the agent tells the service manager of itself.
    package enum Service {
        // MARK: The agent's own line

        package static let notListening = "Sync is off: nothing listens, nothing is sent."
        package static let stopping = "Stopping: changes under way are being stored."
        package static let startingAnew = "The damaged store is being made again."

        /// `port` is nil while nothing listens.
        package static func connected(_ devices: Int, inSync: Int, port: Int?) -> String {
            let place = port.map { "Listening on port \($0)" } ?? "Running"
            guard devices > 0 else { return "\(place), no other device connected." }
            let sync =
                inSync == devices
                ? (devices == 1 ? "in sync" : "all in sync")
                : (devices == 1 ? "not in sync yet" : "\(inSync) of them in sync")
            return "\(place), \(count(devices, "device", "devices")) connected, \(sync)."
        }

        /// A file beside the place of the keys, for people who look for them.
        package static let offerMark =
            "This device's keys come from systemd, as the credential device.key.\n"

        // MARK: Installing and removing

        package static func installed(_ view: ServiceView) -> String {
            """
            The service runs. peersync now starts with your session and syncs in the background.
              program  \(Printable.line(view.program ?? ""))
              data     \(Printable.line(view.home))
            """
        }

        package static func lingering(_ isOn: Bool) -> String {
            isOn
                ? """
                Lingering is on: the service also runs while you are logged out, from the start of \
                the computer.
                """
                : """
                Lingering is off: the service ends when you log out and starts when you log in. \
                To keep it running, from the start of the computer: loginctl enable-linger
                """
        }

        package static func removed(_ removal: ServiceRemoval) -> String {
            let done =
                removal.removed
                ? "The service is stopped and removed." : "The service was not installed."
            let left = removal.unitFileLeft.map { "The unit file \($0) stays: you wrote it." }
            let data =
                "Your data stays in \(Printable.line(removal.home)). To sync again: peersync run"
            return [done, left, data].compactMap(\.self).joined(separator: "\n")
        }

        // MARK: Status

        package static func state(_ view: ServiceView, since: String?) -> String {
            let since = since.map { " since \($0)" } ?? ""
            switch view.state {
            case .running: return "running\(since)"
            case .starting: return "starting\(since)"
            case .stopping: return "stopping\(since)"
            case .retrying: return "failed\(since), starts again in a moment"
            case .failed: return "failed\(since), does not start again by itself"
            case .stopped: return view.installed ? "stopped" : "not installed"
            }
        }

        package static func starts(_ view: ServiceView) -> String {
            guard view.installed else { return "never; install it: peersync service install" }
            guard view.enabled else {
                return "not by itself; change that: peersync service install"
            }
            return view.lingering
                ? "with the computer (lingering is on)"
                : "with your session (lingering is off: loginctl enable-linger)"
        }

        package static func restarts(_ number: Int) -> String {
            number == 0
                ? "none"
                : "\(count(number, "restart", "restarts")) after failures: peersync service logs"
        }

        package static func answers(_ view: ServiceView) -> String {
            switch (view.agentAnswers, view.state) {
            case (true, .running): "answers"
            case (true, _): "answers, but is not this service: another 'peersync run'"
            case (false, .running): "does not answer; it is restarted if that lasts two minutes"
            case (false, _): "does not run"
            }
        }

        package static let noLines = "The journal has no such lines of the service."

        // MARK: Failures

        package static let seeLogs = "See what it said last: peersync service logs"

        package static let unitBroken = ServiceView.Failure(
            sentence: "systemd does not understand the unit file or one of its drop-ins.",
            remedy: "See which line: systemctl --user status peersync")

        /// `told` is what the agent itself said last.
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
                    remedy: "Install the service again with the program where it is now.")
            case .noCredentials:
                return ServiceView.Failure(
                    sentence: sentence(failure, program),
                    remedy: "Check the LoadCredential lines: systemctl --user cat peersync")
            case .hung, .signal, .timeout:
                return ServiceView.Failure(
                    sentence: sentence(failure, program),
                    remedy: """
                        If it happens again, write a report: peersync doctor --report FILE
                        """)
            case .outOfMemory, .other:
                return ServiceView.Failure(sentence: sentence(failure, program), remedy: seeLogs)
            }
        }

        private static func sentence(_ failure: ServiceFailure, _ program: String) -> String {
            switch failure {
            case .hung: "The agent stopped answering and was ended."
            case .exit(let code): "The agent ended with exit code \(code)."
            case .signal(let number): "The agent was ended by signal \(number)."
            case .noProgram: "The program \(Printable.line(program)) cannot be started."
            case .noCredentials: "systemd cannot give the agent its keys, a credential of the unit."
            case .tooOften: "The agent failed too often in a row."
            case .outOfMemory: "The computer had no memory left, and the agent was ended."
            case .timeout: "The agent did not start or stop in time and was ended."
            case .other(let reason): "The agent failed (\(Printable.line(reason)))."
            }
        }
    }
}
