package enum StatementKind {}
/// SHA-256 of `label ‖ 0 ‖ statement bytes`: what a person's key said in a space, or of lost devices.
package typealias StatementID = Identifier<StatementKind>

/// That the recovery key of a person is another one from now on. Both keys sign it.
package struct KeyExchange: Hashable, Sendable {
    /// The person's first key, of which their id is the hash.
    package var personKey: Bytes32
    package var oldKey: Bytes32
    package var newKey: Bytes32
    /// Statements of the old key that go on counting.
    package var upholds: [StatementID]
    /// Devices that the old key let in and that stay.
    package var keeps: [DeviceID]

    package init(
        personKey: Bytes32, oldKey: Bytes32, newKey: Bytes32, upholds: [StatementID],
        keeps: [DeviceID]
    ) {
        (self.personKey, self.oldKey, self.newKey) = (personKey, oldKey, newKey)
        (self.upholds, self.keeps) = (upholds, keeps)
    }

    package var person: PersonID { PersonID(key: personKey) }
}

/// One whose signatures nobody has checked yet.
package struct UnverifiedKeyExchange: Hashable, Sendable {
    package let said: KeyExchange
    /// What both signatures are over.
    package let bytes: [UInt8]
    package let oldSignature: [UInt8]
    package let newSignature: [UInt8]

    package init(
        _ said: KeyExchange, bytes: [UInt8], oldSignature: [UInt8], newSignature: [UInt8]
    ) {
        (self.said, self.bytes) = (said, bytes)
        (self.oldSignature, self.newSignature) = (oldSignature, newSignature)
    }
}

/// Which key of a person signed a statement.
package struct StatementKey: Hashable, Sendable {
    package let person: PersonID
    /// Nil: the first one.
    package let key: Bytes32?
    package let statement: StatementID

    package init(_ person: PersonID, key: Bytes32? = nil, statement: StatementID = .zero) {
        (self.person, self.key, self.statement) = (person, key, statement)
    }
}

/// The keys of people who exchanged theirs, and what counts of those that they had before.
package struct ExchangedKeys: Hashable, Sendable {
    private struct Current: Hashable {
        var key: Bytes32
        var upheld: Set<StatementID>
        /// Those that went before: none of them comes back.
        var former: Set<Bytes32>
    }

    private var current: [PersonID: Current] = [:]

    package init() {}

    package var isEmpty: Bool { current.isEmpty }

    /// The key of a person; nil for the first one.
    package func key(of person: PersonID) -> Bytes32? { current[person]?.key }

    /// Whether a key is the one that a person has now.
    package func isCurrent(_ key: Bytes32, of person: PersonID) -> Bool {
        current[person].map { $0.key == key } ?? (PersonID(key: key) == person)
    }

    package func allows(_ signed: StatementKey) -> Bool {
        guard let current = current[signed.person] else { return signed.key == nil }
        return signed.key == current.key || current.upheld.contains(signed.statement)
    }

    /// Whether a statement is of the key that a person has now.
    func isOfCurrent(_ signed: StatementKey) -> Bool { signed.key == key(of: signed.person) }

    /// Whether an exchange goes on from the key that its person has now, to one that they never had.
    package func mayFollow(_ exchange: KeyExchange) -> Bool {
        isCurrent(exchange.oldKey, of: exchange.person) && exchange.newKey != exchange.oldKey
            && current[exchange.person]?.former.contains(exchange.newKey) != true
    }

    package mutating func add(_ exchange: KeyExchange) {
        precondition(
            mayFollow(exchange), "a key is exchanged that \(exchange.person) does not have")
        let before = current[exchange.person]
        current[exchange.person] = Current(
            key: exchange.newKey, upheld: (before?.upheld ?? []).union(exchange.upholds),
            former: (before?.former ?? []).union([exchange.oldKey]))
    }
}

extension Limits {
    /// Statements of a key that go on counting once it is exchanged.
    package static let upheldStatements = 256
}
