import Identity
import SyncCore

/// An encoding for tests: fields behind their lengths, nothing clever.
struct PlainCardEncoding: CardEncoding {
    func encode(_ content: CardContent) -> [UInt8] {
        [1] + content.signingKey.bytes + content.agreementKey.bytes + content.personKey.bytes
    }

    func encode(links: [CardLink]) -> [UInt8] {
        links.flatMap { link in
            [link.encoded, link.selfSignature, link.endorsement].flatMap { part in
                [UInt8(truncatingIfNeeded: part.count >> 8), UInt8(truncatingIfNeeded: part.count)]
                    + part
            }
        }
    }
}
