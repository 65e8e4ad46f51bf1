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
        message.missing = holdings.missing.prefix(Limits.holdingsMissing).map { Data($0.bytes) }
        message.missingCount = holdings.missingCount
        message.missingBytes = holdings.missingBytes
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
        let holdings = Holdings(
            space: try message.spaceID.identifier("holdings.space_id"),
            device: try message.device.identifier("holdings.device"),
            counter: try message.counter.storable("holdings.counter"),
            held: try message.held.storable("holdings.held"),
            missing: try missing.map { blob throws(WireError) in
                try blob.identifier("holdings.missing")
            },
            missingCount: try message.missingCount.storable("holdings.missing_count"),
            missingBytes: try message.missingBytes.storable("holdings.missing_bytes"))
        return UnverifiedHoldings(holdings, bytes: bytes, signature: signature)
    }
}
