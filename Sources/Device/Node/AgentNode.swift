package import Encryption
package import Identity
package import LocalAPI
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
    package let cardIssuer = CardIssuer(encoding: CardCodec())
    private let identityState: Mutex<OwnIdentity>
    private let deviceClock: DeviceClock
    private let memory: WorkMemory
    /// The receiver of this node's actions; ``make(of:loop:clock:files:logger:outputs:)`` sets it
    /// before anybody else has the node.
    private let made = Mutex<(any NodeOutputs)?>(nil)
    /// The machine that decides; set before the node is used.
    let machine = Mutex<Node?>(nil)
    /// The alarm for the machine's work that waits for its time, on the monotonic clock.
    let alarm = Mutex(Alarm())
    /// Counts the answers to a recovery request.
    let recoveryAnswers = Observable(0)
    /// What is known of the other devices.
    package let peers: PeerDirectory
    private let storage = Mutex(StorageState())

    /// Makes a node and its outputs, which may need the node in turn.
    package static func make<Outputs: NodeOutputs>(
        of home: OpenedHome, loop: EngineLoop, clock: AgentClock, files: any NodeFiles,
        logger: Logger, outputs: (AgentNode) throws -> Outputs
    ) throws -> (node: AgentNode, outputs: Outputs) {
        let node = try AgentNode(home, loop, clock, files, logger)
        let outputs = try outputs(node)
        node.made.withLock { $0 = outputs }
        return (node, outputs)
    }

    private init(
        _ opened: OpenedHome, _ loop: EngineLoop, _ clock: AgentClock, _ files: any NodeFiles,
        _ logger: Logger
    ) throws {
        (home, store, schemas) = (opened.home, opened.store, opened.schemas)
        (epochKeys, memory) = (opened.epochKeys, opened.memory)
        (self.loop, self.clock, self.files, self.logger) = (loop, clock, files, logger)
        peers = PeerDirectory(clock)
        let identity = opened.identity
        identityState = Mutex(identity)
        deviceClock = DeviceClock(latest: try store.log.latestClock(of: identity.deviceID)) {
            clock.wall
        }
        machine.withLock { $0 = Node(work) }
    }

    /// Nil only while the node is being made.
    var outputs: (any NodeOutputs)? { made.withLock { $0 } }

    /// Why nothing is written any more until the agent restarts; nil if all is well.
    package var storageFault: APIError? {
        let fault = store.writeFailure.map(ErrorSentence.of)
        return storage.withLock { $0.fault(ofStore: fault) }
    }

    /// Whether the disk was too full a moment ago; refused commits and files arrive again by
    /// themselves.
    package var isDiskFull: Bool { storage.withLock { $0.isFull } }

    /// A write failed. If the failure is permanent, sync ends and status says why: a peer must not
    /// get an acknowledgement for anything that is not durable. `isAwaited` says that somebody
    /// already checks whether the disk has room again.
    package func notWritten(_ what: Logger.Message, _ error: any Error, isAwaited: Bool = false) {
        logger.note(.error, .store, what, details: ["why": .reason(error)])
        let failure: StorageState.Failure =
            switch error {
            case let error as any DescribedError: error.storageFailure
            case StoreError.diskFull: .full
            default: .other
            }
        let fault = store.writeFailure.map(ErrorSentence.of)
        act(on: storage.withLock { $0.failed(failure, store: fault, isAwaited: isAwaited) })
    }

    /// While the disk is full, status says so on this device and on others.
    package func noteDisk(isFull: Bool) {
        act(on: storage.withLock { $0.noted(isFull: isFull) })
    }

    /// Fetches again what could not be stored, and writes what could not be written.
    package func roomReturned() {
        noteDisk(isFull: false)
        loop.post(.roomReturned)
        handle(.roomReturned)
    }

    private func act(on consequences: [StorageState.Consequence]) {
        for consequence in consequences {
            switch consequence {
            case .tellFull(let isFull): outputs?.setDiskFull(isFull)
            case .awaitRoom: outputs?.awaitRoom()
            case .endSync(let fault):
                logger.note(.critical, .store, "sync ends", details: ["why": "\(fault.sentence)"])
                outputs?.storageFailed()
            }
        }
    }

    /// A request failed: if nothing can be written any more, sync ends as well.
    package func noteFailure(_ error: any Error) {
        switch error {
        case let error as any DescribedError:
            if case .other = error.storageFailure { return }
            notWritten("file not kept", error)
        case is StoreError where store.writeFailure != nil:
            notWritten("request not carried out", error)
        default: break
        }
    }

    package var identity: OwnIdentity { identityState.withLock { $0 } }

    package func setIdentity(_ identity: OwnIdentity) {
        identityState.withLock { $0 = identity }
    }

    /// The writing that the engine asks for, without its queues.
    package var work: EngineWork {
        EngineWork(
            store: store, keys: identity.keys, epochKeys: epochKeys,
            journal: schemas.builtInPin, clock: deviceClock,
            // Weak, since this node owns it.
            memory: memory, names: { [weak self] in self?.personName($0) ?? "" },
            profile: { [weak self] in self?.profileOperations(in: $0) ?? [] },
            card: { [weak self] in self?.identity.unverifiedCard },
            random: {
                var random = SystemRandomNumberGenerator()
                return random.next()
            })
    }

    /// Logs the results of a write, and passes them to the engine and to other devices.
    package func adopt(_ done: EngineWork.Done) {
        note(done)
        for event in done.events { loop.post(event) }
        noteRights(done)
    }

    /// Another device or this one changed the rights in a space.
    package func noteRights(_ done: EngineWork.Done) {
        if let space = done.membershipChanged { handle(.membershipChanged(space)) }
        for space in done.rightsWritten { handle(.rightsWritten(space)) }
        if let space = done.keysWanted { handle(.keysWanted(space)) }
    }

    /// Logs the results of a write; the caller passes the events on.
    package func note(_ done: EngineWork.Done, from device: DeviceID? = nil) {
        for note in done.notes { log(note, device) }
        for failure in done.failures {
            if failure.isWriting {
                notWritten("\(failure.what)", failure.error)
            } else {
                logger.note(
                    .error, .store, "\(failure.what)", details: ["why": .reason(failure.error)])
            }
        }
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
            outputs?.noteError(
                of: device, "\(refusal.reason), commit \(refusal.commit.logged)",
                as: "commit refused")
        case .tooManyOffers(let device):
            outputs?.noteError(of: device, "too many offers", as: "peer error")
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
        }
    }

    /// Notes that a device now holds the same commits.
    package func noteSynced(_ device: DeviceID) {
        let now = clock.wall
        guard peers.update({ $0.synced(device, at: now) }) else { return }
        do {
            try store.devices.markSynced(device, now: now)
        } catch {
            notWritten("sync not noted", error)
        }
    }

    /// Writes down the notes that ``noteSynced(_:)`` kept in memory, before the store is closed.
    package func keepSyncs() {
        do {
            for (device, time) in peers.update({ $0.syncsToKeep() }) {
                try store.devices.markSynced(device, now: time)
            }
        } catch {
            notWritten("sync not noted", error)
        }
    }
}

extension CardCodec: CardEncoding {}
