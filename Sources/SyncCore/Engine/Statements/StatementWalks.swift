/// Neighbours that are asked for what they know of the statements of others, one for each space, a range
/// of devices at a time.
struct StatementWalks: Sendable {
    /// One neighbour being asked for what it knows of all members, in the order of their ids.
    struct Walk {
        let session: SessionID
        let peer: DeviceID
        /// How far it came; nil: nowhere yet.
        var after: DeviceID?
        /// The next step waits for its time; else an answer is due.
        var isWaiting = true
        var due: UInt64 = 0
    }

    private var walks: [SpaceID: Walk] = [:]

    subscript(space: SpaceID) -> Walk? {
        get { walks[space] }
        set { walks[space] = newValue }
    }

    var nextDeadline: UInt64? { walks.values.map(\.due).min() }

    func due(at now: Instant) -> [(space: SpaceID, walk: Walk)] {
        walks.sorted { $0.key < $1.key }.filter { now.monotonic >= $0.value.due }
            .map { ($0.key, $0.value) }
    }

    func isAsking(_ session: SessionID, in space: SpaceID) -> Bool {
        walks[space]?.session == session
    }

    mutating func end(with session: SessionID) {
        walks = walks.filter { $0.value.session != session }
    }

    @discardableResult
    mutating func end(in space: SpaceID) -> SessionID? {
        walks.removeValue(forKey: space)?.session
    }
}
