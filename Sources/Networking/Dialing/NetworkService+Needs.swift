import Node
package import SyncCore
internal import Synchronization

/// The devices that this one needs a session with, as the engine says.
extension NetworkService {
    /// Connects with devices that have a file which nobody near has.
    package func seek(_ devices: Set<DeviceID>) {
        note(.sought(devices))
        dialDue()
    }

    /// From now on it needs these. The next call follows what was said last.
    package nonisolated func need(_ needed: NeededSessions) {
        self.needed.withLock { $0 = needed }
        Task { await dialNeeded() }
    }

    /// There is something new for these.
    package func hurry(_ devices: Set<DeviceID>) {
        note(.hurried(devices))
        dialNeeded()
    }

    /// Of few devices all are called anyway.
    private func dialNeeded() {
        if plan.isChoosing { dialDue() }
    }
}
