import Discovery
package import Encryption
internal import Identity
import Journal
import LocalAPI
package import Logging
import Media
import Node
package import Records
package import Store
import SyncCore
internal import Synchronization
import Transport
internal import Wire

/// One opened agent: store, engine and, when it is wanted, network. The parts are started in the order
/// in which they depend on each other and ended in the opposite one.
package final class AgentRuntime: Sendable {
    package let node: AgentNode
    let sessions: SessionService
    package let network: NetworkService
    let pairing: PairingService
    package let syncs = SyncRequests()
    let files: BlobFiles
    let doctor = ExaminationTracker()
    /// Where the log goes; nil for a logger of somebody else.
    let log: LogOutput?
    let startedAt = ContinuousClock.now
    private let blobs: BlobService
    /// The engine's loop, and the files'.
    private let looping: Task<Void, Never>
    /// Ends this agent for another to start; nil where nobody would start one.
    private let ending = Mutex<(@Sendable () async -> Void)?>(nil)
    private let isEnding = Mutex(false)
    private let moving: Task<Void, Never>
    /// Looks once whether the files are as they were left.
    private let comparing: Task<Void, Never>?
    let exchanges: ExchangeWatch
    let runs: SyncRunRecorder
    private let watching: Task<Void, Never>
    /// Whether this is a long-running agent and not a command that opened the store.
    let isLongRunning: Bool

    /// Opens the home, making keys and store when there are none yet. Throws what the home, the
    /// keys or the store refuse.
    package init(
        _ home: AgentHome, isLongRunning: Bool, logger: Logger, log: LogOutput? = nil
    ) async throws {
        let (node, files, keys) = try AgentRuntime.open(home, logger)
        let (store, loop, clock, identity) = (node.store, node.loop, node.clock, node.identity)
        let endpoint = try AgentRuntime.endpoint(node, keys)
        sessions = SessionService(
            introduction: SessionService.Introduction(
                card: identity.unverifiedCard, agentVersion: ProgramVersion.text,
                listeningPort: 0),
            loop: loop, clock: clock, errors: node.errors, peers: node.peers,
            onPeer: { node.met($0) }, onEvent: { node.handle($0) })
        blobs = BlobService(
            store: store, files: files, loop: loop, clock: clock, sessions: sessions,
            device: identity.deviceID, logger: logger,
            notWritten: { node.notWritten("file not kept", $0, isAwaited: true) },
            stillFull: { node.noteDisk(isFull: true) },
            roomReturned: { node.noteDisk(isFull: false) },
            going: node.outgoingFiles)
        let relay = PairingRelay()
        network = NetworkService(
            NetworkService.Dependencies(
                endpoint: endpoint, sessions: sessions, loop: loop, clock: clock,
                logger: logger, peers: node.peers, addresses: { node.dialAddresses() },
                facts: { node.dialFacts(sessions: $0) },
                servePairing: { await relay.serve($0) }, memory: node.reachMemory))
        pairing = try PairingService(
            node: node, network: network, trust: node.trust, endpoint: endpoint, logger: logger)
        await relay.set(pairing)
        (self.node, self.files, self.log, self.isLongRunning) = (node, files, log, isLongRunning)
        let runs = SyncRunRecorder(node)
        self.runs = runs
        loop.start(
            EngineLoop.Parts(
                node: node, sessions: sessions, blobs: blobs, syncs: syncs, runs: runs,
                network: network))
        looping = Task { await loop.run() }
        moving = Task { [blobs] in await blobs.run() }
        // A command has no time for it.
        comparing = !isLongRunning ? nil : Task { await AgentRuntime.compare(files, node) }
        let exchanges = ExchangeWatch(
            loop: loop, open: sessions.open, going: node.outgoingFiles, clock: clock, runs: runs)
        self.exchanges = exchanges
        watching = Task { await exchanges.run() }
        try await begin(endpoint)
    }

    /// What comes before anybody asks for anything.
    private func begin(_ endpoint: Endpoint) async throws {
        let store = node.store
        setHooks(endpoint)
        if let rebuilt = store.rebuilt {
            node.logger.note(
                .error, .store, "made anew, as it was damaged", details: ["why": "\(rebuilt.copy)"])
            try await FileCheck.noteFiles(of: OpenStore(store, files, node.clock))
        }
        try store.placeBlobs(namedBy: node.identity.deviceID)
        node.take(try node.work.offers.begin())
        node.handle(.started)
    }

    /// What a home holds, before anything is made of the network.
    private static func open(
        _ home: AgentHome, _ logger: Logger
    ) throws -> (node: AgentNode, files: BlobFiles, keys: DeviceKeys) {
        let (store, schemas, epochKeys) = try openStore(home)
        _ = try store.remakeOutdated()
        let keys = try IdentityStore.keys(in: home, of: store)
        epochKeys.use(keys.device, agreementSecret: keys.agreementSecret)
        let identity = try IdentityStore.load(keys, from: store)
        try IdentityStore.mark(identity, home)
        let clock = AgentClock()
        let files = try BlobFiles(root: home.blobDirectory)
        let loop = EngineLoop(
            engine: Engine(device: identity.deviceID, person: identity.person), clock: clock)
        let node = try AgentNode(
            home: home, identity: identity, store: store, schemas: schemas,
            epochKeys: epochKeys, loop: loop, clock: clock,
            media: MediaLibrary(
                store: store, files: files, epochKeys: epochKeys, clock: clock, loop: loop),
            trust: TrustDirectory(), logger: logger)
        return (node, files, keys)
    }

    private static func endpoint(_ node: AgentNode, _ keys: DeviceKeys) throws -> Endpoint {
        let certificate = DeviceCertificate(keys: keys)
        return try Endpoint(
            identity: TLSIdentity(
                certificateDER: certificate.certificate,
                privateKeyPKCS8DER: certificate.privateKey),
            policy: node.trust, logger: node.logger, errors: node.errors)
    }

    /// Opens the store below a home that is this user's alone. Throws what the home or the store
    /// refuses, and ``AgentError/storeGone``.
    package static func openStore(
        _ home: AgentHome
    ) throws -> (SyncStore, SchemaCache, EpochKeyRing) {
        try home.prepare()
        let hasCard = home.isInitialised
        if hasCard, StoreExamination.isMissing(below: home.directory) { throw AgentError.storeGone }
        let lock = try StoreLock(home: home.directory)
        let schemas = try SchemaCache()
        let epochKeys = IdentityStore.epochKeys(in: home)
        var random = SystemRandomNumberGenerator()
        let store = try SyncStore(
            holding: lock, decoder: CommitCodec(epochKeys: epochKeys),
            verifier: CommitVerifier(), random: &random, schemas: { schemas.known($0) })
        // An empty store in its place would start from nothing, in the name of the same device.
        guard try !hasCard || IdentityStore.isKnown(in: store, or: home) else {
            try store.close()
            throw AgentError.storeGone
        }
        return (store, schemas, epochKeys)
    }

    private func setHooks(_ endpoint: Endpoint) {
        let (node, network, sessions, blobs) = (node, network, sessions, blobs)
        sessions.setOnBulkEnd { blobs.stopServing($0) }
        node.setHooks(
            AgentNode.Hooks(
                onTrustLost: {
                    let leaving = sessions.closeUntrusted { node.trust.admits($0, .session) }
                    endpoint.closeUntrusted(except: leaving)
                },
                send: { sessions.send($0, on: $1) },
                callAgain: { await network.trustChanged() },
                onIdentityChanged: { card in
                    sessions.setCard(card)
                    // Whoever is connected knows the card of before: all say hello anew.
                    sessions.closeAll(.shutdown)
                },
                onStorageFailed: { [self] in
                    if case .corrupt = node.store.writeFailure, startAnew(after: .zero) { return }
                    Task { await network.stop(.shutdown) }
                },
                onDiskFull: { sessions.setDiskFull($0) }, awaitRoom: { blobs.awaitRoom() }))
    }

    /// What ends this agent when the store has to be made anew.
    func setEnding(_ end: @escaping @Sendable () async -> Void) {
        ending.withLock { $0 = end }
    }

    /// Whether this agent ended, or is about to, for another to start.
    var isStartingAnew: Bool { isEnding.withLock { $0 } }

    /// Ends this agent, for the next one to make the store anew; false where there is none.
    @discardableResult
    func startAnew(after delay: Duration) -> Bool {
        guard let end = ending.withLock({ $0 }) else { return false }
        isEnding.withLock { $0 = true }
        Task {
            // Ended or not, it is over.
            try? await Task.sleep(for: delay)
            await end()
        }
        return true
    }

    /// Looks at the whole database once a day: what nobody reads can rot as well.
    private func examineDaily() async {
        let database = node.store.examination
        while true {
            do {
                try await Task.sleep(for: .seconds(Limits.examinationSeconds))
                let damage = try await Examination.blocking { try database.damage() }
                guard let first = damage.all.first else { continue }
                throw StoreError.corrupt(first)
            } catch is CancellationError {
                return
            } catch {
                node.logger.note(
                    .error, .store, "the database is damaged", details: ["why": .reason(error)])
                guard case StoreError.corrupt = error else { continue }
                node.store.requestRebuild()
                startAnew(after: .zero)
                return
            }
        }
    }

    private static func compare(_ files: BlobFiles, _ node: AgentNode) async {
        do {
            try await BlobLoss(store: node.store, loop: node.loop)
                .compare(
                    with: files, of: node.identity.deviceID, clock: node.clock, logger: node.logger)
        } catch {
            node.notWritten("files not compared", error)
        }
    }

    /// Listens, advertises and dials, unless sync is switched off.
    package func startNetwork(port: UInt16?, advertises: Bool) async throws {
        guard try isSyncOn() else { return }
        if let fault = node.storageFault { throw fault }
        let wanted = port ?? (isLongRunning ? Limits.defaultPort : 0)
        try await network.start(port: wanted, advertises: advertises)
    }

    func isSyncOn() throws -> Bool { try node.store.setting("sync") != "off" }

    /// Answers those who wait, says goodbye to peers and leaves the network.
    func leaveNetwork() async {
        syncs.close()
        exchanges.wakeAll()
        await pairing.close()
        await network.stop(.shutdown)
    }

    /// Examines the store while `body` runs.
    func examining(_ body: () async throws -> Void) async throws {
        let daily = Task { await examineDaily() }
        defer { daily.cancel() }
        try await body()
    }

    /// Leaves the network, lets what is under way become durable, closes the store.
    package func close() async {
        await leaveNetwork()
        await doctor.close()
        comparing?.cancel()
        await comparing?.value
        watching.cancel()
        await watching.value
        node.loop.finish()
        await looping.value
        node.errors.flush()
        // What the loop asked for last is still being stored, and files may follow from it.
        await node.loop.drain()
        await runs.close()
        blobs.finish()
        await moving.value
        do {
            try node.store.close()
        } catch {
            node.logger.note(
                .error, .store, "not closed", details: ["why": .reason(error)])
        }
    }
}

/// Lets the listener reach the pairing service, which needs the listener's network first.
actor PairingRelay {
    private var service: PairingService?

    func set(_ service: PairingService) {
        self.service = service
    }

    func serve(_ connection: Connection) async {
        await service?.serve(connection)
    }
}

extension Limits {
    /// Seconds between two looks at the whole database, a day: a big one takes seconds to read.
    static let examinationSeconds: Int64 = 86_400
    /// Seconds after which an agent whose store is damaged starts anew once more: a disk that damages
    /// each new store is not written to without end.
    static let startAnewSeconds: Int64 = 600
}
