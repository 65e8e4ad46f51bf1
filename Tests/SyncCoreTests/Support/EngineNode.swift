import SyncCore
import TestKit

/// One device of a test world: an engine, a store per space, and the shell's work queues, each
/// carried out in its order but in any order among each other, as in the agent.
struct EngineNode {
    enum Work: CaseIterable {
        case verifying
        case storing
        case reading
        /// Reports of own writes on their way to the engine.
        case reporting
    }

    let device: TestDevice
    /// The log it writes to, in every space.
    var log: LogID
    var engine: Engine
    var stores: [SpaceID: MemoryStore] = [:]
    var acks: [SpaceID: [DeviceID: UnverifiedAck]] = [:]
    var queues: [Work: [EngineAction]] = [:]
    var reports: [ApplyReport] = []
    var finishedSyncs: Set<SyncRequestID> = []
    var offered: Set<SpaceID> = []
    var settled: Set<DeviceID> = []
    /// Whom it needs a session with, as its engine said last.
    var needed = NeededSessions()
    var counter: UInt64 = 0
    /// Commits in one loaded batch: small, so that windows and cursors matter.
    var pageLength: Int

    init(_ device: TestDevice, pageLength: Int = 3) {
        self.device = device
        log = device.log
        self.pageLength = pageLength
        engine = Engine(device: device.id, person: device.person)
    }

    var hasWork: Bool { !reports.isEmpty || queues.values.contains { !$0.isEmpty } }

    /// Leaves a log that forked, or that others know further.
    mutating func leave(_ log: LogID) {
        guard log == self.log else { return }
        counter += 1
        self.log = device.restored(device.id.value.bytes.reduce(counter << 16) { $0 &+ UInt64($1) })
    }

    mutating func nextCounter() -> UInt64 {
        counter += 1
        return counter
    }
}
