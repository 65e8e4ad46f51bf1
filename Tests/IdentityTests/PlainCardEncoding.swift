import Identity
import SyncCore

/// An encoding for tests: fields behind their lengths, nothing clever.
struct PlainCardEncoding: CardEncoding {
    func encode(_ content: CardContent) -> [UInt8] {
        [1] + content.signingKey.bytes + content.agreementKey.bytes + content.personKey.bytes
    }

    func encode(links: [CardLink], successions: [KeySuccession]) -> [UInt8] {
        let parts =
            links.flatMap { [$0.encoded, $0.selfSignature, $0.endorsement] }
            + successions.flatMap { [$0.key.bytes, $0.signature] }
        return parts.flatMap { part in
            [UInt8(truncatingIfNeeded: part.count >> 8), UInt8(truncatingIfNeeded: part.count)]
                + part
        }
    }
}
