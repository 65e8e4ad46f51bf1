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

/// This device as a node among others: its keys, its spaces, whom it trusts, writing.
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
    /// What this node wants done goes there; ``make(of:loop:clock:files:logger:outputs:)`` sets it before
    /// anybody else has the node.
    private let made = Mutex<(any NodeOutputs)?>(nil)
    /// What it decides; it is there once this is.
    let machine = Mutex<Node?>(nil)
    /// For what of it waits for its time, on the monotonic clock.
    let alarm = Mutex(Alarm())
    /// Counts what answers a recovery.
    let recoveryAnswers = Observable(0)
    /// What is known of the other devices.
    package let peers: PeerDirectory
    private let storage = Mutex(StorageState())

    /// Makes a node together with its outputs, which may need the node in turn.
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
        deviceClock = DeviceClock(latest: try store.latestClock(of: identity.deviceID)) {
            clock.wall
        }
        machine.withLock { $0 = Node(work) }
    }

    /// Nil only while they are made.
    var outputs: (any NodeOutputs)? { made.withLock { $0 } }

    /// Why nothing is written any more until the agent starts again; nil while all is well.
    package var storageFault: APIError? {
        let fault = store.writeFailure.map(ErrorSentence.of)
        return storage.withLock { $0.fault(ofStore: fault) }
    }

    /// Whether the disk was too full a moment ago; what was refused comes again by itself.
    package var isDiskFull: Bool { storage.withLock { $0.isFull } }

    /// Something could not be written. When that is for good, sync ends and status says why: what
    /// is not durable must not be acknowledged.
    /// `isAwaited` says that somebody looks already whether the disk has room again.
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

    /// While the disk is full, status says so, here and elsewhere.
    package func noteDisk(isFull: Bool) {
        act(on: storage.withLock { $0.noted(isFull: isFull) })
    }

    /// What was not kept comes again, and what was not written is written.
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

    /// A request failed: when because nothing can be written any more, sync ends as well.
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

    /// What the engine asks for and this device writes, without its queues.
    package var work: EngineWork {
        EngineWork(
            store: store, keys: identity.keys, epochKeys: epochKeys,
            journal: schemas.builtInPin, clock: deviceClock,
            // It is kept by what this keeps.
            memory: memory, names: { [weak self] in self?.personName($0) ?? "" },
            profile: { [weak self] in self?.profileOperations(in: $0) ?? [] },
            card: { [weak self] in self?.identity.unverifiedCard },
            random: {
                var random = SystemRandomNumberGenerator()
                return random.next()
            })
    }

    /// Logs what a piece of work had to say, and tells the engine and the others of it.
    package func adopt(_ done: EngineWork.Done) {
        note(done)
        for event in done.events { loop.post(event) }
        noteRights(done)
    }

    /// Others or this device changed who may do what.
    package func noteRights(_ done: EngineWork.Done) {
        if let space = done.membershipChanged { handle(.membershipChanged(space)) }
        for space in done.rightsWritten { handle(.rightsWritten(space)) }
        if let space = done.keysWanted { handle(.keysWanted(space)) }
    }

    /// Logs what a piece of work had to say; the events are the caller's to hand on.
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
            // The session ends for it, and that is the line about it; so for a false proof.
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

    /// Notes that a device holds the same now.
    package func noteSynced(_ device: DeviceID) {
        let now = clock.wall
        guard peers.update({ $0.synced(device, at: now) }) else { return }
        do {
            try store.markSynced(device, now: now)
        } catch {
            notWritten("sync not noted", error)
        }
    }

    /// Writes down what ``noteSynced(_:)`` kept in memory, before the store is closed.
    package func keepSyncs() {
        do {
            for (device, time) in peers.update({ $0.syncsToKeep() }) {
                try store.markSynced(device, now: time)
            }
        } catch {
            notWritten("sync not noted", error)
        }
    }
}

extension CardCodec: CardEncoding {}
