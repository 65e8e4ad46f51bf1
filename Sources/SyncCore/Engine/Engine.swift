/// The sync engine: watermarks, sessions and transfers of one device. Pure: events in, actions out,
/// time as an argument; one loop owns it. Architecture sections 1, 7 and 11.
package struct Engine: Sendable {
    package let device: DeviceID
    package private(set) var person: PersonID
    package internal(set) var spaces: [SpaceID: SpaceView] = [:]
    var offers: [SpaceID: Offer] = [:]
    /// Spaces whose commits are taken although none is here yet.
    var accepted: Set<SpaceID> = []
    var declinedSpaces: Set<SpaceID> = []
    package internal(set) var sessions: [SessionID: SessionState] = [:]
    /// The latest ack of each device in each space.
    var acks: [SpaceID: [DeviceID: UnverifiedAck]] = [:]
    /// What each device said last of the files it holds.
    var holdings: [SpaceID: [DeviceID: UnverifiedHoldings]] = [:]
    /// Spaces whose files changed here since the others were told.
    var dueHoldings: Set<SpaceID> = []
    /// Spaces whose report is being signed and stored.
    var reporting: Set<SpaceID> = []
    var lastHoldings: UInt64 = 0
    /// Spaces of which this device has to say something that it could not store.
    var unstored: Set<SpaceID> = []
    var transfers = TransferPlanner()
    var syncRequests: [SyncRequestID: Set<SessionID>] = [:]
    /// By connected device: the spaces that it and this device both held when blobs were last asked
    /// for.
    private var lastSharing: [DeviceID: Set<SpaceID>] = [:]

    package init(device: DeviceID, person: PersonID) {
        (self.device, self.person) = (device, person)
    }

    /// Takes one event and returns what is to be done, in order.
    package mutating func handle(_ event: EngineEvent, at now: Instant) -> [EngineAction] {
        var actions = react(to: event, at: now)
        let sharing = transfers.isIdle && syncRequests.isEmpty ? [:] : sharing
        if sharing != lastSharing {
            lastSharing = sharing
            transfers.sharingChanged()
        }
        actions += transfers.nextActions(at: now) { sharing[$0]?.contains($1) ?? false }
        actions += finishedSyncs(sharing)
        return actions
    }

    private mutating func react(to event: EngineEvent, at now: Instant) -> [EngineAction] {
        switch event {
        case .spaceOpened, .spaceDescribed, .spaceClosed, .spaceAccepted, .spaceDeclined,
            .ackLoaded, .holdingsLoaded:
            return handleSpaceEvent(event, at: now)
        case .sessionOpened(let session, let peer): return open(session, peer, at: now)
        case .sessionClosed(let session):
            sessions[session] = nil
            return []
        case .received(let session, let message):
            return receive(message, on: session, at: now)
        case .verified(let session, let space, let commits, let verdict):
            return verified(commits, verdict, space: space, from: session)
        case .applied(let report, let session): return applied(report, from: session, at: now)
        case .loaded(let session, let space, let loaded):
            return send(loaded, of: space, on: session)
        case .forkApplied, .forkRefused, .forksLoaded: return handleFork(event, at: now)
        case .ackStored(let ack, let session): return relay(ack, from: session)
        case .ackSigned(let ack): return sendOwn(ack)
        case .holdingsStored(let holdings, let session):
            return relay(holdings, from: session)
        case .holdingsSigned(let holdings): return sendOwn(holdings)
        case .statementNotStored(let space):
            unstored.insert(space)
            reporting.remove(space)
            return []
        case .blobsNeeded, .blobsUnneeded, .bulkOpened, .bulkClosed, .bulkReceived,
            .bulkProgressed, .chunkReceived, .blobPrepared, .chunkWritten, .blobFinished,
            .blobFailed, .blobDidNotFit, .roomReturned:
            return handleTransfer(event, at: now)
        case .syncRequested(let request): return requestSync(request, at: now)
        case .personChanged(let person):
            self.person = person
            return []
        case .networkChanged: return sessions.keys.sorted().flatMap { pull(on: $0, at: now) }
        case .tick: return tick(at: now)
        }
    }

    private mutating func handleSpaceEvent(
        _ event: EngineEvent, at now: Instant
    ) -> [EngineAction] {
        switch event {
        case .spaceOpened(let view):
            let view = take(view)
            accepted.remove(view.space)
            return ownStatements(of: view) + announce(view.space, except: nil, at: now)
        case .spaceDescribed(let space, let offer):
            offers[space] = offer
            return []
        case .spaceClosed(let space):
            spaces[space] = nil
            offers[space] = nil
            accepted.remove(space)
            reporting.remove(space)
            for session in sessions.keys { sessions[session]?.spaces[space] = nil }
            return []
        case .spaceAccepted(let space):
            accepted.insert(space)
            declinedSpaces.remove(space)
            // One that was declined before is listed again only when asked.
            return sessions.keys.sorted().flatMap {
                askFor(space, on: $0, answer: false) + pull(on: $0, at: now)
            }
        case .spaceDeclined(let space):
            declinedSpaces.insert(space)
            accepted.remove(space)
            return sessions.filter { $0.value.spaces[space] != nil }.keys.sorted()
                .map { .send($0, .decline(space)) }
        case .ackLoaded(let ack):
            acks[ack.said.space, default: [:]][ack.said.device] = ack
            return []
        case .holdingsLoaded(let holdings):
            keep(holdings)
            return []
        default: return []
        }
    }

    private mutating func handleTransfer(
        _ event: EngineEvent, at now: Instant
    ) -> [EngineAction] {
        switch event {
        case .blobFinished(let blob, let spaces):
            dueHoldings.formUnion(transfers.spaces(naming: blob).intersection(spaces))
        // Also files that were here before.
        case .blobsNeeded(let needs): dueHoldings.formUnion(needs.map(\.space))
        default: break
        }
        // Whoever serves checks today's membership, and takes the same way to every refusal.
        if case .bulkReceived(let bulk, .want(let want)) = event { return [.serve(bulk, want)] }
        return transfers.handle(event, at: now)
    }

    private mutating func requestSync(
        _ request: SyncRequestID, at now: Instant
    ) -> [EngineAction] {
        syncRequests[request] = Set(sessions.keys)
        transfers.syncRequested()
        return sessions.keys.sorted().flatMap { pull(on: $0, at: now) }
    }

    /// Devices that a session is open with.
    package var connectedDevices: Set<DeviceID> { Set(sessions.values.map(\.peer.device)) }

    /// Milliseconds until a tick is wanted, nil when nothing waits for time.
    package func nextTick(at now: Instant) -> UInt64? {
        let pulls = sessions.values.map { $0.lastPull + Limits.pullIntervalMilliseconds }
        let questions = sessions.values.compactMap(\.questionDue)
        let announcements = sessions.values.filter { !$0.dueAnnouncements.isEmpty }
            .map { $0.lastAnnouncement + Limits.announceIntervalMilliseconds }
        let answers = sessions.values.compactMap(\.answerDue)
        let reports =
            dueHoldings.isEmpty ? [] : [lastHoldings + Limits.holdingsIntervalMilliseconds]
        let deadlines =
            pulls + questions + announcements + answers + reports
            + [transfers.nextDeadline].compactMap(\.self)
        return deadlines.min().map { $0 > now.monotonic ? $0 - now.monotonic : 0 }
    }

    private mutating func tick(at now: Instant) -> [EngineAction] {
        var actions: [EngineAction] = []
        for session in sessions.keys.sorted() {
            guard let state = sessions[session] else { continue }
            if let due = state.answerDue, now.monotonic >= due {
                sessions[session] = nil
                actions.append(.close(session, .silent))
                continue
            }
            if now.monotonic >= state.lastPull + Limits.pullIntervalMilliseconds {
                actions += pull(on: session, at: now)
            } else if let due = state.questionDue, now.monotonic >= due {
                sessions[session]?.answerDue = now.monotonic + Limits.answerMilliseconds
                actions.append(.send(session, .ping(token: now.monotonic)))
            }
            actions += flushAnnouncements(on: session, at: now)
        }
        return actions + dueReports(at: now)
    }

    /// Whether today's membership, as known here, lets a device read a space.
    func mayRead(_ device: DeviceID, _ space: SpaceID) -> Bool {
        spaces[space]?.membership.permissions(of: device).contains(.read) ?? false
    }

    /// Whether the peer of a session may learn that a space is here. To a stranger, who knows no more
    /// than its id, everything is answered as if it were not.
    func mayKnow(_ space: SpaceID, on session: SessionID) -> Bool {
        guard let view = spaces[space], let state = sessions[session] else { return false }
        return mayRead(state.peer.device, space)
            || knows(state.spaces[space]?.proof, view, state.peer)
    }

    /// Whether a proof shows that a peer, which cannot read the space as far as is known here, was given
    /// it: the commits it brings may hold the grant. The own person's devices need none.
    func knows(_ proof: Bytes32?, _ view: SpaceView, _ peer: PeerInfo) -> Bool {
        peer.person == person || proof == view.proof(by: peer.device, to: device)
    }

    /// By connected device: the spaces that it and this device both hold.
    private var sharing: [DeviceID: Set<SpaceID>] {
        sessions.values.reduce(into: [:]) { result, state in
            result[state.peer.device, default: []].formUnion(state.spaces.keys)
        }
    }

    private mutating func finishedSyncs(
        _ sharing: [DeviceID: Set<SpaceID>]
    ) -> [EngineAction] {
        guard !syncRequests.isEmpty else { return [] }
        let isBusy = transfers.isBusy(
            shares: { sharing[$0]?.contains($1) ?? false }, peers: Set(sharing.keys))
        let done = syncRequests.filter { request in
            request.value.allSatisfy { isSettled($0) && hasFiles($0) } && !isBusy
        }
        return done.keys.map { request in
            syncRequests[request] = nil
            return .syncFinished(request)
        }
    }

    /// Whether a session has nothing left to exchange; a closed one has not.
    private func isSettled(_ session: SessionID) -> Bool {
        guard let state = sessions[session] else { return true }
        return state.isAnswered && hasSettled(state)
    }

    /// Whether no changes are on their way between this device and a peer, as far as both have said.
    func hasSettled(_ state: SessionState) -> Bool {
        state.spaces.allSatisfy { space, shared in
            guard let mine = spaces[space]?.watermark else {
                return !accepted.contains(space)
            }
            guard !shared.asking.awaitsAnswer, shared.receiving.unapplied == 0 else {
                return false
            }
            guard !shared.sending.isUnderWay || !mayRead(state.peer.device, space) else {
                return false
            }
            return shared.remote.map { mine.covers($0) } ?? true
        }
    }
}

extension Limits {
    // MARK: Pace of a session

    /// The safety net: how often watermarks are compared although nothing was pushed.
    package static let pullIntervalMilliseconds: UInt64 = 30_000
    /// Relayed commits are announced together, at most this often per session.
    package static let announceIntervalMilliseconds: UInt64 = 100
    /// Files that came are reported together, at most this often.
    package static let holdingsIntervalMilliseconds: UInt64 = 500
    /// How often acks and holdings are said again to a peer whose session goes on: some 300 bytes
    /// for each device and space.
    package static let statementsIntervalMilliseconds: UInt64 = 300_000
    /// A peer that has said nothing for this long is asked whether it is still there.
    package static let quietMilliseconds: UInt64 = 10_000
    /// A peer that was asked and says nothing for this long is gone.
    package static let answerMilliseconds: UInt64 = 5_000
    /// Batches of commits on their way without an ack.
    package static let commitBatchesInFlight = 4
    /// The same with own commits that were pushed at once; the rest is announced. Half of what a
    /// peer lets wait, as some may still be on their way when the window starts anew.
    package static let pushesInFlight = commitBatchesUnapplied / 2
    /// Batches received and not yet applied before the session has broken the protocol.
    package static let commitBatchesUnapplied = 64
}
