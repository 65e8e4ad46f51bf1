/// All open sessions. A step on one that is gone meanwhile does nothing.
package struct Sessions: Sendable {
    private var states: [SessionID: SessionState] = [:]

    package subscript(session: SessionID) -> SessionState? { states[session] }

    /// In the order in which they were opened.
    package var ids: [SessionID] { states.keys.sorted() }
    package var all: some Collection<SessionState> { states.values }
    package var isEmpty: Bool { states.isEmpty }

    mutating func open(_ state: SessionState) { states[state.id] = state }

    mutating func close(_ session: SessionID) { states[session] = nil }

    /// Forgets a space on each of them.
    mutating func close(_ space: SpaceID) {
        changeEach { $0.forget(space) }
    }

    func with(_ device: DeviceID) -> [SessionState] {
        states.values.filter { $0.peer.device == device }
    }

    // MARK: Steps

    @discardableResult
    mutating func change<Result>(
        _ session: SessionID, _ change: (inout SessionState) -> Result
    ) -> Result? {
        guard let index = states.index(forKey: session) else { return nil }
        return change(&states.values[index])
    }

    @discardableResult
    mutating func change<Result>(
        _ session: SessionID, in space: SpaceID, _ change: (inout SharedSpace) -> Result
    ) -> Result? {
        self.change(session) { $0.spaces.change(space, change) } ?? nil
    }

    private mutating func changeEach(_ change: (inout SessionState) -> Void) {
        states.changeValues(change)
    }

    /// What is shared of a space with each peer that listed it.
    mutating func changeEach(in space: SpaceID, _ change: (inout SharedSpace) -> Void) {
        changeEach { $0.spaces.change(space, change) }
    }

    /// Takes a step on one session, which is over when the peer misbehaved in it or says nothing.
    mutating func step(
        _ session: SessionID, _ step: (inout SessionState) -> [EngineAction]
    ) -> [EngineAction] {
        guard let index = states.index(forKey: session) else { return [] }
        let actions = step(&states.values[index])
        if states.values[index].isOver { states.remove(at: index) }
        return actions
    }

    /// The same with a space that both listed.
    mutating func step(
        _ session: SessionID, in space: SpaceID, _ step: (inout SharedSpace) -> [EngineAction]
    ) -> [EngineAction] {
        self.step(session) { $0.spaces.step(in: space, step) }
    }

    mutating func each(
        except source: SessionID? = nil, _ step: (inout SessionState) -> [EngineAction]
    ) -> [EngineAction] {
        ids.flatMap { $0 == source ? [] : self.step($0, step) }
    }

    mutating func each(
        sharing space: SpaceID, _ step: (inout SessionState) -> [EngineAction]
    ) -> [EngineAction] {
        ids.flatMap { states[$0]?.spaces[space] == nil ? [] : self.step($0, step) }
    }

    /// Nothing more is taken from that session, also while its end is still on the way.
    mutating func misbehaved(_ session: SessionID) -> [EngineAction] {
        states[session] = nil
        return [.close(session, .misbehaved)]
    }

    // MARK: Changes

    /// Something of a space changed here: compare with the peers that share it once they had time to get
    /// it.
    mutating func noteChange(of space: SpaceID, at now: Instant) {
        changeEach { if $0.spaces[space] != nil { $0.noteChange(at: now) } }
    }

    /// Closes the gaps of peers that sent nothing of a space beyond what is here now.
    mutating func closeGaps(in space: SpaceID, _ spaces: LocalSpaces) {
        guard let known = spaces[space]?.watermark else { return }
        let here = known.without(spaces.later(in: space))
        changeEach(in: space) { $0.closeGap(holding: here) }
    }

    /// Everybody is to hear what this device holds of a space: those who wait for it at once.
    mutating func dueOwnAck(of space: SpaceID, hurried: Set<SessionID>, at now: Instant) {
        changeEach(in: space) {
            let wait = hurried.contains($0.session) ? 0 : Limits.ackMilliseconds
            $0.statements.dueOwnAck(at: now.monotonic + wait)
        }
    }

    /// A session that began while an own ack was being signed was told the one before.
    mutating func dueUntold(_ ack: Ack, at now: Instant) {
        changeEach(in: ack.space) { shared in
            guard shared.statements.isTold,
                shared.statements.acks[ack.device]?.counter ?? 0 < ack.counter
            else { return }
            shared.statements.dueOwnAck(at: now.monotonic + Limits.ackMilliseconds)
        }
    }

    mutating func forgetOwnAcks(of space: SpaceID) {
        changeEach(in: space) { $0.statements.ownAckDue = nil }
    }

    /// When a pinned branch is not here, asks all peers that share the space for its commits up to the
    /// pinned end.
    mutating func askForPins(of space: SpaceID, _ own: inout OwnState) -> [EngineAction] {
        guard own.spaces.drainNewPins(of: space) else { return [] }
        let known = own
        return each(sharing: space) {
            $0.spaces.step(in: space) { shared in
                shared.asking.reasons.insert(.learnedMore)
                return shared.askWhenDue(known)
            }
        }
    }

    // MARK: Who is there

    /// Those in which a space is shared, in order.
    func sharing(_ space: SpaceID) -> [SessionID] {
        ids.filter { states[$0]?.spaces[space] != nil }
    }

    /// Devices that a session is open with.
    package var connectedDevices: Set<DeviceID> { Set(states.values.map(\.peer.device)) }

    /// Those of which a peer has said what it holds.
    var listedDevices: Set<DeviceID> {
        Set(states.values.filter(\.hasListed).map(\.peer.device))
    }

    /// Where there are more devices than all connect with: those with which a connected one says to be
    /// connected, of those that share a space with this one. What they write and say comes over it. A
    /// connection there may have died ``Limits/keepAliveMilliseconds`` ago; of few devices this one
    /// knows better itself.
    package var reachedDevices: Set<DeviceID> {
        let connected = connectedDevices
        let all = states.values.reduce(into: connected) { $0.formUnion($1.reach.devices) }
        return all.count > Limits.neighbours ? all.subtracting(connected) : []
    }

    /// By connected device: the spaces that it and this device both hold.
    var sharing: [DeviceID: Set<SpaceID>] {
        states.values.reduce(into: [:]) { result, state in
            result[state.peer.device, default: []].formUnion(state.spaces.keys)
        }
    }

    func nextDeadline(_ statements: Statements) -> UInt64? {
        states.values.compactMap { $0.nextDeadline(statements) }.min()
    }
}

extension Dictionary {
    /// Changes all values where they are: a loop over the indices would hold a copy of them.
    mutating func changeValues(_ change: (inout Value) -> Void) {
        var index = startIndex
        while index != endIndex {
            change(&values[index])
            formIndex(after: &index)
        }
    }
}
