/// A space that a person's recovery key can give a new device of that person.
package struct RecoveryOffer: Hashable, Sendable {
    package var space: SpaceID
    /// The grant to the person that the new one descends from.
    package var parent: FactReference
    package var flags: Permissions
    package var precedence: UInt32
    /// As people call it.
    package var title: String

    package init(
        space: SpaceID, parent: FactReference, flags: Permissions, precedence: UInt32,
        title: String
    ) {
        (self.space, self.parent, self.flags) = (space, parent, flags)
        (self.precedence, self.title) = (precedence, title)
    }

    /// What the signature of a ``PeerMessage/recoveryRequest(_:)`` is over.
    package static func requestBytes(by device: DeviceID, to other: DeviceID) -> [UInt8] {
        device.bytes + other.bytes
    }
}

extension Limits {
    /// Commits in one ``PeerMessage/taken(_:_:)``: one is enough to know.
    package static let takenCommits = 16
    /// Spaces that one recovery brings back through one device: more than a household has.
    package static let recoveredSpaces = 1024
}
