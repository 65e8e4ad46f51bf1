/// What was told of whom this device needs.
struct SessionNeeds {
    private(set) var needed = NeededSessions()
    private var rings: [SpaceID: Ring] = [:]

    /// Who may have a space, in the order of their ids, by a state of its membership.
    private struct Ring {
        let revision: Int
        let devices: [DeviceID]
    }

    /// The others who may have a space, in their order from a place on.
    fileprivate mutating func ring(of view: SpaceView, from own: DeviceID) -> [DeviceID] {
        let membership = view.membership
        if let ring = rings[view.space], ring.revision == membership.revision {
            Invariants.check(
                Set(ring.devices) == membership.holders.subtracting([own]),
                "a ring is not of those who may have \(view.space)")
            return ring.devices
        }
        let others = membership.holders.subtracting([own]).sorted()
        let start = others.firstIndex { $0 > own } ?? 0
        let devices = Array(others[start...] + others[..<start])
        rings[view.space] = Ring(revision: membership.revision, devices: devices)
        return devices
    }

    mutating func forget(_ space: SpaceID) { rings[space] = nil }

    /// Whether that is news.
    fileprivate mutating func note(_ needed: NeededSessions) -> Bool {
        defer { self.needed = needed }
        return self.needed != needed
    }
}

extension OwnState {
    /// Tells whom this device needs a session with, when that changed.
    mutating func needSessions(_ sessions: Sessions) -> [EngineAction] {
        var ways: Set<[NeededSessions.Step]> = []
        for space in spaces.ids {
            if let view = spaces[space] { ways.insert(way(round: view, sessions)) }
        }
        let needed = NeededSessions(ways: ways)
        return needs.note(needed) ? [.need(needed)] : []
    }

    /// A peer said whom it reaches. Among many devices several do so at a time: that is looked at together.
    mutating func heardReach(
        on session: SessionID, of sessions: Sessions, at now: Instant
    ) -> [EngineAction] {
        let reached = sessions[session]?.reach.devices.count ?? 0
        guard sessions.ids.count + reached > Limits.neighbours else {
            return needSessions(sessions)
        }
        reach.changed(at: now)
        return []
    }

    /// Something new of a space is here: those whom this device needs for it and is not connected with are
    /// called before others.
    mutating func hurry(_ space: SpaceID, _ sessions: Sessions) -> [EngineAction] {
        guard let view = spaces[space] else { return [] }
        let connected = sessions.connectedDevices
        let devices = Set(way(round: view, sessions).map(\.device)).subtracting(connected)
        return devices.isEmpty ? [] : [.hurry(devices)]
    }

    private mutating func way(
        round view: SpaceView, _ sessions: Sessions
    ) -> [NeededSessions.Step] {
        let (space, ring) = (view.space, needs.ring(of: view, from: spaces.device))
        // One that left is called by those who do not know it yet.
        guard !ring.isEmpty, view.membership.mayHold(spaces.device) else { return [] }
        let carriers = sessions.all.filter {
            $0.spaces[space] != nil && spaces.mayHold($0.peer.device, space)
        }
        let connected = sessions.listedDevices
        let near = Set(carriers.map(\.peer.device))
        let acknowledged = statements.acks[space] ?? [:]
        var steps: [NeededSessions.Step] = []
        for device in ring {
            let isHolder =
                near.contains(device)
                || !connected.contains(device) && acknowledged[device] != nil
            if carriers.contains(where: {
                $0.peer.device != device && $0.reach.devices.contains(device)
            }),
                !near.contains(device)
            {
                if isHolder { break }
                continue
            }
            steps.append(NeededSessions.Step(device, isHolder: isHolder))
            if near.contains(device) || steps.count == Limits.ringSteps { break }
        }
        Invariants.check(
            steps.allSatisfy { $0.device != spaces.device }, "a device needs a session with itself")
        let others = near.subtracting(steps.map(\.device))
        return ring.count > Limits.ringDevices && others.count >= Limits.ringCarriers ? [] : steps
    }
}

extension Limits {
    // MARK: Needed sessions

    /// Among more devices that may have one space, a device with so many other sessions in it needs nobody:
    /// those are drawn, and what is drawn is connected.
    static let ringDevices = 64
    static let ringCarriers = 4
    /// Devices past which one goes round a ring in vain: more that follow each other are seldom away.
    static let ringSteps = 32
}
