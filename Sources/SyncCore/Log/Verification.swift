/// Checks everything in a commit that needs a key; Identity implements it, off the engine's loop.
package protocol CommitVerifying: Sendable {
    /// The membership facts of a commit that was stored before, their own signatures checked again.
    /// `keys` gives the Ed25519 key of a device whose card was seen.
    func facts(of commit: UnverifiedCommit, keys: KeyDirectory) -> [MembershipFact]

    /// Checks both signatures of a proof that a log of the space forked; nil when it proves nothing,
    /// or when no card of the device was seen.
    func verify(
        _ fork: UnverifiedFork, in space: SpaceID, keys: KeyDirectory
    ) -> VerifiedFork?

    /// Verifies signatures, hashes and cards of commits in causal order, learning the keys of devices
    /// from the cards they carry. Stops before the first that does not hold.
    func verify(
        _ commits: [UnverifiedCommit], keys: KeyDirectory
    ) -> (verified: [VerifiedCommit], keys: KeyDirectory, failed: CommitID?)
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
