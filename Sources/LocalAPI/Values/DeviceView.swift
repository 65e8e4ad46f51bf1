/// Another device this one knows. In JSON, the properties of its parts stand side by side.
@dynamicMemberLookup
package struct DeviceView: Codable, Sendable, Equatable {
    package let identity: Identity
    package let standing: Standing

    package init(_ identity: Identity, _ standing: Standing) {
        (self.identity, self.standing) = (identity, standing)
    }

    package init(from decoder: any Decoder) throws {
        identity = try Identity(from: decoder)
        standing = try Standing(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(inOneObject: identity, standing)
    }

    package subscript<Value>(dynamicMember path: KeyPath<Identity, Value>) -> Value {
        identity[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: KeyPath<Standing, Value>) -> Value {
        standing[keyPath: path]
    }
}

extension DeviceView {
    /// Its names, and why this device knows it.
    package struct Identity: Codable, Sendable, Equatable {
        package let id: String
        package let shortID: String
        package let name: String
        package let person: Reference
        /// True for a further device of this person.
        package let mine: Bool
        /// True when paired directly, false when known through a common trip.
        package let paired: Bool

        package init(
            id: String, shortID: String, name: String, person: Reference, mine: Bool, paired: Bool
        ) {
            (self.id, self.shortID, self.name) = (id, shortID, name)
            (self.person, self.mine, self.paired) = (person, mine, paired)
        }
    }

    /// How it is reached, and what waits for it.
    package struct Standing: Codable, Sendable, Equatable {
        package let connected: Bool
        /// Not connected itself, but another connected device is connected with it.
        package let reached: Bool
        package let state: SyncState
        package let lastSeen: Moment?
        /// When the last complete sync with it ended.
        package let lastSync: Moment?
        /// `host:port`, remembered and added ones, latest success first.
        package let addresses: [String]
        /// Items that it lacks and this device can send, as far as this device knows.
        package let waiting: WaitingCount
        /// Items that it lacks and other devices have to bring.
        package let elsewhere: WaitingCount
        /// Failed calls since it was last reached.
        package let tries: TriesView?
        /// Its problems, most urgent first.
        package let problems: [ProblemView]
        /// A device of the same name, and of a person of the same name, that was paired since this one was last
        /// seen: probably the same computer, set up again. For lists alone: it has no rights of this one.
        package let replacedBy: Reference?
        /// True when it answered and did not trust this device; else absent.
        package var refuses: Bool?

        package init(
            _ state: SyncState, connected: Bool, reached: Bool = false, lastSeen: Moment? = nil,
            lastSync: Moment? = nil, addresses: [String] = [], waiting: WaitingCount = .nothing,
            elsewhere: WaitingCount = .nothing, tries: TriesView? = nil,
            problems: [ProblemView] = [], replacedBy: Reference? = nil
        ) {
            (self.connected, self.reached, self.state) = (connected, reached, state)
            (self.lastSeen, self.lastSync, self.addresses) = (lastSeen, lastSync, addresses)
            (self.waiting, self.elsewhere, self.tries) = (waiting, elsewhere, tries)
            (self.problems, self.replacedBy) = (problems, replacedBy)
        }
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
        (self.changes, self.files, self.bytes) = (changes, files, bytes)
    }
}

/// A fixed address to try for a device.
package struct AddressDraft: Codable, Sendable, Hashable {
    /// `HOST` or `HOST:PORT`; IPv6 as `[2001:db8::1]:4827`.
    package let address: String

    package init(address: String) { self.address = address }
}
