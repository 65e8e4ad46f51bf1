/// The host's request for a pairing code.
package struct PairingRequest: Codable, Sendable, Hashable {
    /// True for a link with address and secret instead of a code.
    package let asLink: Bool

    package init(asLink: Bool) { self.asLink = asLink }
}

/// The joining side's request.
package struct JoinRequest: Codable, Sendable, Hashable {
    /// `7-4827-1956`, also with spaces or without separators, or a `peersync:` link.
    package let codeOrLink: String
    /// True to become a further device of the host's person.
    package let mine: Bool
    /// `HOST` or `HOST:PORT` when the host cannot be found by itself.
    package let address: String?
    /// For `mine` on a device that has a person already: true once the person agreed to the consequences in
    /// `confirmationNeeded`.
    package let replacePerson: Bool

    package init(codeOrLink: String, mine: Bool, address: String?, replacePerson: Bool) {
        (self.codeOrLink, self.mine) = (codeOrLink, mine)
        (self.address, self.replacePerson) = (address, replacePerson)
    }
}

/// The person's answer to "is this the other side?".
package struct PairingDecision: Codable, Sendable, Hashable {
    package let accept: Bool

    package init(accept: Bool) { self.accept = accept }
}

/// The state of a pairing.
package struct PairingView: Codable, Sendable, Equatable {
    package let id: String
    /// Counts up with each change of this view.
    package let revision: Int
    package let phase: Phase
    /// The host's code as shown, `7-4827-1956`; `nil` for a link and on the joining side.
    package let code: String?
    /// The host's link; `nil` for a code and on the joining side.
    package let link: String?
    /// When code or link stop working; `nil` on the joining side.
    package let expires: Moment?
    /// `HOST:PORT` under which the host can be reached with `join --at`; `nil` on the joining side.
    package let addresses: [String]?
    /// Whether others find the host by themselves; `nil` on the joining side.
    package let discovery: NetworkStatus.Discovery?
    /// The command that lets others find the host; `nil` while they do.
    package let remedy: String?
    /// The person at the other end; known from phase `confirm` on.
    package let other: Other?
    /// Why it failed; present in phase `failed`.
    package let failure: APIError?

    /// How far it is.
    package enum Phase: String, Codable, Sendable, CaseIterable {
        /// The host waits for someone; the joining side looks for the host.
        case waiting
        /// Both talk; the code is being checked.
        case connected
        /// The code was right: each person now confirms the other's name.
        case confirm
        /// This side said yes and waits for the other.
        case confirmed
        /// Done: both devices have stored each other.
        case stored
        /// Over without a result.
        case failed
    }

    /// The other side, as it names itself.
    package struct Other: Codable, Sendable, Hashable {
        package let deviceID: String
        package let deviceName: String
        package let personName: String
        /// True when one of the two becomes a further device of the other's person.
        package let mine: Bool

        package init(deviceID: String, deviceName: String, personName: String, mine: Bool) {
            (self.deviceID, self.deviceName) = (deviceID, deviceName)
            (self.personName, self.mine) = (personName, mine)
        }
    }

    package init(
        id: String, revision: Int, phase: Phase, code: String? = nil, link: String? = nil,
        expires: Moment? = nil, addresses: [String]? = nil,
        discovery: NetworkStatus.Discovery? = nil, remedy: String? = nil, other: Other? = nil,
        failure: APIError? = nil
    ) {
        (self.id, self.revision, self.phase, self.code) = (id, revision, phase, code)
        (self.link, self.expires, self.addresses) = (link, expires, addresses)
        (self.discovery, self.remedy) = (discovery, remedy)
        (self.other, self.failure) = (other, failure)
    }
}
