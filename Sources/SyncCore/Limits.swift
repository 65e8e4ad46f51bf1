/// Every limit of peersync, with its unit and its reason. Checked before anything is allocated.
package enum Limits {
    // MARK: Commits

    /// One commit, header and body; a larger one is refused when it is written.
    package static let commitBytes = 1 << 20
    /// Author logs of one device in one space: each restore of a backup starts one.
    package static let logsPerDevice = 64
    /// Links of a card's endorsement chain: devices of one person, each endorsed by the one before.
    package static let cardLinks = 16
    /// One serialized card with its chain.
    package static let cardBytes = 8 * 1024

    // MARK: Frames and sessions

    /// One frame's payload: a chunk of 1 MiB and its message around it.
    package static let frameBytes = (1 << 20) + 64 * 1024
    /// What one socket may send before it has authenticated.
    package static let unauthenticatedBytes = 16 * 1024
    /// Sockets that have not authenticated yet, all addresses together.
    package static let unauthenticatedSockets = 32
    /// Sockets that have not authenticated yet, from one address.
    package static let unauthenticatedSocketsPerAddress = 4
    /// Seconds a socket has to authenticate.
    package static let authenticationSeconds = 10
    /// Bytes waiting to be written, all peers together.
    package static let bufferedBytes = 64 << 20
    /// Bytes of commits in one batch.
    package static let commitBatchBytes = 256 * 1024

    // MARK: Blobs

    /// One chunk: the unit that is verified alone.
    package static let chunkBytes = 1 << 20
    /// Blobs below this size live in SQLite, larger ones in files.
    package static let smallBlobBytes = 64 * 1024
    /// Largest blob, 16 GiB: its list of chunk hashes (512 KiB) fits one frame.
    package static let blobBytes: UInt64 = 16 << 30
}

extension Limits {
    // MARK: Clocks

    /// How far a received time may move the local clock past its own wall clock.
    package static let clockLeadMilliseconds: UInt64 = 60_000
    /// Commits further ahead than this are applied and flagged.
    package static let clockSkewMilliseconds: UInt64 = 300_000
}

extension Limits {
    // MARK: Messages

    /// Entries of a list in one message that is not a list of commits: spaces, log positions.
    package static let listEntries = 16_384
    /// Blob ids that one Holdings message lists.
    package static let holdingsMissing = 4096
    /// UTF-8 bytes of a name or title in a message.
    package static let nameBytes = 256
    /// Operations and facts in one commit; a commit is at most 1 MiB anyway.
    package static let operationsPerCommit = 65_536
}
