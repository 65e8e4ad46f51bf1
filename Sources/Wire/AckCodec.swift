internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// "I hold this space durably up to here" <-> bytes.
package struct AckCodec: Sendable {
    package init() {}

    /// The bytes to sign, label ``Label/acknowledgement``.
    package func encode(_ ack: Ack) -> [UInt8] {
        var message = Peersync_V1_Ack()
        message.spaceID = Data(ack.space.bytes)
        message.device = Data(ack.device.bytes)
        message.counter = ack.counter
        message.watermark = Array(ack.watermark.positions)
        return message.serialized
    }

    /// Decodes the signed bytes and its signature, as they came in a message or stand in the store.
    package func decode(_ bytes: [UInt8], signature: [UInt8]) throws(WireError) -> UnverifiedAck {
        guard signature.count == Limits.signatureBytes else {
            throw .wrongLength("signed_ack.signature")
        }
        let message = try Peersync_V1_Ack(decoding: bytes)
        let ack = Ack(
            space: try message.spaceID.identifier("ack.space_id"),
            device: try message.device.identifier("ack.device"),
            counter: try message.counter.storable("ack.counter"),
            watermark: Watermark(try message.watermark.decoded("ack.watermark")))
        return UnverifiedAck(ack, bytes: bytes, signature: signature)
    }
}
