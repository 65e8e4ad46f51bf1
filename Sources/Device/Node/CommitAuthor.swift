internal import Node
internal import Store
internal import Synchronization

/// This device as the author of commits: its identity, its clock, and the memory of its writing.
final class CommitAuthor: Sendable {
    let clock: DeviceClock
    let memory: WorkMemory
    private let state: Mutex<OwnIdentity>

    init(_ opened: OpenedHome, _ wall: AgentClock) throws {
        let identity = opened.identity
        clock = try DeviceClock(of: identity.deviceID, in: opened.store) { wall.wall }
        memory = opened.memory
        state = Mutex(identity)
    }

    var identity: OwnIdentity { state.withLock { $0 } }

    func set(_ identity: OwnIdentity) { state.withLock { $0 = identity } }
}
