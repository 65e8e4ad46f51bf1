/// Who hears whom directly, as sessions tell: what one neighbour brings a device, the others need
/// not bring it again.
struct Reach {
    /// How a device hears what another one wrote or said.
    struct Path {
        /// From its author, who has a session with it.
        let isDirect: Bool
        /// Whether this device hears the author directly.
        let isNear: Bool
        /// How many other neighbours come first in bringing it; this device is the next.
        let rank: Int
    }

    private let spaces: LocalSpaces
    /// By connected device: whom it says it reaches.
    fileprivate var direct: [DeviceID: Set<DeviceID>] = [:]

    fileprivate init(_ spaces: LocalSpaces) { self.spaces = spaces }

    func isConnected(_ device: DeviceID) -> Bool { direct[device] != nil }

    /// Every neighbour of a device works out the same order in which they come, from what each of
    /// them said it reaches: by a hash of author, receiver and neighbour. Of the receiver's
    /// neighbours only those count that hear the author directly, where this device does.
    func path(from author: DeviceID, to receiver: DeviceID, in space: SpaceID) -> Path {
        let reached = direct[receiver] ?? []
        let near = direct[author]
        let own = Self.order(author, receiver, spaces.device)
        let rank = reached.count { other in
            other != author && (near?.contains(other) ?? true)
                && Self.order(author, receiver, other) < own && spaces.mayHold(other, space)
        }
        return Path(
            isDirect: reached.contains(author), isNear: near != nil || author == spaces.device,
            rank: rank)
    }

    fileprivate static func order(
        _ author: DeviceID, _ receiver: DeviceID, _ neighbour: DeviceID
    ) -> UInt64 {
        mixed(mixed(author.start &+ mixed(receiver.start)) ^ neighbour.start)
    }
}

/// Whom a peer reaches, and what it was told of whom this device reaches.
struct PeerReach: Sendable {
    /// The devices that the peer has sessions with, of those this device may know of.
    private(set) var devices: Set<DeviceID> = []
    private var told: Set<DeviceID> = []

    /// What the peer is to be told now; nil when it knows it.
    mutating func tell(_ reach: Set<DeviceID>) -> PeerMessage? {
        let added = reach.subtracting(told).sorted()
        let removed = told.subtracting(reach).sorted()
        Invariants.check(
            told.subtracting(removed).union(added) == reach,
            "what a peer is told does not give whom this device reaches")
        told = reach
        return added.isEmpty && removed.isEmpty ? nil : .reach(added: added, removed: removed)
    }

    mutating func hear(added: [DeviceID], removed: [DeviceID], by device: DeviceID) {
        devices.subtract(removed)
        // Beyond the limit it only hears twice what somebody else brings.
        let room = max(0, Limits.reachedDevices - devices.count)
        devices.formUnion(added.filter { $0 != device }.prefix(room))
        precondition(devices.count <= Limits.reachedDevices, "\(devices.count) devices are reached")
        Invariants.check(
            !devices.contains(device), "this device counts as one that a peer reaches")
    }
}

extension Sessions {
    func reach(of spaces: LocalSpaces) -> Reach {
        var reach = Reach(spaces)
        for state in all { reach.direct[state.peer.device] = state.reach.devices }
        return reach
    }

    /// Those that a session needs to pass something on now; none where nothing is due.
    func reach(
        of spaces: LocalSpaces, ifDueOn session: SessionID, at now: Instant
    ) -> Reach {
        let isDue = self[session]?.spaces.hasDueRelays(at: now) ?? false
        return isDue ? reach(of: spaces) : Reach(spaces)
    }

    /// Tells each peer which devices with a space in common with it have a session with this one.
    mutating func tellReach(_ spaces: LocalSpaces) -> [EngineAction] {
        var readers: [SpaceID: Set<DeviceID>] = [:]
        for state in all {
            for space in state.spaces.keys where spaces.mayHold(state.peer.device, space) {
                readers[space, default: []].insert(state.peer.device)
            }
        }
        return each { state in
            guard state.peer.tellsReach else { return [] }
            var reach: Set<DeviceID> = []
            for space in state.spaces.keys where spaces.mayHold(state.peer.device, space) {
                reach.formUnion(readers[space] ?? [])
            }
            let news = state.reach.tell(reach.subtracting([state.peer.device]))
            return news.map { [.send(state.id, $0)] } ?? []
        }
    }

    /// Of the peers that hold a space those who bring this device next what another one wrote,
    /// unless they hear that it has it.
    func nextToBring(
        to device: DeviceID, from author: DeviceID, in space: SpaceID
    ) -> [SessionID] {
        all.filter { $0.spaces[space] != nil && $0.peer.tellsReach }
            .map { (order: Reach.order(author, device, $0.peer.device), session: $0.id) }
            .sorted { $0 < $1 }.prefix(Limits.hurriedAcks).map(\.session)
    }
}

/// When peers are told whom this device reaches.
struct ReachReport {
    private(set) var due: UInt64?

    /// Who is connected, or what is shared with them, has changed.
    mutating func changed(at now: Instant) {
        due = due ?? now.monotonic + Limits.reachMilliseconds
    }

    /// Whether they are to be told now; then that is done.
    mutating func begin(at now: Instant) -> Bool {
        guard let due, now.monotonic >= due else { return false }
        self.due = nil
        return true
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
    /// Reach that are told at once what came from another one: they would bring it next.
    package static let hurriedAcks = 4
    /// Devices that one peer may say it reaches; an agent has fewer connections.
    package static let reachedDevices = connections
}
