/// Spaces whose summary is to be sent to a peer: changes that cannot be pushed are announced together.
package struct Announcements: Sendable {
    private var due: Set<SpaceID> = []
    private var last: UInt64 = 0

    package init() {}

    package mutating func add(_ spaces: some Sequence<SpaceID>) { due.formUnion(spaces) }

    package var nextDeadline: UInt64? {
        due.isEmpty ? nil : last + Limits.announceIntervalMilliseconds
    }

    package func isDue(at now: Instant) -> Bool {
        nextDeadline.map { now.monotonic >= $0 } ?? false
    }

    /// Those that are to be announced, in order; then there are none.
    package mutating func drain(at now: Instant) -> [SpaceID] {
        defer { (due, last) = ([], now.monotonic) }
        return due.sorted()
    }
}

extension SessionState {
    mutating func announce(
        _ space: SpaceID, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        announcements.add([space])
        return flushAnnouncements(&own, at: now)
    }

    /// What an offer says changed, or is known now: the peer is told if the space is new to it.
    fileprivate mutating func announceOffer(
        of space: SpaceID, insteadOf before: OfferedSpace?, _ own: inout OwnState,
        at now: Instant
    ) -> [EngineAction] {
        guard let view = own.spaces[space], isNew(space, own.statements),
            own.spaces.mayHold(peer.device, space),
            before?.offer(to: peer.device, view.membership)
                != own.spaces.offer(of: space, to: peer.device)
        else { return [] }
        return announce(space, &own, at: now)
    }

    mutating func flushAnnouncements(
        _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        guard announcements.isDue(at: now) else { return [] }
        let due = announcements.drain(at: now).compactMap { summary(of: $0, &own) }
        return due.isEmpty ? [] : [.send(id, .spaces(due, answer: true))]
    }
}

extension Sessions {
    /// Tells of a changed space all who may have it.
    mutating func announce(
        _ space: SpaceID, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        each {
            own.spaces.mayHold($0.peer.device, space) ? $0.announce(space, &own, at: now) : []
        }
    }

    mutating func announceOffer(
        of space: SpaceID, insteadOf before: OfferedSpace?, _ own: inout OwnState,
        at now: Instant
    ) -> [EngineAction] {
        each { $0.announceOffer(of: space, insteadOf: before, &own, at: now) }
    }
}
