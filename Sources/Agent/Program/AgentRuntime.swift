package import Device
import Doctor
package import Files
import Journal
import LocalAPI
package import Logging
import Media
package import Networking
import Node
import Records
package import Status
import Store
import SyncCore
internal import Synchronization
import Transport

/// One open agent: store, engine and, on request, network. The parts start in the order of their
/// dependencies and end in the opposite order.
package final class AgentRuntime: Sendable {
    package let node: AgentNode
    private let outputs: AgentOutputs
    private let actions: AgentActions
    let pairing: PairingService
    package let syncs = SyncRequests()
    package let media: MediaLibrary
    let doctor = ExaminationTracker()
    let start: AgentStart
    let startedAt = ContinuousClock.now
    private let tasks: Tasks
    package let exchanges: ExchangeWatch
    let runs: SyncRunRecorder
    /// Spaces of which others changed what was applied of data sets.
    let changedSets = Observable<Set<SpaceID>>([])
    /// The port that a long-running agent was last told to listen on, and whether a person set it;
    /// nil before.
    let wantedPort = Mutex<(port: UInt16, isSet: Bool)?>(nil)

    /// The tasks that run as long as the agent.
    private struct Tasks: Sendable {
        /// The loops of the engine and of the files.
        let looping: Task<Void, Never>
        let moving: Task<Void, Never>
        /// Looks whether the files are as they were left.
        let comparing: Task<Void, Never>?
        /// Reads how far sync is.
        let watching: Task<Void, Never>
    }

    var isLongRunning: Bool { start.isLongRunning }
    var sessions: SessionService { outputs.sessions }
    package var network: NetworkService { outputs.network }
    /// Ends this agent so that another one starts.
    var restart: Restart { outputs.restart }
    var status: StatusService {
        StatusService(node, network, sessions, media, runs, isLongRunning: isLongRunning)
    }
    var sync: SyncService { SyncService(node, network, sessions, syncs, exchanges) }
    /// This agent as the doctor sees it.
    var examined: RunningAgent {
        RunningAgent(
            status, files: media.files, startedAt: startedAt,
            logLines: { [log = start.log] in log?.recent.map(\.reported) ?? [] },
            restart: { [restart] in restart.begin(for: .damaged, after: $0) })
    }
    func reporter(to manager: ServiceNotifier) -> ServiceReporter {
        ServiceReporter(manager, node, network, exchanges.picture)
    }

    /// Opens the home, and creates keys and store if there are none. Throws the errors of the home,
    /// the keys and the store.
    package init(
        _ home: AgentHome, _ start: AgentStart, logger: Logger
    ) async throws {
        let opened = try OpenedHome(opening: home, SchemaCache())
        let clock = AgentClock()
        let loop = EngineLoop(
            engine: Engine(device: opened.identity.deviceID, person: opened.identity.person),
            clock: clock)
        let media = MediaLibrary(
            store: opened.store, files: try BlobFiles(root: home.blobDirectory),
            epochKeys: opened.epochKeys, lost: opened.lostDevices, clock: clock, loop: loop)
        let (node, outputs) = try AgentNode.make(
            of: opened, loop: loop, clock: clock, files: media, logger: logger
        ) { try AgentOutputs($0, media, Restart()) }
        pairing = try PairingService(node, outputs.network, outputs.endpoint)
        (self.node, self.outputs, self.media) = (node, outputs, media)
        self.start = start
        let runs = SyncRunRecorder(node)
        self.runs = runs
        let actions = AgentActions(node, outputs, syncs, runs, changedSets)
        self.actions = actions
        let exchanges = ExchangeWatch(
            loop: loop, open: outputs.sessions.open, going: media.going, clock: clock, runs: runs)
        self.exchanges = exchanges
        tasks = Tasks(
            looping: Task { await loop.run(actions) }, moving: Task { await outputs.blobs.run() },
            // A command has no time for this.
            comparing: !start.isLongRunning
                ? nil : Task { await AgentRuntime.compare(media, node) },
            watching: Task { await exchanges.run() })
        do {
            try await begin()
        } catch {
            // The next attempt finds the store unlocked.
            await close()
            throw error
        }
    }

    /// The work at the start, before the first request.
    private func begin() async throws {
        let store = node.store
        try followLogLevel()
        if let rebuilt = store.rebuilt {
            node.logger.note(
                .error, .store, "made anew, as it was damaged", details: ["why": "\(rebuilt.copy)"])
        }
        try noteMove(of: store)
        guard !store.isOpenedForReading else {
            // It shows what it has. Once there is room another agent opens the store.
            if isLongRunning {
                node.logger.note(.warning, .store, "no room on the disk: opened for reading only")
            }
            node.adopt(try node.work.spaces.begin())
            node.handle(.started)
            node.storage.openedForReading()
            return
        }
        ArchiveService(node, media).removeParts()
        await noteFiles()
        try store.files.place(namedBy: node.identity.deviceID)
        node.adopt(try node.work.spaces.begin())
        node.handle(.started)
        do {
            // Nothing waits for room yet: what does not fit is given up again.
            try ForgoneFiles(node).wantAgain()
        } catch {
            node.storage.notWritten("files given up not wanted again", error)
        }
        do {
            try await UnfinishedImports(node).delete()
        } catch {
            node.storage.notWritten("unfinished import not deleted", error)
        }
    }

    /// The first program that opens a copied home says so, whichever it is: the store knows it only then. Status
    /// says it for some time. A command tells its person by ``OpenedAgent/notice``.
    private func noteMove(of store: SyncStore) throws {
        let level: Logger.Level = isLongRunning ? .warning : .info
        switch store.opening.newBecause {
        case .machineChanged:
            node.logger.note(
                level, .store,
                "this data folder was written by another computer before: it goes on in a new log")
        case .fileReplaced:
            node.logger.note(
                level, .store,
                "another database file than before, a copy or from a backup: it goes on in a new log"
            )
        case .firstOpening, nil: return
        }
        try store.settings.set(DeviceSetting.copied, to: String(node.clock.wall.value))
    }

    /// Finds files that a rebuilt store waits for. An earlier opening may have rebuilt it, and have ended before
    /// this was done.
    private func noteFiles() async {
        do {
            guard try node.store.rebuiltFiles.areUnnoted else { return }
            try await FileCheck.noteFiles(of: OpenStore(node.store, media.files, node.clock))
            try node.store.rebuiltFiles.setNoted()
        } catch {
            // The next opening tries again; until then other devices send them.
            node.storage.notWritten("files of a rebuilt store not found", error)
        }
    }

    /// Examines the whole database once a day: pages that are never read can rot as well.
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
                restart.begin(for: .damaged)
                return
            }
        }
    }

    /// At the start, and then slowly from time to time.
    private static func compare(_ media: MediaLibrary, _ node: AgentNode) async {
        media.fileFinder.watch.begin()
        let loss = media.loss
        var pause = Duration.zero
        while !Task.isCancelled {
            do {
                try await loss.compare(clock: node.clock, logger: node.logger, pausing: pause)
            } catch is CancellationError {
                return
            } catch {
                node.storage.notWritten("files not compared", error)
            }
            pause = .seconds(1)
            do {
                try await Task.sleep(for: .seconds(Limits.comparisonSeconds))
            } catch {
                return
            }
        }
    }

    /// Listens, advertises and dials, unless sync is off.
    package func startNetwork(advertises: Bool) async throws {
        guard try node.isSyncOn() else { return }
        if let fault = node.storage.fault {
            // The agent that starts once there is room listens.
            if isLongRunning, node.store.isOpenedForReading { return }
            throw fault
        }
        guard await !network.isOn else { return }
        let stored = try node.store.settings.value(of: DeviceSetting.port).flatMap { UInt16($0) }
        let wanted = start.port ?? (isLongRunning ? stored ?? Limits.defaultPort : 0)
        if isLongRunning {
            wantedPort.withLock { $0 = (wanted, start.port == nil && stored != nil) }
        }
        try await network.start(port: wanted, advertises: advertises) { [pairing] in
            await pairing.serve($0)
        }
    }

    /// Turns sync on or off, now and from now on.
    func setSync(_ setting: SyncSetting) async throws -> SyncSwitched {
        try node.store.settings.set(DeviceSetting.sync, to: setting.enabled ? nil : "off")
        if !setting.enabled {
            await network.stop(.syncOff)
        } else if isLongRunning {
            try await startNetwork(advertises: true)
        }
        return SyncSwitched(enabled: setting.enabled, running: isLongRunning)
    }

    /// Answers those who wait, sends what peers lack, says goodbye to them and leaves the network.
    func leaveNetwork() async {
        syncs.close()
        exchanges.wakeAll()
        await pairing.close()
        // A command has waited for it already.
        if isLongRunning { await exchanges.sendRest() }
        exchanges.recordRest()
        await network.stop(.shutdown)
    }

    /// Examines the store while `body` runs.
    func examining(_ body: () async throws -> Void) async throws {
        let daily = Task { await examineDaily() }
        defer { daily.cancel() }
        try await body()
    }

    /// Leaves the network, makes pending writes durable and closes the store.
    package func close() async {
        await leaveNetwork()
        await doctor.close()
        tasks.comparing?.cancel()
        await tasks.comparing?.value
        tasks.watching.cancel()
        await tasks.watching.value
        node.loop.finish()
        await tasks.looping.value
        outputs.errors.flush()
        // The loop's last writes are still running, and files may follow from them.
        await actions.drain()
        await runs.close()
        outputs.blobs.finish()
        await tasks.moving.value
        node.peers.keepSyncs()
        do {
            try node.store.close()
        } catch {
            node.logger.note(
                .error, .store, "not closed", details: ["why": .reason(error)])
        }
    }
}

extension Limits {
    /// Seconds between two examinations of the whole database, one day: reading a big one takes
    /// seconds.
    static let examinationSeconds: Int64 = 86_400
    /// Seconds between two looks at the names and sizes of all files, an hour: 20,000 take two minutes of next to
    /// no work.
    static let comparisonSeconds: Int64 = 3_600
}
