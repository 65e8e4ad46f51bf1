internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

extension Peersync_V1_PairingIntroduction {
    init(_ introduction: PairingIntroduction) {
        self.init()
        if let card = introduction.card {
            self.card = Peersync_V1_CardChain(card)
        }
        personName = introduction.personName.clipped(to: Limits.nameBytes)
        deviceName = introduction.deviceName.clipped(to: Limits.nameBytes)
        if let request = introduction.request {
            self.request = Peersync_V1_CardLink(request)
        }
        listeningPort = UInt32(introduction.listeningPort)
    }

    func decoded() throws(WireError) -> PairingIntroduction {
        let field = "pairing_introduction"
        return PairingIntroduction(
            card: hasCard ? try card.decoded() : nil,
            request: hasRequest ? try request.decodedRequest() : nil,
            personName: try personName.atMost(Limits.nameBytes, "\(field).person_name"),
            deviceName: try deviceName.atMost(Limits.nameBytes, "\(field).device_name"),
            listeningPort: try listeningPort.port("\(field).listening_port"))
    }
}

extension Peersync_V1_PairingEndorsement {
    init(_ endorsement: PairingEndorsement) {
        self.init()
        card = Peersync_V1_CardChain(endorsement.card)
        homeSpace = Data(endorsement.homeSpace.bytes)
        personName = endorsement.personName.clipped(to: Limits.nameBytes)
    }

    func decoded() throws(WireError) -> PairingEndorsement {
        guard hasCard else { throw .missing("pairing_endorsement.card") }
        return PairingEndorsement(
            card: try card.decoded(),
            homeSpace: try homeSpace.identifier("pairing_endorsement.home_space"),
            personName: try personName.atMost(Limits.nameBytes, "pairing_endorsement.person_name"))
    }
}

extension Peersync_V1_PairingRefusalReason {
    init(_ refusal: PairingRefusal) {
        switch refusal {
        case .closed: self = .closed
        case .wrongCode: self = .wrongCode
        case .expired: self = .expired
        case .declined: self = .declined
        case .busy: self = .busy
        case .misbehaved: self = .protocol
        case .version: self = .version
        }
    }

    func decoded() throws(WireError) -> PairingRefusal {
        switch self {
        case .closed: return .closed
        case .wrongCode: return .wrongCode
        case .expired: return .expired
        case .declined: return .declined
        case .busy: return .busy
        case .protocol: return .misbehaved
        case .version: return .version
        case .unspecified: throw .unknownKind("pairing_refusal.reason")
        case .UNRECOGNIZED: throw .newerKind("pairing_refusal.reason")
        }
    }
}
