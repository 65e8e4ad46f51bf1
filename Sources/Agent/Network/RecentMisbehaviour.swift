import SyncCore
internal import Synchronization

/// Devices that did what no program of this kind does by mistake. People are told for a while, as nobody
/// else would see it.
final class RecentMisbehaviour: Sendable {
    private let clock: AgentClock
    /// When each last did so, on the monotonic clock.
    private let last = Mutex<[DeviceID: UInt64]>([:])

    init(_ clock: AgentClock) { self.clock = clock }

    func note(_ device: DeviceID) {
        last.withLock { $0[device] = clock.now.monotonic }
    }

    /// Whether a device did so lately.
    func contains(_ device: DeviceID) -> Bool {
        guard let last = last.withLock({ $0[device] }) else { return false }
        return clock.now.monotonic - last < Limits.misbehaviourToldMilliseconds
    }
}

extension Limits {
    /// How long a person is told of a device that wrote beyond its rights, or sent what was broken or
    /// changed, after it last did: its program tries again at every connection.
    package static let misbehaviourToldMilliseconds: UInt64 = 3_600_000
}
