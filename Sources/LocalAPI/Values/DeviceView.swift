/// Another device this one knows.
package struct DeviceView: Codable, Sendable, Equatable {
    package let id: String
    package let shortID: String
    package let name: String
    package let person: Reference
    /// True for a further device of this person.
    package let mine: Bool
    /// True when paired directly, false when known through a common trip.
    package let paired: Bool
    package let connected: Bool
    package let state: SyncState
    package let lastSeen: Moment?
    /// When the last complete sync with it ended.
    package let lastSync: Moment?
    /// `host:port`, remembered and added ones, latest success first.
    package let addresses: [String]
    /// What it does not have yet and this device can send, as far as this device knows.
    package let waiting: WaitingCount
    /// What it does not have yet and other devices have to bring.
    package let elsewhere: WaitingCount
    /// Calls in vain since it was last reached.
    package let tries: TriesView?
    /// What keeps it away or wrong, most urgent first.
    package let problems: [ProblemView]

    package init(
        id: String, shortID: String, name: String, person: Reference, mine: Bool, paired: Bool,
        connected: Bool, state: SyncState, lastSeen: Moment?, lastSync: Moment?,
        addresses: [String], waiting: WaitingCount, elsewhere: WaitingCount = .nothing,
        tries: TriesView? = nil, problems: [ProblemView] = []
    ) {
        self.id = id
        self.shortID = shortID
        self.name = name
        self.person = person
        self.mine = mine
        self.paired = paired
        self.connected = connected
        self.state = state
        self.lastSeen = lastSeen
        self.lastSync = lastSync
        self.addresses = addresses
        self.waiting = waiting
        self.elsewhere = elsewhere
        self.tries = tries
        self.problems = problems
    }
}

/// How much waits.
package struct WaitingCount: Codable, Sendable, Hashable {
    /// Commits.
    package let changes: Int
    package let files: Int
    /// Bytes of those files.
    package let bytes: Int64

    package static let nothing = WaitingCount(changes: 0, files: 0, bytes: 0)

    package init(changes: Int, files: Int, bytes: Int64) {
        self.changes = changes
        self.files = files
        self.bytes = bytes
    }
}

/// A fixed address to try for a device.
package struct AddressDraft: Codable, Sendable, Hashable {
    /// `HOST` or `HOST:PORT`; IPv6 as `[2001:db8::1]:4827`.
    package let address: String

    package init(address: String) {
        self.address = address
    }
}
