/// The sync engine: watermarks, sessions and transfers of one device. Pure: events in, actions out,
/// time as an argument; one loop owns it. Architecture sections 1, 7 and 11.
package struct Engine: Sendable {
    package let device: DeviceID
    package private(set) var person: PersonID
    package internal(set) var spaces: [SpaceID: SpaceView] = [:]
    var offers: [SpaceID: OfferedSpace] = [:]
    /// Spaces whose commits are taken although none is here yet.
    var accepted: Set<SpaceID> = []
    var declinedSpaces: Set<SpaceID> = []
    package internal(set) var sessions: [SessionID: SessionState] = [:]
    /// The latest ack of each device in each space.
    var acks: [SpaceID: [DeviceID: UnverifiedAck]] = [:]
    /// What each device said last of the files it holds.
    var holdings: [SpaceID: [DeviceID: UnverifiedHoldings]] = [:]
    var fileReports = FileReports()
    var unstored = UnstoredStatements()
    /// Acks of this device that are being signed.
    var ownAcks: [SpaceID: OwnAck] = [:]
    /// What is known of the statements of others, as a number.
    var statementSums: [SpaceID: StatementSums] = [:]
    var statementBudget = StatementBudget()
    /// Neighbours that are being asked for statements.
    var walks: [SpaceID: StatementWalk] = [:]
    /// When peers are told whom this device reaches.
    var reachDue: UInt64?
    /// When there was looked for files that nobody near has.
    var lastSeeking: UInt64 = 0
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
            walks = walks.filter { $0.value.session != session }
            reachChanged(at: now)
            return askForStatements(at: now)
        case .received(let session, let message):
            return receive(message, on: session, at: now)
        case .verified(let session, let space, let commits, let verdict):
            return verified(commits, verdict, space: space, from: session)
        case .applied(let report, let session): return applied(report, from: session, at: now)
        case .loaded(let session, let space, let loaded):
            return send(loaded, of: space, on: session, at: now)
        case .forkApplied, .forkRefused, .forksLoaded: return handleFork(event, at: now)
        case .ackStored(let ack, let session): return take(ack, from: session, at: now)
        case .ackRefused(let space, let author, let session):
            return [.send(session, .ackWanted(space, author))]
        case .ackSigned(let ack): return signed(ack, at: now)
        case .holdingsStored(let holdings, let session):
            keep(holdings)
            let said = holdings.said
            return relay(said.device, in: said.space, from: session, at: now)
        case .holdingsSigned(let holdings): return sendOwn(holdings)
        case .statementNotStored(let space):
            notSigned(space, at: now)
            return []
        case .blobsNeeded, .blobsUnneeded, .bulkOpened, .bulkClosed, .bulkReceived,
            .bulkProgressed, .chunkReceived, .blobPrepared, .chunkWritten, .blobFinished,
            .blobFailed, .blobDidNotFit:
            return handleTransfer(event, at: now)
        case .roomReturned: return handleTransfer(event, at: now) + listAgain(at: now)
        case .syncRequested(let request): return requestSync(request, at: now)
        case .personChanged(let person):
            self.person = person
            return []
        case .networkChanged: return sessions.keys.sorted().flatMap { pull(on: $0, at: now) }
        case .connectionsLookedAt: return askQuietPeers(at: now)
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
            reachChanged(at: now)
            noteChange(of: view.space, at: now)
            return ownStatements(of: view, at: now)
                + announce(view.space, except: nil, at: now)
        case .spaceDescribed(let space, let offer, let givers):
            let before = offers[space]
            offers[space] = OfferedSpace(offer, givers: givers)
            return announceOffer(of: space, insteadOf: before, at: now)
        case .spaceClosed(let space):
            spaces[space] = nil
            offers[space] = nil
            accepted.remove(space)
            ownAcks[space] = nil
            walks[space] = nil
            fileReports.notSigned(space)
            for session in sessions.keys { sessions[session]?.spaces[space] = nil }
            reachChanged(at: now)
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
            keep(ack)
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
            fileReports.changed(transfers.spaces(naming: blob).intersection(spaces))
        // Also files that were here before.
        case .blobsNeeded(let needs):
            fileReports.needed(needs.map(\.space))
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
        return hurryOwnAcks(at: now) + sessions.keys.sorted().flatMap { pull(on: $0, at: now) }
    }

    /// Devices that a session is open with.
    package var connectedDevices: Set<DeviceID> { Set(sessions.values.map(\.peer.device)) }

    /// Where there are more devices than all connect with: those with which a connected one says to be
    /// connected, of those that share a space with this one. What they write and say comes over it. A
    /// connection there may have died ``Limits/keepAliveMilliseconds`` ago; of few devices this one
    /// knows better itself.
    package var reachedDevices: Set<DeviceID> {
        let connected = connectedDevices
        let all = sessions.values.reduce(into: connected) { $0.formUnion($1.reach) }
        return all.count > Limits.neighbours ? all.subtracting(connected) : []
    }

    /// Whether today's membership, as known here, lets a device have a space, to read it or to carry it.
    func mayHold(_ device: DeviceID, _ space: SpaceID) -> Bool {
        spaces[space]?.membership.mayHold(device) ?? false
    }

    /// Whether it lets the device read it: a vault only carries it.
    func mayRead(_ device: DeviceID, _ space: SpaceID) -> Bool {
        spaces[space]?.membership.permissions(of: device).contains(.read) ?? false
    }

    /// Whether the peer of a session may learn that a space is here. To a stranger, who knows no more
    /// than its id, everything is answered as if it were not.
    func mayKnow(_ space: SpaceID, on session: SessionID) -> Bool {
        guard let view = spaces[space], let state = sessions[session] else { return false }
        return mayHold(state.peer.device, space)
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
            guard !shared.sending.isUnderWay || !mayHold(state.peer.device, space) else {
                return false
            }
            return shared.remote.map { mine.covers($0) } ?? true
        }
    }
}
