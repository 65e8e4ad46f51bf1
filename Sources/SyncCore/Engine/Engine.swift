/// The sync engine: watermarks, sessions and transfers of one device. Pure: events in, actions out,
/// time as an argument; one loop owns it. Architecture sections 1, 7 and 11. It only routes: what a
/// device has and was told is ``OwnState``, what it shares with a peer ``SessionState``.
package struct Engine: Sendable {
    private(set) var own: OwnState
    package private(set) var sessions = Sessions()
    private var syncs = AwaitedSyncs()

    package init(device: DeviceID, person: PersonID) {
        own = OwnState(spaces: LocalSpaces(device: device, person: person))
    }

    package var spaces: LocalSpaces { own.spaces }
    package var connectedDevices: Set<DeviceID> { sessions.connectedDevices }
    /// Those whom others reach for this device, in every space that it shares with them.
    package var reachedDevices: Set<DeviceID> {
        sessions.reachedDevices.subtracting(own.needs.needed.devices)
    }

    /// Takes one event and returns what is to be done, in order.
    package mutating func handle(_ event: EngineEvent, at now: Instant) -> [EngineAction] {
        own.spaces.now = now.wall
        var actions = react(to: event, at: now)
        let sharing = own.transfers.wanted.isIdle && syncs.isEmpty ? [:] : sessions.sharing
        if syncs.sharingChanged(sharing) { own.transfers.sharingChanged() }
        actions += own.transfers.nextActions(at: now) { sharing[$0]?.contains($1) ?? false }
        actions += finishedSyncs(sharing)
        if Invariants.areChecked { EngineRules(own, sessions, after: actions).check() }
        own.spaces.checkRows()
        return actions
    }

    private mutating func react(to event: EngineEvent, at now: Instant) -> [EngineAction] {
        switch event {
        case .spaceOpened, .spaceDescribed, .spaceClosed, .spaceAccepted, .spaceDeclined,
            .spaceTaken:
            return handleSpace(event, at: now)
        case .sessionOpened(let session, let peer): return open(session, peer, at: now)
        case .sessionClosed(let session):
            sessions.close(session)
            own.statements.walks.end(with: session)
            own.reach.changed(at: now)
            return own.askForStatements(on: &sessions, at: now)
        case .received(let session, let message):
            return receive(message, on: session, at: now)
        case .applied, .loaded, .forkApplied, .forkRefused, .forksLoaded:
            return handleCommits(event, at: now)
        case .ackLoaded, .ackStored, .ackRefused, .ackSigned, .holdingsLoaded, .holdingsStored,
            .holdingsSigned, .statementNotStored:
            return own.handleStatement(event, on: &sessions, at: now)
        case .blobsNeeded, .blobsUnneeded, .blobsForgone, .filesFreed, .bulkOpened, .bulkClosed,
            .bulkReceived, .bulkProgressed, .chunkReceived, .blobPrepared, .chunkWritten,
            .blobFinished, .blobFailed, .blobDidNotFit:
            return own.handleTransfer(event, at: now)
        case .roomReturned: return own.handleTransfer(event, at: now) + listAgain(at: now)
        case .syncRequested(let request): return requestSync(request, at: now)
        case .personChanged(let person):
            own.spaces.person = person
            return []
        case .networkChanged: return pullAll(at: now)
        case .connectionsLookedAt:
            return sessions.ids.flatMap {
                ask(sessions.change($0) { $0.askIfQuiet(&own, at: now) }, $0, at: now)
            }
        case .tick: return tick(at: now)
        }
    }

    // MARK: Spaces

    private mutating func handleSpace(
        _ event: EngineEvent, at now: Instant
    ) -> [EngineAction] {
        switch event {
        case .spaceOpened(let view):
            let view = own.adopt(view)
            own.spaces.arrived(view.space)
            own.reach.changed(at: now)
            sessions.noteChange(of: view.space, at: now)
            return own.sayWhatIsHere(of: view, on: &sessions, at: now)
                + sessions.announce(view.space, &own, at: now)
        case .spaceDescribed(let space, let offered):
            let before = own.spaces.describe(space, offered)
            return sessions.announceOffer(of: space, insteadOf: before, &own, at: now)
        case .spaceClosed(let space): return close(space, at: now)
        case .spaceAccepted(let space):
            own.spaces.accept(space)
            // One that was declined before is listed again only when asked.
            return sessions.ids.flatMap { session in
                sessions.step(session, in: space) { $0.askFor(answer: false, own) }
                    + pull(on: session, at: now)
            }
        case .spaceDeclined(let space, let grants):
            own.spaces.decline(space, grants: grants)
            return sessions.each(sharing: space) {
                [.send($0.id, .decline(space, grants: grants))]
            }
        case .spaceTaken(let space, let isTaken):
            own.spaces.setTaken(space, isTaken)
            return []
        default: return []
        }
    }

    /// Sessions that share it end: in new ones it is not listed, so that nobody waits for it.
    private mutating func close(_ space: SpaceID, at now: Instant) -> [EngineAction] {
        let sharing = own.spaces[space] == nil ? [] : sessions.sharing(space)
        own.close(space)
        sessions.close(space)
        for session in sharing { sessions.close(session) }
        own.reach.changed(at: now)
        return sharing.map { .close($0, .shutdown) }
    }

    // MARK: Sessions

    private mutating func open(
        _ session: SessionID, _ peer: PeerInfo, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        for twin in sessions.with(peer.device) {
            guard !twin.peer.stays(insteadOf: peer, on: own.spaces.device) else {
                // The peer may know better that the old connection is dead: ask it at once.
                return [.close(session, .duplicate)] + pull(on: twin.id, at: now)
            }
            sessions.close(twin.id)
            actions.append(.close(twin.id, .duplicate))
            syncs.wait(for: session, insteadOf: twin.id)
        }
        precondition(sessions.with(peer.device).isEmpty, "\(peer.device) has two sessions")
        sessions.open(SessionState(id: session, peer: peer, now: now))
        own.transfers.peerReturned(peer.device)
        own.reach.changed(at: now)
        return actions + sessions.step(session) { $0.list(&own, answer: false) }
    }

    /// Compares with a peer: sends all summaries and waits for its answer.
    private mutating func pull(on session: SessionID, at now: Instant) -> [EngineAction] {
        guard sessions[session] != nil else { return [] }
        return own.sayUnstored(on: &sessions, at: now)
            + sessions.step(session) { $0.pull(&own, at: now) }
    }

    private mutating func pullAll(at now: Instant) -> [EngineAction] {
        sessions.ids.flatMap { pull(on: $0, at: now) }
    }

    /// Asks a peer what a look at its session found to be asked.
    private mutating func ask(
        _ question: SessionState.Question?, _ session: SessionID, at now: Instant
    ) -> [EngineAction] {
        switch question {
        case nil, .nothing: []
        case .said(let actions): actions
        case .everything: pull(on: session, at: now)
        }
    }

    /// What was offered while the disk was full may not have been kept: all is listed once more.
    private mutating func listAgain(at now: Instant) -> [EngineAction] {
        sessions.ids.flatMap { session -> [EngineAction] in
            sessions.change(session) { $0.offers.forgetAll(at: now) }
            return pull(on: session, at: now)
        }
    }

    private mutating func receive(
        _ message: PeerMessage, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let before = sessions.change(session, { $0.heard(at: now) }) else { return [] }
        defer {
            // It turned out to hold a space: others hear that this device reaches it there.
            if sessions[session]?.spaces.count != before { own.reach.changed(at: now) }
        }
        switch message {
        case .spaces(let summaries, let answer):
            let heard = sessions.step(session) { $0.receive(summaries, &own, at: now) }
            let asked = own.askForStatements(on: &sessions, at: now)
            guard !answer else { return heard + asked }
            return heard + asked + sessions.step(session) { $0.list(&own, answer: true) }
        case .heard(let heard):
            return own.receive(heard, on: session, of: &sessions, at: now)
        default:
            let actions = sessions.step(session) { $0.receive(message, &own, at: now) }
            guard case .reach = message else { return actions }
            return actions + own.heardReach(on: session, of: sessions, at: now)
        }
    }

    // MARK: Syncs that somebody waits for

    private mutating func requestSync(
        _ request: SyncRequestID, at now: Instant
    ) -> [EngineAction] {
        syncs.begin(request, with: sessions.ids)
        own.transfers.syncRequested()
        return sessions.each { $0.spaces.hurryOwnAcks(own, at: now) }
            + pullAll(at: now)
    }

    private mutating func finishedSyncs(_ sharing: [DeviceID: Set<SpaceID>]) -> [EngineAction] {
        guard !syncs.isEmpty,
            !own.transfers.isBusy(
                shares: { sharing[$0]?.contains($1) ?? false }, peers: Set(sharing.keys))
        else { return [] }
        return syncs.finish { session in
            // A closed one has nothing left to exchange.
            guard let state = sessions[session] else { return true }
            return state.isAnswered && state.spaces.haveSettled(own.spaces)
                && own.hasReported(to: state)
        }.map { .syncFinished($0) }
    }

    // MARK: Commits

    private mutating func handleCommits(
        _ event: EngineEvent, at now: Instant
    ) -> [EngineAction] {
        switch event {
        // Reports that were on their way when it was closed: the view that opens it has their commits.
        case .applied(let report, _) where own.spaces.isUnanswered(report.space),
            .forkApplied(let report, _) where own.spaces.isUnanswered(report.space):
            return []
        case .applied(let report, let session): return applied(report, from: session, at: now)
        case .loaded(let session, let space, let loaded):
            return sessions.step(session) { $0.send(loaded, of: space, own.spaces, at: now) }
        case .forkApplied(let report, let source):
            guard let view = report.view, !view.watermark.isEmpty else { return [] }
            own.adopt(view)
            sessions.change(source, in: report.space) { $0.receiving.lacksProof = false }
            return sessions.tookForks(report, except: source, &own, at: now)
                + own.transfers.handle(.blobsNeeded(report.needs), at: now)
                + own.noteNamed(by: report, at: now)
                + sessions.step(source, in: report.space) { $0.askWhenDue(own) }
        case .forkRefused(_, .invalid, let source): return sessions.misbehaved(source)
        case .forkRefused(let space, .unknownDevice, let source):
            sessions.change(source, in: space) { $0.asking.reasons.insert(.learnedMore) }
        case .forkRefused(let space, .notStored, let source):
            sessions.change(source, in: space) { $0.receiving.lacksProof = true }
        case .forksLoaded(let session, let space, let loaded):
            return sessions.step(session, in: space) { $0.send(loaded, own.spaces) }
        default: break
        }
        return []
    }

    private mutating func applied(
        _ report: ApplyReport, from source: SessionID?, at now: Instant
    ) -> [EngineAction] {
        let space = report.space
        var actions: [EngineAction] = []
        // Otherwise not even a genesis came, and the space is still not here.
        let isHere = !report.watermark.isEmpty
        let before = report.offered.map { own.spaces.describe(space, $0) }
        if isHere, let view = report.view {
            own.spaces.arrived(space)
            let revision = own.spaces[space]?.membership.revision
            own.adopt(view)
            if revision != view.membership.revision {
                own.reach.changed(at: now)
                actions += sessions.each(sharing: space) { $0.spaces.askForParts(of: space, own) }
            }
            if !report.stored.isEmpty { sessions.noteChange(of: space, at: now) }
            actions += sessions.tookForks(report, except: source, &own, at: now)
        }
        actions += own.transfers.handle(.blobsNeeded(report.needs), at: now)
        actions += own.noteNamed(by: report, at: now)
        sessions.closeGaps(in: space, own.spaces)
        if let source {
            actions +=
                report.isMisbehaviour
                ? sessions.misbehaved(source)
                : sessions.step(source) { $0.applied(report, own, at: now) }
            if isHere { actions += own.acknowledge(report, from: source, of: &sessions, at: now) }
        }
        actions += sessions.each(sharing: space) {
            $0.spaces.askAfterDelivery(of: space, own, at: now)
        }
        actions += sessions.spread(report, except: source, &own, at: now)
        guard let before else { return actions }
        return actions + sessions.announceOffer(of: space, insteadOf: before, &own, at: now)
    }

    // MARK: Time

    /// Milliseconds until a tick is wanted, nil when nothing waits for time.
    package func nextTick(at now: Instant) -> UInt64? {
        let due = [
            sessions.nextDeadline(own.statements), own.nextDeadline,
            sessions.isEmpty ? nil : own.seekingDue,
        ].compactMap(\.self).min()
        return due.map { $0 > now.monotonic ? $0 - now.monotonic : 0 }
    }

    private mutating func tick(at now: Instant) -> [EngineAction] {
        var actions = own.tellReach(on: &sessions, at: now)
        for session in sessions.ids {
            let silent = sessions.step(session) { $0.endIfSilent(at: now) }
            guard silent.isEmpty else {
                actions += silent
                continue
            }
            let question = sessions.change(session) { $0.checkEquality(own.spaces, at: now) }
            actions += ask(question, session, at: now)
            actions += ask(
                sessions.change(session) { $0.keepAlive(&own, at: now) }, session, at: now)
            let reach = sessions.reach(of: own.spaces, ifDueOn: session, at: now)
            actions += sessions.step(session) { state in
                state.spaces.checkLate(own.spaces, at: now)
                    + state.spaces.askAfterDeliveries(own, at: now)
                    + state.spaces.flushStatements(reach, &own, at: now)
                    + state.flushAnnouncements(&own, at: now)
            }
        }
        if own.statements.unstored.isDue(at: now) {
            actions += own.sayUnstored(on: &sessions, at: now)
        }
        return actions + own.askForStatements(on: &sessions, at: now)
            + own.statements.dueReports(at: now) + own.seekFiles(sessions, at: now)
    }
}
