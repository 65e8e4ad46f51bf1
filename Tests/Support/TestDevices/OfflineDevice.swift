package import Device
import Dispatch
package import Files
package import Identity
import Journal
package import LocalAPI
import Logging
import Media
import Node
import Records
import Store
import SyncCore

/// A device that has records, a journal and files, but no part that knows of a network.
package struct OfflineDevice: TestedDevice {
    package let node: AgentNode
    package let media: MediaLibrary
    package let handlers: HandlerTable
    package let folder: String

    package static func live<Answer>(
        in folder: String, as person: String?, key: PersonKey,
        _ body: (OfflineDevice) async throws -> Answer
    ) async throws -> Answer {
        let (device, loop) = try OfflineDevice.opened(in: folder)
        let work = EngineWorkAlone(device.node)
        let looping = Task { await loop.run(work) }
        device.openBackground()
        let result: Result<Answer, any Error>
        do {
            try device.begin()
            if let person { try await make(person, key, in: device.node) }
            result = .success(try await body(device))
        } catch {
            result = .failure(error)
        }
        await device.media.work.close()()
        loop.finish()
        await looping.value
        await work.drain()
        try device.node.store.close()
        return try result.get()
    }

    private static func opened(in folder: String) throws -> (OfflineDevice, EngineLoop) {
        let home = try AgentHome.resolve(option: folder + "/home", environment: [:])
        let opened = try OpenedHome(opening: home, SchemaCache())
        let clock = AgentClock()
        let loop = EngineLoop(
            engine: Engine(device: opened.identity.deviceID, person: opened.identity.person),
            clock: clock)
        let media = MediaLibrary(
            store: opened.store, files: try BlobFiles(root: home.blobDirectory),
            epochKeys: opened.epochKeys, lost: opened.lostDevices, loop: loop,
            work: WorkQueue(clock))
        let (node, _) = try AgentNode.make(
            of: opened, loop: loop, clock: clock, files: media, logger: Logger(label: "test")
        ) { _ in NoOutputs() }
        var operations = OperationHandlers(node, media)
        operations.addTripHandlers()
        operations.addRecordHandlers()
        operations.addJournalHandlers()
        operations.addFileHandlers(node, media)
        let device = OfflineDevice(
            node: node, media: media, handlers: operations.table, folder: folder)
        return (device, loop)
    }

    /// From now on files are missed and found in the background, as any program does it that opens the store.
    private func openBackground() {
        media.work.open(
            [.missFiles, .findFiles], [],
            WorkQueue.Worker({ [node, media] work in
                switch work {
                case .missFiles(let blobs): try media.loss.report(blobs)
                case .findFiles(let blobs):
                    try await media.loss.findAgain(blobs.sorted(), now: node.clock.wall)
                case .settleDataSets, .compareFiles, .freeFiles, .examineDatabase: break
                }
            }) { [node] kind, error in node.storage.notWritten("\(kind.failure)", error) })
    }

    /// Begins as an agent does, but cleans nothing up.
    private func begin() throws {
        try node.store.files.place(namedBy: node.identity.deviceID)
        node.adopt(try node.work.spaces.begin())
        node.handle(.started)
    }
}

/// Carries out the engine's work on the store. No peer is there for the other actions.
private struct EngineWorkAlone: EngineActions {
    private let node: AgentNode
    private let queue = DispatchQueue(label: "peersync.test.work")

    init(_ node: AgentNode) { self.node = node }

    func perform(_ action: EngineAction) {
        queue.async {
            guard let done = node.work.perform(action) else { return }
            node.adopt(done)
            if let next = done.next { perform(next) }
        }
    }

    /// Returns when all requested work is done; call it once the loop has ended.
    func drain() async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }
}

/// What a node asks of a network, which is not there.
private struct NoOutputs: NodeOutputs {
    func send(_ message: PeerMessage, on session: SessionID) {}
    func end(_ session: SessionID) {}
    func closeUntrusted() {}
    func callAgain() async {}
    func identityChanged(_ card: UnverifiedCard) {}
    func storageFailed() {}
    func setDiskFull(_ isFull: Bool) {}
    func awaitRoom() {}
    func noteSilences() async {}
    func noteError(of device: DeviceID?, _ why: String, as event: String) {}
}
