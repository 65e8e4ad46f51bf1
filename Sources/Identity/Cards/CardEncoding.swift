package import SyncCore

/// Serializes cards. Wire has the real one; this target never sees protobuf.
package protocol CardEncoding: Sendable {
    /// A serialized Card: the bytes that its signatures are over.
    func encode(_ content: CardContent) -> [UInt8]
    /// A serialized CardChain of these links, in order; their own bytes go in unchanged.
    func encode(links: [CardLink], successions: [KeySuccession]) -> [UInt8]
}
