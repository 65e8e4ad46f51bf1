internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// The messages of pairing, the payload of a frame of kind 0 <-> values.
package struct PairingCodec: Sendable {
    /// The version of pairing, the only one so far.
    static let version: UInt32 = 1
    /// An uncompressed point of P-256: 0x04 and two coordinates (RFC 9382 section 4, SEC 1 2.3.3).
    private static let shareBytes = 65

    package init() {}

    /// The frame's payload. A name that is too long for a message is cut.
    package func encode(_ message: PairingMessage) -> [UInt8] {
        var encoded = Peersync_V1_PairingMessage()
        switch message {
        case .hello(let nameplate, let mine):
            encoded.hello.version = PairingCodec.version
            encoded.hello.nameplate = nameplate
            encoded.hello.mine = mine
        case .shareA(let pairingID, let share):
            encoded.shareA.pairingID = Data(pairingID.bytes)
            encoded.shareA.share = Data(share)
        case .shareB(let share, let confirmation):
            encoded.shareB.share = Data(share)
            encoded.shareB.confirmation = Data(confirmation.bytes)
        case .confirmationA(let confirmation):
            encoded.confirmationA.confirmation = Data(confirmation.bytes)
        case .introduction(let introduction):
            encoded.introduction = Peersync_V1_PairingIntroduction(introduction)
        case .decision(let accepted): encoded.decision.accepted = accepted
        case .endorsement(let endorsement):
            encoded.endorsement = Peersync_V1_PairingEndorsement(endorsement)
        case .stored: encoded.stored = Peersync_V1_PairingStored()
        case .refusal(let refusal): encoded.refusal.reason = .init(refusal)
        }
        return encoded.serialized
    }

    package func decode(_ payload: [UInt8]) throws(WireError) -> PairingMessage {
        guard payload.count <= Limits.unauthenticatedBytes else {
            throw .tooLong("pairing_message")
        }
        switch try Peersync_V1_PairingMessage(decoding: payload).message {
        case .hello(let hello):
            guard hello.version == PairingCodec.version else { throw .version(hello.version) }
            let nameplate = try hello.nameplate.atMost(Limits.nameBytes, "pairing_hello.nameplate")
            return .hello(nameplate: nameplate, mine: hello.mine)
        case .shareA(let message):
            return .shareA(
                pairingID: try message.pairingID.bytes16("pairing_share_a.pairing_id"),
                share: try share(message.share, "pairing_share_a.share"))
        case .shareB(let message):
            return .shareB(
                share: try share(message.share, "pairing_share_b.share"),
                confirmation: try message.confirmation.bytes32("pairing_share_b.confirmation"))
        case .confirmationA(let message):
            return .confirmationA(
                try message.confirmation.bytes32("pairing_confirmation_a.confirmation"))
        case .introduction(let introduction): return .introduction(try introduction.decoded())
        case .decision(let decision): return .decision(accepted: decision.accepted)
        case .endorsement(let endorsement): return .endorsement(try endorsement.decoded())
        case .stored: return .stored
        case .refusal(let refusal): return .refusal(try refusal.reason.decoded())
        case nil: throw .missing("pairing_message")
        }
    }

    /// Whether the bytes are a point is for the one who computes with it to check.
    private func share(_ data: Data, _ field: String) throws(WireError) -> [UInt8] {
        guard data.count == PairingCodec.shareBytes else { throw .wrongLength(field) }
        return [UInt8](data)
    }
}
