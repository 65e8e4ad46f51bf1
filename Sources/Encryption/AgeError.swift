internal import SyncCore

/// Why an age file could not be opened: the outcome classes of the format's test vectors.
package enum AgeError: Error, Equatable, Sendable {
    /// The header is not one of age version 1, or is longer than `Limits.ageHeaderBytes`.
    case malformedHeader
    /// None of the identities opens the file.
    case noMatch
    /// An identity fits and the header was changed after it was written.
    case wrongHeaderCode
    /// The payload is cut off, changed, or goes on after its end.
    case damagedPayload
    /// A text is no age recipient or identity.
    case malformedKey
}

extension Limits {
    /// Bytes of an age file's header: it is read whole before anything is believed; a thousand
    /// recipients are 100 kB.
    static let ageHeaderBytes = 1 << 20
    /// Plaintext bytes of a chunk of an age file, by the format.
    static let ageChunkBytes = 64 * 1024
    /// Chunks that one core takes at a time, 1 MiB: enough work to be worth handing over, little enough for
    /// its cache, and as much as the input may have to compare with a hash.
    static let ageChunksAtOnce = chunkBytes / ageChunkBytes
    /// Pieces of such work that are begun before their turn: enough that no core waits, few enough that
    /// memory stays bounded.
    static let ageWorkAhead: UInt64 = 4
}
