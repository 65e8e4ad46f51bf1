package import Encryption
package import Identity
package import Logging
package import Node
package import Records
package import Store
package import SyncCore
internal import Synchronization
internal import Wire

/// This device as a node among others: its keys, its spaces, its trusted devices, its writing.
///
/// Reading never waits for the network; a write is durable when it returns, and is then pushed.
package final class AgentNode: Sendable {
    package let home: AgentHome
    package let store: SyncStore
    package let loop: EngineLoop
    package let clock: AgentClock
    package let schemas: SchemaCache
    /// The secrets of encrypted spaces.
    package let epochKeys: EpochKeyRing
    package let nameBook = NameBook()
    let files: any NodeFiles
    package let trust = TrustDirectory()
    package let logger: Logger
    private let author: CommitAuthor
    package let nodeLoop = NodeLoop()
    /// The receiver of this node's actions.
    let outputs = LateOutputs()
    /// What is known of the other devices.
    package let peers: PeerDirectory
    package let storage: StorageService

    /// Makes a node and its outputs, which may need the node in turn.
    package static func make<Outputs: NodeOutputs>(
        of home: OpenedHome, loop: EngineLoop, clock: AgentClock, files: any NodeFiles,
        logger: Logger, outputs: (AgentNode) throws -> Outputs
    ) throws -> (node: AgentNode, outputs: Outputs) {
        let node = try AgentNode(home, loop, clock, files, logger)
        let outputs = try outputs(node)
        node.outputs.set(outputs)
        return (node, outputs)
    }

    private init(
        _ opened: OpenedHome, _ loop: EngineLoop, _ clock: AgentClock, _ files: any NodeFiles,
        _ logger: Logger
    ) throws {
        (home, store, schemas) = (opened.home, opened.store, opened.schemas)
        (self.loop, self.clock, self.files, self.logger) = (loop, clock, files, logger)
        epochKeys = opened.epochKeys
        author = try CommitAuthor(opened, clock)
        storage = StorageService(store, outputs, logger)
        peers = PeerDirectory(clock, store, storage)
        nodeLoop.begin(work)
    }

    package func handle(_ event: Node.Event) { nodeLoop.handle(event, for: self) }

    /// Fetches again what could not be stored, and writes what could not be written.
    package func roomReturned() {
        storage.noteDisk(isFull: false)
        if store.isOpenedForReading { outputs.made?.storageFailed() }
        loop.post(.roomReturned)
        handle(.roomReturned)
    }

    /// Whether this device is to sync, as its person set it.
    package func isSyncOn() throws -> Bool {
        try store.settings.value(of: DeviceSetting.sync) != "off"
    }

    package var cardIssuer: CardIssuer { CardIssuer(encoding: CardCodec()) }

    package var identity: OwnIdentity { author.identity }

    package func setIdentity(_ identity: OwnIdentity) { author.set(identity) }

    /// The writing that the engine asks for, without its queues.
    package var work: EngineWork {
        EngineWork(
            store: store, keys: identity.keys, epochKeys: epochKeys,
            journal: schemas.builtInPin, clock: author.clock,
            // Weak, since this node owns it.
            memory: author.memory, names: { [weak self] in self?.names.person($0) ?? "" },
            profile: { [weak self] in self?.names.profiles(in: $0) ?? [] },
            card: { [weak self] in self?.identity.unverifiedCard },
            random: {
                var random = SystemRandomNumberGenerator()
                return random.next()
            })
    }

    /// Logs the results of a write, and passes them to the engine and to other devices. `device`
    /// sent the commits; nil if this one wrote them.
    package func adopt(_ done: EngineWork.Done, from device: DeviceID? = nil) {
        for note in done.notes { log(note, device) }
        for failure in done.failures {
            if failure.isWriting {
                storage.notWritten("\(failure.what)", failure.error)
            } else {
                logger.note(
                    .error, .store, "\(failure.what)", details: ["why": .reason(failure.error)])
            }
        }
        for event in done.events { loop.post(event) }
        for event in done.news { handle(event) }
    }

    private func log(_ note: EngineWork.Note, _ device: DeviceID?) {
        switch note {
        case .invalid(let commit):
            // The session ends because of it, and logs that itself; the same holds for a false
            // proof.
            logger.note(
                .debug, .sync, "commit does not verify", record: commit.logged, device: device)
        case .keyless(let commit):
            logger.note(
                .debug, .sync, "commit of an unknown device", record: commit.logged,
                device: device)
        case .refused(let refusal):
            if refusal.reason == .misbehaved(.beyondGrant) {
                peers.note(.wroteBeyondRights, of: refusal.log.device)
            }
            outputs.made?.noteError(
                of: device, "\(refusal.reason), commit \(refusal.commit.logged)",
                as: "commit refused")
        case .tooManyOffers(let device):
            outputs.made?.noteError(of: device, "too many offers", as: "peer error")
        case .newIncarnation:
            logger.note(.warning, .store, "restored store: writing goes on in a new log")
        case .forked(let log, let isOwn):
            logger.note(
                .warning, .store,
                isOwn
                    ? "this device wrote twice from one state: what it wrote does not count, a new log begins"
                    : "a device wrote twice from one state: what it wrote does not count",
                device: log.device, details: ["incarnation": "\(log.incarnation)"])
        case .falseProof(let log):
            logger.note(
                .debug, .sync, "a proof of a fork does not hold", device: device,
                details: ["of": "\(DeviceIDText.short(of: log.device))"])
        case .leftElsewhere(let space):
            logger.note(
                .warning, .spaces, "a space is left, as another device of this person left it",
                record: space.logged)
        case .offerTakenBack(let space):
            logger.note(.info, .spaces, "an invitation was taken back", record: space.logged)
        }
    }
}

extension CardCodec: CardEncoding {}
