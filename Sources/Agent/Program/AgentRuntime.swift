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
    private let loops = ServiceTasks<Loop>()
    package let exchanges: ExchangeWatch
    let runs: SyncRunRecorder
    /// The port that a long-running agent was last told to listen on, and whether a person set it;
    /// nil before.
    let wantedPort = Mutex<(port: UInt16, isSet: Bool)?>(nil)

    /// What runs as long as the agent.
    private enum Loop {
        case engine
        case files
        /// Reads how far sync is.
        case exchanges
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
    var backgroundWork: AgentWork { AgentWork(node, media, restart) }
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
        let work = WorkQueue(clock)
        let media = MediaLibrary(
            store: opened.store, files: try BlobFiles(root: home.blobDirectory),
            epochKeys: opened.epochKeys, lost: opened.lostDevices, loop: loop, work: work)
        let (node, outputs) = try AgentNode.make(
            of: opened, loop: loop, clock: clock, files: media, logger: logger
        ) { try AgentOutputs($0, media, Restart()) }
        pairing = try PairingService(node, outputs.network, outputs.endpoint)
        (self.node, self.outputs, self.media) = (node, outputs, media)
        self.start = start
        let runs = SyncRunRecorder(node)
        self.runs = runs
        let actions = AgentActions(node, outputs, syncs, runs, work)
        self.actions = actions
        let here = FilesSeenHere()
        let exchanges = ExchangeWatch(
            loop: loop, open: outputs.sessions.open, going: media.going, clock: clock, runs: runs
        ) { [node] space, lacking in
            node.reading("files not read", or: ([], 0)) {
                try node.sync.unneeded(in: lacking, of: space, here: here)
            }
        }
        self.exchanges = exchanges
        loops.run(.engine) { await loop.run(actions) }
        loops.run(.files) { await outputs.blobs.run() }
        loops.run(.exchanges) { await exchanges.run() }
        backgroundWork.begin(isLongRunning: start.isLongRunning)
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
        if isLongRunning {
            do {
                // Nothing waits for room yet: what does not fit is given up again.
                try ForgoneFiles(node).wantAgain()
            } catch {
                node.storage.notWritten("files given up not wanted again", error)
            }
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

    /// Leaves the network, makes pending writes durable and closes the store.
    package func close() async {
        let workEnded = backgroundWork.end()
        await leaveNetwork()
        await doctor.close()
        await workEnded()
        loops.cancel(.exchanges)
        await loops.ended(.exchanges)
        node.loop.finish()
        await loops.ended(.engine)
        outputs.errors.flush()
        // The loop's last writes are still running, and files may follow from them.
        await actions.drain()
        await runs.close()
        outputs.blobs.finish()
        await loops.ended(.files)
        node.peers.keepSyncs()
        do {
            try node.store.close()
        } catch {
            node.logger.note(
                .error, .store, "not closed", details: ["why": .reason(error)])
        }
    }
}
