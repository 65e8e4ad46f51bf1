internal import Logging
package import Node
internal import Store
package import SyncCore
internal import Synchronization

/// The knowledge about other devices, shared by all parts that write or read it.
package final class PeerDirectory: Sendable {
    private let table = Mutex(PeerTable())
    private let clock: AgentClock
    private let store: SyncStore
    private let storage: StorageService

    init(_ clock: AgentClock, _ store: SyncStore, _ storage: StorageService) {
        (self.clock, self.store, self.storage) = (clock, store, storage)
    }

    package subscript(device: DeviceID) -> PeerTable.Peer { table.withLock { $0[device] } }

    var refusing: Set<DeviceID> { table.withLock { $0.refusing } }
    /// See ``PeerTable/silent(for:)``.
    func silent(for milliseconds: UInt64) -> Set<DeviceID> {
        table.withLock { $0.silent(for: milliseconds) }
    }
    package var isDiskFullHere: Bool { table.withLock { $0.isDiskFullHere } }

    @discardableResult
    package func update<Result: Sendable>(_ change: (inout PeerTable) -> Result) -> Result {
        table.withLock { change(&$0) }
    }

    package func note(_ misdeed: PeerTable.Misdeed, of device: DeviceID) {
        update { $0.note(misdeed, of: device, at: clock.now.monotonic) }
    }

    package func noteDisplaced(_ device: DeviceID, _ copy: PeerTable.Copy) {
        update { $0.displaced(device, copy, at: clock.now.monotonic) }
    }

    package func runsTwice(_ copy: PeerTable.Copy, _ device: DeviceID) -> Bool {
        self[device].runsTwice(copy, at: clock.now.monotonic)
    }

    /// Whether a device did so lately.
    package func did(_ misdeed: PeerTable.Misdeed, _ device: DeviceID) -> Bool {
        self[device].did(misdeed, at: clock.now.monotonic)
    }

    /// Notes that a device now holds the same commits, and whether something was exchanged since the last time.
    package func noteSynced(_ device: DeviceID, hasExchanged: Bool) {
        let now = clock.wall
        guard update({ $0.synced(device, at: now, hasExchanged: hasExchanged) }) else { return }
        do {
            try store.devices.markSynced(device, now: now)
        } catch {
            storage.notWritten("sync not noted", error)
        }
    }

    /// Writes down the notes that ``noteSynced(_:hasExchanged:)`` kept in memory, before the store is closed.
    package func keepSyncs() {
        do {
            for (device, time) in update({ $0.syncsToKeep() }) {
                try store.devices.markSynced(device, now: time)
            }
        } catch {
            storage.notWritten("sync not noted", error)
        }
    }
}
