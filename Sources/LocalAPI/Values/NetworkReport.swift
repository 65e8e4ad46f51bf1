/// The findings of `peersync doctor network`.
package struct NetworkReport: Codable, Sendable, Equatable {
    /// The one sentence to read first.
    package let verdict: String
    /// In the order they were checked.
    package let findings: [Finding]

    package init(verdict: String, findings: [Finding]) {
        (self.verdict, self.findings) = (verdict, findings)
    }

    /// The result of one check.
    package struct Finding: Codable, Sendable, Equatable {
        package let check: Check
        package let level: Level
        /// The observation.
        package let sentence: String
        /// The remedy.
        package let remedy: String?

        package init(check: Check, level: Level, sentence: String, remedy: String?) {
            (self.check, self.level, self.sentence, self.remedy) = (check, level, sentence, remedy)
        }
    }

    /// The subject of a check.
    package enum Check: String, Codable, Sendable, CaseIterable {
        /// An interface with an address that is up.
        case network
        /// The Avahi daemon runs and answers.
        case avahi
        /// Our own announcement comes back, so multicast works on this computer.
        case multicast
        /// Others' announcements arrive.
        case announcements
        /// Announced devices accept connections: no firewall there, no client isolation.
        case reachable
        /// Our own port accepts connections: no firewall here.
        case listening
    }

    /// How bad it is.
    package enum Level: String, Codable, Sendable, CaseIterable {
        case ok
        case note
        case problem
        /// Not checked, because an earlier check already explains it.
        case skipped
    }
}
