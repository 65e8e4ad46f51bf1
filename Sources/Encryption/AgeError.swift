internal import SyncCore

/// Why an age file could not be opened: the outcomes that the format's test vectors name.
package enum AgeError: Error, Equatable, Sendable {
    /// The header is not one of age version 1, or is longer than `Limits.ageHeaderBytes`.
    case malformedHeader
    /// None of the identities opens the file.
    case noMatch
    /// An identity fits, but the header was changed after it was written.
    case wrongHeaderCode
    /// The payload is cut off, changed, or goes on after its end.
    case damagedPayload
    /// A text is no age recipient or identity.
    case malformedKey
}

extension Limits {
    /// Bytes of an age file's header, which is read whole before it is verified; a thousand recipients take
    /// 100 kB.
    static let ageHeaderBytes = 1 << 20
    /// Plaintext bytes of a chunk of an age file, by the format.
    static let ageChunkBytes = 64 * 1024
    /// Chunks that a core processes at a time, 1 MiB: enough to be worth a task, small enough for its
    /// cache, and as much as an input may have to compare with a hash.
    static let ageChunksAtOnce = chunkBytes / ageChunkBytes
    /// Batches of chunks that are started ahead: enough to keep every core busy, few enough to bound
    /// memory.
    static let ageWorkAhead: UInt64 = 4
}
