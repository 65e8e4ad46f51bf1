/// Commands that wait until this device and all connected ones hold the same.
package struct AwaitedSyncs: Sendable {
    /// The sessions that each waits for.
    private var requests: [SyncRequestID: Set<SessionID>] = [:]
    /// By connected device: the spaces that it and this device both held when blobs were last asked
    /// for.
    private var lastSharing: [DeviceID: Set<SpaceID>] = [:]

    package init() {}

    package var isEmpty: Bool { requests.isEmpty }

    package mutating func begin(_ request: SyncRequestID, with sessions: [SessionID]) {
        requests[request] = Set(sessions)
    }

    /// A command that waits for the old connection waits for the one in its place.
    package mutating func wait(for new: SessionID, insteadOf old: SessionID) {
        for (request, awaited) in requests where awaited.contains(old) {
            requests[request] = awaited.subtracting([old]).union([new])
        }
        Invariants.check(
            old == new || requests.values.allSatisfy { !$0.contains(old) },
            "a command waits for a connection that was replaced")
    }

    /// Whether others share spaces with this device than before.
    mutating func sharingChanged(_ sharing: [DeviceID: Set<SpaceID>]) -> Bool {
        defer { lastSharing = sharing }
        return sharing != lastSharing
    }

    /// Ends those whose sessions have nothing left to exchange.
    package mutating func finish(where isDone: (SessionID) -> Bool) -> [SyncRequestID] {
        let done = requests.filter { $0.value.allSatisfy(isDone) }
        for request in done.keys { requests[request] = nil }
        return Array(done.keys)
    }
}
