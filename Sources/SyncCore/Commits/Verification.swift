/// Checks everything in a commit that needs a key; Identity implements it, off the engine's loop.
package protocol CommitVerifying: Sendable {
    /// The membership facts of a commit that was stored before, their own signatures checked again.
    /// `keys` gives the Ed25519 key of a device whose card was seen.
    func facts(of commit: UnverifiedCommit, keys: KeyDirectory) -> [MembershipFact]

    /// Checks both signatures of a proof that a log of the space forked; nil when it proves nothing,
    /// or when no card of the device was seen.
    func verify(_ fork: UnverifiedFork, in space: SpaceID, keys: KeyDirectory) -> VerifiedFork?

    /// Verifies signatures, hashes and cards of commits in causal order, learning the keys of devices
    /// from the cards they carry. Leaves out those of devices whose card was not seen, and stops
    /// before the first that does not hold.
    func verify(_ commits: [UnverifiedCommit], keys: KeyDirectory) -> VerifiedBatch
}

/// What verifying a batch of commits gave.
package struct VerifiedBatch: Sendable {
    /// Those that hold, in their order.
    package var commits: [VerifiedCommit] = []
    /// The keys known afterwards.
    package var keys: KeyDirectory
    /// The first of a device whose card was not seen. Nobody need have lied: the card may stand in
    /// a branch that is not here.
    package var keyless: CommitID?
    /// The first that does not hold.
    package var invalid: CommitID?

    package init(keys: KeyDirectory) { self.keys = keys }

    package var verdict: BatchVerdict {
        if invalid != nil { return .broken }
        return keyless == nil ? .sound : .keysMissing
    }
}

/// How a received batch of commits turned out.
package enum BatchVerdict: Hashable, Sendable {
    case sound
    /// Some are left out: the cards of their devices were not seen.
    case keysMissing
    /// One is invalid: its sender broke the protocol.
    case broken
}

/// The public keys of devices whose cards were seen. A device id is the hash of its key, so an entry
/// cannot be wrong.
package struct KeyDirectory: Sendable {
    private var keys: [DeviceID: Bytes32] = [:]

    package init() {}

    package var count: Int { keys.count }

    package mutating func add(_ signingKey: Bytes32) {
        keys[DeviceID(sha256(signingKey.bytes))] = signingKey
    }

    package mutating func add(_ card: UnverifiedCard) {
        for link in card.links {
            add(link.content.signingKey)
        }
    }

    package mutating func merge(_ other: KeyDirectory) {
        keys.merge(other.keys) { mine, _ in mine }
    }

    package subscript(device: DeviceID) -> Bytes32? { keys[device] }
}
