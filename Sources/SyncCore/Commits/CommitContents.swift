/// What is known here of the operations of a commit. A store keeps the numbers.
package enum CommitContents: UInt8, Hashable, Sendable {
    /// It has none.
    case none = 0
    case plain = 1
    /// They are sealed, and no key for them is here.
    case closed = 2
    /// They are sealed, and a key that is here opened them.
    case opened = 3
    /// They are sealed, and what the key opens are no operations: the commit counts for nothing.
    case broken = 4
    /// They were kept back, from who may only carry them: they are not sealed.
    case withheld = 5

    /// Of operations that nobody opened.
    init(isEmpty: Bool, in header: CommitHeader) {
        self = header.epoch != nil ? .closed : isEmpty ? .none : .plain
    }
}

/// What sealed bytes turn out to be under the keys that are here.
package enum Unsealed: Hashable, Sendable {
    case closed
    case broken
    /// Serialized operations.
    case opened([UInt8])
}

/// The secrets of epochs that this device has; Encryption implements it, so that neither the format of
/// commits nor the store need know of keys.
package protocol EpochKeyHolding: Sendable {
    /// Takes over the secrets in these facts of a commit that are for this device.
    func learn(_ facts: [MembershipFact], of commit: CommitID, in space: SpaceID)

    /// Whether the secret of an epoch is here.
    func holds(_ epoch: CommitID, in space: SpaceID) -> Bool

    /// Opens the sealed operations of the commit with this header.
    func open(_ sealed: [UInt8], of header: CommitHeader) -> Unsealed
}
