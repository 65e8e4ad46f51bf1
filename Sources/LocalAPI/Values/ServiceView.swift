/// How the agent is doing as a service of this person's systemd.
package struct ServiceView: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        case running
        case starting
        case stopping
        /// It failed and is tried again in a moment.
        case retrying
        /// It failed and is not tried any more.
        case failed
        case stopped
    }

    /// Why it failed last, and the remedy.
    package struct Failure: Codable, Sendable, Equatable {
        package let sentence: String
        package let remedy: String

        package init(sentence: String, remedy: String) {
            (self.sentence, self.remedy) = (sentence, remedy)
        }
    }

    /// Name of the unit.
    package var unit: String
    package var installed: Bool
    /// Where the unit's file is; absent when there is none.
    package var unitFile: String?
    /// Whether it starts with the person's session.
    package var enabled: Bool
    package var state: State
    /// Since when it is in this state.
    package var since: Moment?
    package var processID: Int32?
    /// The program that it starts.
    package var program: String?
    /// The folder with all data that it uses.
    package var home: String
    /// How often it was started again after a failure.
    package var restarts: Int
    /// Whether it runs without a session, too.
    package var lingering: Bool
    /// Whether commands reach an agent in that folder, be it this service or not.
    package var agentAnswers: Bool
    /// The agent's own status text, in one line.
    package var statusText: String?
    package var failure: Failure?

    package init(
        unit: String, installed: Bool, enabled: Bool, state: State, home: String, restarts: Int,
        lingering: Bool
    ) {
        (self.unit, self.installed, self.enabled, self.state) = (unit, installed, enabled, state)
        (self.home, self.restarts, self.lingering) = (home, restarts, lingering)
        agentAnswers = false
    }
}

/// The effects of `service remove`.
package struct ServiceRemoval: Codable, Sendable, Equatable {
    package let unit: String
    /// False when there was nothing to remove.
    package let removed: Bool
    /// A unit file that `service install` did not write, and that stays therefore.
    package let unitFileLeft: String?
    /// The folder with all data, which stays.
    package let home: String

    package init(unit: String, removed: Bool, unitFileLeft: String?, home: String) {
        (self.unit, self.removed) = (unit, removed)
        (self.unitFileLeft, self.home) = (unitFileLeft, home)
    }
}

/// Why a service is not running, as systemd tells it.
package enum ServiceFailure: Hashable, Sendable {
    /// No sign of life in the watchdog's time.
    case hung
    /// The program ended with this code.
    case exit(Int)
    /// A signal with this number ended it.
    case signal(Int)
    /// Its file is gone, or cannot be started.
    case noProgram
    /// The keys that the unit names as a credential could not be read or decrypted.
    case noCredentials
    /// It failed too often in a row, and is not started again.
    case tooOften
    case outOfMemory
    /// It did not end or start in the time that the unit gives.
    case timeout
    /// systemd's own word.
    case other(String)
}
