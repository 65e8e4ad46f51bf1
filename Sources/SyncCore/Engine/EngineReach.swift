/// Who hears whom directly, as sessions tell: what one neighbour brings a device, the others need
/// not bring it again.
extension Engine {
    /// Who is connected, or what is shared with them, has changed.
    mutating func reachChanged(at now: Instant) {
        reachDue = reachDue ?? now.monotonic + Limits.reachMilliseconds
    }

    /// Tells each peer which devices with a space in common with it have a session with this one.
    mutating func tellReach(at now: Instant) -> [EngineAction] {
        guard let due = reachDue, now.monotonic >= due else { return [] }
        reachDue = nil
        var readers: [SpaceID: Set<DeviceID>] = [:]
        for state in sessions.values {
            for space in state.spaces.keys where mayHold(state.peer.device, space) {
                readers[space, default: []].insert(state.peer.device)
            }
        }
        return sessions.keys.sorted().compactMap { session in
            guard let state = sessions[session], state.peer.tellsReach else { return nil }
            var reach: Set<DeviceID> = []
            for space in state.spaces.keys where mayHold(state.peer.device, space) {
                reach.formUnion(readers[space] ?? [])
            }
            reach.remove(state.peer.device)
            let added = reach.subtracting(state.toldReach).sorted()
            let removed = state.toldReach.subtracting(reach).sorted()
            sessions[session]?.toldReach = reach
            guard !added.isEmpty || !removed.isEmpty else { return nil }
            return .send(session, .reach(added: added, removed: removed))
        }
    }

    mutating func receive(
        added: [DeviceID], removed: [DeviceID], on session: SessionID
    ) -> [EngineAction] {
        guard var reach = sessions[session]?.reach else { return [] }
        reach.subtract(removed)
        // Beyond the limit it only hears twice what somebody else brings.
        let room = max(0, Limits.reachedDevices - reach.count)
        reach.formUnion(added.filter { $0 != device }.prefix(room))
        sessions[session]?.reach = reach
        return []
    }

    /// How a device hears what another one wrote or said.
    struct Path {
        /// From its author, who has a session with it.
        let isDirect: Bool
        /// Whether this device hears the author directly.
        let isNear: Bool
        /// How many other neighbours come first in bringing it; this device is the next.
        let rank: Int
    }

    /// Every neighbour of a device works out the same order in which they come, from what each of
    /// them said it reaches: by a hash of author, receiver and neighbour. Of the receiver's
    /// neighbours only those count that hear the author directly, where this device does.
    func path(from author: DeviceID, to session: SessionID, in space: SpaceID) -> Path {
        guard let state = sessions[session] else {
            return Path(isDirect: false, isNear: true, rank: 0)
        }
        let receiver = state.peer.device
        let near = sessions.values.first { $0.peer.device == author }?.reach
        let own = Self.order(author, receiver, device)
        let rank = state.reach.count { other in
            other != author && (near?.contains(other) ?? true)
                && Self.order(author, receiver, other) < own && mayHold(other, space)
        }
        return Path(
            isDirect: state.reach.contains(author), isNear: near != nil || author == device,
            rank: rank)
    }

    /// Of the peers that hold a space those who bring this device next what another one wrote,
    /// unless they hear that it has it.
    func nextToBring(from author: DeviceID, in space: SpaceID) -> [SessionID] {
        let peers = sessions.filter { $0.value.spaces[space] != nil && $0.value.peer.tellsReach }
        return peers.keys.sorted { one, other in
            guard let left = peers[one], let right = peers[other] else { return one < other }
            return Self.order(author, device, left.peer.device)
                < Self.order(author, device, right.peer.device)
        }.prefix(Limits.hurriedAcks).map(\.self)
    }

    private static func order(
        _ author: DeviceID, _ receiver: DeviceID, _ neighbour: DeviceID
    ) -> UInt64 {
        mixed(mixed(author.start &+ mixed(receiver.start)) ^ neighbour.start)
    }
}

extension DeviceID {
    /// Its first eight bytes: of a hash, so that they are spread evenly.
    package var start: UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Limits {
    // MARK: Reach

    /// Sessions that open and end within this time are told of together.
    package static let reachMilliseconds: UInt64 = 100
    /// Neighbours that are told at once what came from another one: they would bring it next.
    package static let hurriedAcks = 4
    /// Devices that one peer may say it reaches; an agent has fewer connections.
    package static let reachedDevices = connections
}
