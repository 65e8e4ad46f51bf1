internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// Which blobs a device holds <-> bytes.
package struct HoldingsCodec: Sendable {
    package init() {}

    /// The bytes to sign, label ``Label/holdings``. Missing blobs beyond the list's limit are counted,
    /// not listed.
    package func encode(_ holdings: Holdings) -> [UInt8] {
        var message = Peersync_V1_Holdings()
        message.spaceID = Data(holdings.space.bytes)
        message.device = Data(holdings.device.bytes)
        message.counter = holdings.counter
        message.held = holdings.held
        let missing = holdings.missing.prefix(Limits.holdingsMissing)
        message.missing = missing.map { Data($0.bytes) }
        message.missingCount = holdings.missingCount
        message.missingBytes = holdings.missingBytes
        message.unwanted = missing.indices.filter { holdings.unwanted.contains(missing[$0]) }
            .map { UInt32($0) }
        return message.serialized
    }

    /// Decodes the signed bytes and its signature, as they came in a message or stand in the store.
    package func decode(
        _ bytes: [UInt8], signature: [UInt8]
    ) throws(WireError) -> UnverifiedHoldings {
        guard signature.count == Limits.signatureBytes else {
            throw .wrongLength("signed_holdings.signature")
        }
        let message = try Peersync_V1_Holdings(decoding: bytes)
        let missing = try message.missing.atMost(Limits.holdingsMissing, "holdings.missing")
        guard message.missingCount >= missing.count else {
            throw .contradiction("holdings.missing_count")
        }
        let blobs = try missing.map { blob throws(WireError) in
            try blob.identifier("holdings.missing") as BlobID
        }
        guard zip(message.unwanted, message.unwanted.dropFirst()).allSatisfy(<),
            message.unwanted.last.map({ $0 < blobs.count }) ?? true
        else { throw .contradiction("holdings.unwanted") }
        let holdings = Holdings(
            space: try message.spaceID.identifier("holdings.space_id"),
            device: try message.device.identifier("holdings.device"),
            counter: try message.counter.storable("holdings.counter"),
            held: try message.held.storable("holdings.held"),
            missing: blobs,
            missingCount: try message.missingCount.storable("holdings.missing_count"),
            missingBytes: try message.missingBytes.storable("holdings.missing_bytes"),
            unwanted: Set(message.unwanted.map { blobs[Int($0)] }))
        return UnverifiedHoldings(holdings, bytes: bytes, signature: signature)
    }
}
