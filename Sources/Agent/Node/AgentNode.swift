package import Encryption
package import Identity
package import LocalAPI
internal import Logging
import Media
package import Node
package import Records
package import Store
import SyncCore
internal import Synchronization
import Transport
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
    let media: MediaLibrary
    let outgoingFiles = OutgoingFiles()
    let trust: TrustDirectory
    let logger: Logger
    /// What peers do wrong.
    let errors: PeerErrorLog
    package let cardIssuer = CardIssuer(encoding: CardCodec())
    private let identityState: Mutex<OwnIdentity>
    private let deviceClock: DeviceClock
    private let pendingKeys = PendingKeys()
    /// What others do when something changes here; set once by the agent.
    private let hooks = Mutex(Hooks())
    /// What it decides; it is there once this is.
    let machine = Mutex<Node?>(nil)
    /// For what of it waits for its time, on the monotonic clock.
    let alarm = Mutex(Alarm())
    /// Counts what answers a recovery.
    let recoveryAnswers = Observable(0)
    /// What is known of the other devices.
    package let peers: PeerDirectory
    private let storage = Mutex(StorageState())

    init(
        home: AgentHome, identity: OwnIdentity, store: SyncStore, schemas: SchemaCache,
        epochKeys: EpochKeyRing, loop: EngineLoop, clock: AgentClock, media: MediaLibrary,
        trust: TrustDirectory,
        logger: Logger
    ) throws {
        (self.home, self.store, self.schemas, self.loop) = (home, store, schemas, loop)
        (self.clock, self.media, self.trust, self.logger) = (clock, media, trust, logger)
        self.epochKeys = epochKeys
        errors = PeerErrorLog(logger: logger)
        peers = PeerDirectory(clock)
        identityState = Mutex(identity)
        deviceClock = DeviceClock(latest: try store.latestClock(of: identity.deviceID)) {
            clock.wall
        }
        machine.withLock { $0 = Node(work) }
    }

    struct Hooks: Sendable {
        /// Some devices are not trusted any more: their connections must end.
        var onTrustLost: @Sendable () -> Void = {}
        /// Something is said on a session.
        var send: @Sendable (PeerMessage, SessionID) -> Void = { _, _ in }
        /// There may be new devices to dial.
        var callAgain: @Sendable () async -> Void = {}
        /// This device shows another card from now on.
        var onIdentityChanged: @Sendable (UnverifiedCard) -> Void = { _ in }
        /// Nothing can be written any more: sync must end.
        var onStorageFailed: @Sendable () -> Void = {}
        /// The disk is full, or has room again.
        var onDiskFull: @Sendable (Bool) -> Void = { _ in }
        /// Somebody has to look whether there is room again.
        var awaitRoom: @Sendable () -> Void = {}
    }

    func setHooks(_ hooks: Hooks) {
        self.hooks.withLock { $0 = hooks }
    }

    func send(_ message: PeerMessage, on session: SessionID) {
        hooks.withLock { $0.send }(message, session)
    }
    func onTrustLost() { hooks.withLock { $0.onTrustLost }() }
    func callAgain() async { await hooks.withLock { $0.callAgain }() }
    func onIdentityChanged(_ card: UnverifiedCard) {
        hooks.withLock { $0.onIdentityChanged }(card)
    }

    /// Why nothing is written any more until the agent starts again; nil while all is well.
    package var storageFault: APIError? {
        let fault = store.writeFailure.map(ErrorSentence.of)
        return storage.withLock { $0.fault(ofStore: fault) }
    }

    /// Whether the disk was too full a moment ago; what was refused comes again by itself.
    var isDiskFull: Bool { storage.withLock { $0.isFull } }

    /// Something could not be written. When that is for good, sync ends and status says why: what
    /// is not durable must not be acknowledged.
    /// `isAwaited` says that somebody looks already whether the disk has room again.
    func notWritten(_ what: Logger.Message, _ error: any Error, isAwaited: Bool = false) {
        logger.note(.error, .store, what, details: ["why": .reason(error)])
        let failure: StorageState.Failure =
            switch error {
            case BlobFilesError.syncFailed, MediaLibrary.Failure.files(_, .syncFailed):
                .broken(ErrorSentence.of(error))
            case StoreError.diskFull, BlobFilesError.diskFull,
                MediaLibrary.Failure.files(_, .diskFull):
                .full
            default: .other
            }
        let fault = store.writeFailure.map(ErrorSentence.of)
        act(on: storage.withLock { $0.failed(failure, store: fault, isAwaited: isAwaited) })
    }

    /// While the disk is full, status says so, here and elsewhere.
    func noteDisk(isFull: Bool) { act(on: storage.withLock { $0.noted(isFull: isFull) }) }

    private func act(on consequences: [StorageState.Consequence]) {
        for consequence in consequences {
            switch consequence {
            case .tellFull(let isFull): hooks.withLock { $0.onDiskFull }(isFull)
            case .awaitRoom: hooks.withLock { $0.awaitRoom }()
            case .endSync(let fault):
                logger.note(.critical, .store, "sync ends", details: ["why": "\(fault.sentence)"])
                hooks.withLock { $0.onStorageFailed }()
            }
        }
    }

    /// A request failed: when because nothing can be written any more, sync ends as well.
    func noteFailure(_ error: any Error) {
        switch error {
        case BlobFilesError.syncFailed, MediaLibrary.Failure.files(_, .syncFailed),
            BlobFilesError.diskFull, MediaLibrary.Failure.files(_, .diskFull):
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
            pendingKeys: pendingKeys, names: { [weak self] in self?.personName($0) ?? "" },
            card: { [weak self] in self?.identity.unverifiedCard },
            random: {
                var random = SystemRandomNumberGenerator()
                return random.next()
            })
    }

    /// Logs what a piece of work had to say, and tells the engine and the others of it.
    func take(_ done: EngineWork.Done) {
        note(done)
        for event in done.events { loop.post(event) }
        noteRights(done)
    }

    /// Others or this device changed who may do what.
    func noteRights(_ done: EngineWork.Done) {
        if let space = done.membershipChanged { handle(.membershipChanged(space)) }
        for space in done.rightsWritten { handle(.rightsWritten(space)) }
    }

    /// Logs what a piece of work had to say; the events are the caller's to hand on.
    func note(_ done: EngineWork.Done, from device: DeviceID? = nil) {
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
            errors.note(
                device, "\(refusal.reason), commit \(refusal.commit.logged)", as: "commit refused")
        case .tooManyOffers(let device):
            errors.note(device, "too many offers")
        case .newIncarnation:
            logger.note(.warning, .store, "restored store: writing goes on in a new log")
        case .forked(let log, let isOwn):
            logger.note(
                .warning, .store,
                isOwn
                    ? "this device wrote twice from one state: quarantined, a new log begins"
                    : "a device wrote twice from one state: quarantined",
                device: log.device, details: ["incarnation": "\(log.incarnation)"])
        case .falseProof(let log):
            logger.note(
                .debug, .sync, "a proof of a fork does not hold", device: device,
                details: ["of": "\(DeviceIDText.short(of: log.device))"])
        }
    }

    /// Notes that a device holds the same now.
    func noteSynced(_ device: DeviceID) {
        let now = clock.wall
        guard peers.update({ $0.synced(device, at: now) }) else { return }
        do {
            try store.markSynced(device, now: now)
        } catch {
            notWritten("sync not noted", error)
        }
    }
}

extension CardCodec: CardEncoding {}
