package enum LossKind {}
/// SHA-256 of `label ‖ 0 ‖ statement bytes`.
package typealias LossID = Identifier<LossKind>

/// That a device of a person is lost, or was found. A device of that person says it, or the person's key.
///
/// It changes nobody's rights in a space: people and programs act on it. What counts of several of them,
/// ``LostDevices`` decides.
package struct LossStatement: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// The device is lost. `upholds`: statements of it that count all the same. `keeps`: devices whose
        /// chain of cards runs through it and that are not lost with it.
        case lost(DeviceID, upholds: [LossID], keeps: [DeviceID])
        /// These statements are taken back.
        case found([LossID])
        /// The person's recovery key is another one.
        case exchanged(UnverifiedKeyExchange)
    }

    /// The person's first key, of which their id is the hash.
    package let personKey: Bytes32
    /// The key that says it, where that was exchanged; nil: the first one, or a device.
    package let key: Bytes32?
    /// Nil: the person's key.
    package let signer: DeviceID?
    /// To say the same again is another statement.
    package let nonce: Bytes16
    package let subject: Subject

    package init(
        personKey: Bytes32, key: Bytes32? = nil, signer: DeviceID?, nonce: Bytes16,
        subject: Subject
    ) {
        (self.personKey, self.key, self.signer) = (personKey, key, signer)
        (self.nonce, self.subject) = (nonce, subject)
    }

    package var person: PersonID { PersonID(key: personKey) }

    /// The device that is said to be lost.
    package var lost: DeviceID? {
        if case .lost(let device, _, _) = subject { device } else { nil }
    }

    /// The devices that came in through the lost one and are not lost with it.
    package var kept: [DeviceID] {
        if case .lost(_, _, let keeps) = subject { keeps } else { [] }
    }

    /// The statements that it takes back.
    package var takesBack: [LossID] {
        if case .found(let statements) = subject { statements } else { [] }
    }
}

/// A statement with signatures that nobody has checked yet.
package struct UnverifiedLossStatement: Hashable, Sendable {
    package let said: LossStatement
    /// The serialized statement, which the signature is over.
    package let bytes: [UInt8]
    package let signature: [UInt8]
    /// Of the device that signed it, and of the device that it is about; at most 2.
    package let cards: [UnverifiedCard]

    package init(
        _ said: LossStatement, bytes: [UInt8], signature: [UInt8], cards: [UnverifiedCard]
    ) {
        (self.said, self.bytes, self.signature, self.cards) = (said, bytes, signature, cards)
    }

    package var id: LossID { LossID(Label.lossStatement.hash(bytes)) }
}

/// A statement whose signatures hold, down from the person's key.
package struct VerifiedLossStatement: Hashable, Sendable {
    package let id: LossID
    package let said: LossStatement
    /// The chains of its cards, as devices.
    package let chains: [DeviceChain]

    /// For the code that has verified it, and for nobody else.
    package init(verified statement: UnverifiedLossStatement) {
        (id, said) = (statement.id, statement.said)
        chains = statement.cards.map(\.chain)
    }
}

/// The devices of a chain of cards, and the key that endorsed the first of them.
package struct DeviceChain: Hashable, Sendable {
    package let key: Bytes32
    package let devices: [DeviceID]

    package init(key: Bytes32, _ devices: [DeviceID]) {
        (self.key, self.devices) = (key, devices)
    }
}

extension UnverifiedCard {
    /// The devices of its links.
    package var chain: DeviceChain {
        DeviceChain(
            key: successions.last?.key ?? links.first?.content.personKey ?? .zero,
            links.map(\.content.device))
    }
}

extension Limits {
    /// Statements about lost devices of one person.
    package static let lossStatements = 256
    /// New ones that a session brings: twice what is kept of one person.
    package static let lossStatementsOfSession = 512
    /// Statements or devices that one of them names.
    package static let lossNames = 64
    /// Statements in one message: with the longest chains of cards they still fit a frame.
    package static let lossStatementsAtOnce = 32
}
