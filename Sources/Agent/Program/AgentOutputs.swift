import Device
import Files
import Identity
import Networking
import Node
import Store
import SyncCore
import Transport

/// The parts around the node that carry out its actions.
struct AgentOutputs: NodeOutputs {
    let sessions: SessionService
    let network: NetworkService
    let blobs: BlobService
    let endpoint: Endpoint
    /// The errors of peers.
    let errors: PeerErrorLog
    let restart: Restart
    private let node: AgentNode
    private let trust: TrustDirectory

    init(_ node: AgentNode, _ media: MediaLibrary, _ restart: Restart) throws {
        errors = PeerErrorLog(logger: node.logger)
        let certificate = DeviceCertificate(keys: node.identity.keys)
        endpoint = try Endpoint(
            identity: TLSIdentity(
                certificateDER: certificate.certificate,
                privateKeyPKCS8DER: certificate.privateKey),
            policy: node.trust, logger: node.logger, errors: errors)
        sessions = SessionService(node, errors)
        network = NetworkService(node, endpoint, sessions)
        blobs = BlobService(node, media, sessions)
        (self.node, trust, self.restart) = (node, node.trust, restart)
    }

    func send(_ message: PeerMessage, on session: SessionID) { sessions.send(message, on: session) }

    func end(_ session: SessionID) { sessions.close(session, .misbehaved) }

    func closeUntrusted() {
        let leaving = sessions.closeUntrusted { trust.admits($0, .session) }
        endpoint.closeUntrusted(except: leaving)
    }

    func callAgain() async { await network.trustChanged() }

    func identityChanged(_ card: UnverifiedCard) {
        sessions.setCard(card)
        // Connected peers have the old card: all say hello again.
        sessions.closeAll(.shutdown)
    }

    func storageFailed() {
        let isOpenedAgain =
            switch node.store.writeFailure {
            case .corrupt: restart.begin(for: .damaged)
            case _ where node.store.isOpenedForReading:
                !node.storage.isFull && restart.begin(for: .roomReturned)
            default: false
            }
        if isOpenedAgain { return }
        Task { [network] in await network.stop(.shutdown) }
    }

    func setDiskFull(_ isFull: Bool) { sessions.setDiskFull(isFull) }

    func awaitRoom() { blobs.awaitRoom() }

    func noteSilences() async { await sessions.noteSilences() }

    func noteError(of device: DeviceID?, _ why: String, as event: String) {
        errors.note(device, why, as: event)
    }
}

extension SessionService: BlobConnections {}
