/// What this device has and was told, independent of sessions: one machine for each subject.
package struct OwnState: Sendable {
    var spaces: LocalSpaces
    var statements = Statements()
    var transfers = TransferPlanner()
    var reach = ReachReport()
    var needs = SessionNeeds()
    /// When there was looked for files that nobody near has.
    private var lastSeeking: UInt64 = 0

    init(spaces: LocalSpaces) { self.spaces = spaces }

    var nextDeadline: UInt64? {
        [
            transfers.nextDeadline, reach.due, statements.unstored.due,
            statements.walks.nextDeadline, statements.reports.nextDeadline,
        ].compactMap(\.self).min()
    }

    @discardableResult
    mutating func adopt(_ view: SpaceView) -> SpaceView {
        if let known = spaces[view.space], view.membership.revision > known.membership.revision {
            transfers.wanted.permissionsChanged(in: view.space)
        }
        return spaces.adopt(view)
    }

    mutating func close(_ space: SpaceID) {
        spaces.close(space)
        statements.close(space)
        needs.forget(space)
    }

    /// Tells peers whom this device reaches, and its own shell whom it does not and needs to.
    mutating func tellReach(on sessions: inout Sessions, at now: Instant) -> [EngineAction] {
        guard reach.begin(at: now) else { return [] }
        return sessions.tellReach(spaces) + needSessions(sessions)
    }

    // MARK: Statements

    mutating func handleStatement(
        _ event: EngineEvent, on sessions: inout Sessions, at now: Instant
    ) -> [EngineAction] {
        switch event {
        case .ackLoaded(let ack): keep(ack)
        case .holdingsLoaded(let holdings): keep(holdings)
        case .ackStored(let ack, let session):
            return receive(ack, from: session, of: &sessions, at: now)
        case .ackRefused(let space, let author, let session):
            return [.send(session, .ackWanted(space, author))]
        case .ackSigned(let ack): return signed(ack, on: &sessions, at: now)
        case .holdingsStored(let holdings, let session):
            keep(holdings)
            let said = holdings.said
            return relay(said.device, in: said.space, from: session, of: &sessions, at: now)
        case .holdingsSigned(let holdings): return signed(holdings, on: &sessions)
        case .statementNotStored(let space):
            statements.notSigned(space, at: now)
            sessions.forgetOwnAcks(of: space)
        default: break
        }
        return []
    }

    private mutating func keep(_ ack: UnverifiedAck) { statements.keep(ack, spaces) }

    private mutating func keep(_ holdings: UnverifiedHoldings) {
        statements.keep(holdings, spaces)
        hear(holdings.said)
    }

    /// What a device lacks decides whom this one asks for files.
    mutating func hear(_ said: Holdings) {
        guard said.device != spaces.device else { return }
        transfers.heard(
            said.device, lacks: said.missing,
            isWhole: said.missingCount <= UInt64(said.missing.count), of: said.space)
    }

    /// A sum over what is known of the statements of all members.
    mutating func statementSum(of space: SpaceID, without left: [DeviceID] = []) -> UInt64 {
        guard let members = spaces[space]?.membership else { return 0 }
        return statements.sum(of: space, without: left, members)
    }

    /// The same without this device and a peer, who hear each other.
    mutating func statementSum(of space: SpaceID, with peer: DeviceID) -> UInt64 {
        statementSum(of: space, without: [spaces.device, peer])
    }

    /// What this device has to say of a space that it opened: an ack, where the last one does not
    /// cover what is here because a close came in between; and the files, always.
    mutating func sayWhatIsHere(
        of view: SpaceView, on sessions: inout Sessions, at now: Instant
    ) -> [EngineAction] {
        statements.reports.changed([view.space])
        let known = statements.acks[view.space]?[spaces.device]?.said.watermark ?? Watermark()
        guard view.watermark.count(beyond: known, exceptOf: spaces.device) > 0 else { return [] }
        return acknowledge(view.space, to: [], on: &sessions, at: now)
    }

    /// What could not be stored is said once there may be room again.
    mutating func sayUnstored(on sessions: inout Sessions, at now: Instant) -> [EngineAction] {
        statements.drainUnstored().compactMap { spaces[$0] }
            .flatMap { sayWhatIsHere(of: $0, on: &sessions, at: now) }
    }

    /// Asks for an ack of all that is here now: at once to the peer that delivered it, whose window
    /// waits for it, and to those who would bring it next; to the others a moment later.
    mutating func acknowledge(
        _ space: SpaceID, to hurried: Set<SessionID>, on sessions: inout Sessions,
        at now: Instant
    ) -> [EngineAction] {
        guard let view = spaces[space] else { return [] }
        sessions.dueOwnAck(of: space, hurried: hurried, at: now)
        return [statements.beginAck(of: view, hurried: hurried)].compactMap(\.self)
    }

    /// Also when everything was known already: the sender's window waits for it.
    mutating func acknowledge(
        _ report: ApplyReport, from source: SessionID, of sessions: inout Sessions,
        at now: Instant
    ) -> [EngineAction] {
        let isHeld =
            sessions[source].map { spaces.mayHold($0.peer.device, report.space) } ?? false
        guard !report.stored.isEmpty || isHeld else { return [] }
        // What an author brings itself nobody else brings soon.
        let far = Set(report.stored.map(\.header.log.device))
            .subtracting(sessions.connectedDevices.union([spaces.device]))
        let next = far.flatMap {
            sessions.nextToBring(to: spaces.device, from: $0, in: report.space)
        }
        return acknowledge(
            report.space, to: Set(next).union([source]), on: &sessions, at: now)
    }

    private mutating func signed(
        _ ack: UnverifiedAck, on sessions: inout Sessions, at now: Instant
    ) -> [EngineAction] {
        keep(ack)
        let again = statements.signedAck(of: ack.said.space)
        sessions.dueUntold(ack.said, at: now)
        let actions = sessions.each { $0.spaces.flushOwnAcks(self, at: now) }
        guard let again else { return actions }
        return actions + acknowledge(ack.said.space, to: again, on: &sessions, at: now)
    }

    /// Every peer that holds the space hears at once what files this device has of it.
    private mutating func signed(
        _ holdings: UnverifiedHoldings, on sessions: inout Sessions
    ) -> [EngineAction] {
        let (space, device) = (holdings.said.space, spaces.device)
        let isSaidAgain =
            holdings.said.counter == statements.holdings[space]?[device]?.said.counter
        let isAsked = statements.reports.signed(space)
        keep(holdings)
        return sessions.each(sharing: space) {
            $0.spaces.step(in: space) {
                isSaidAgain && isAsked
                    ? $0.statements.tellAgain(holdingsOf: device, self)
                    : $0.statements.tell(holdingsOf: device, self)
            }
        }
    }

    /// Another device's ack, verified and stored: it goes on to peers that its author does not reach.
    private mutating func receive(
        _ ack: UnverifiedAck, from source: SessionID, of sessions: inout Sessions,
        at now: Instant
    ) -> [EngineAction] {
        keep(ack)
        let (author, space) = (ack.said.device, ack.said.space)
        let heard = sessions.each { state in
            guard state.peer.device == author else { return [] }
            let freed = state.acknowledged(ack.said, &self, at: now)
            let told = state.spaces.step(in: space) { $0.statements.tellOnce(self) }
            // It has just got the space, and knows nothing yet of what others said of it.
            if !told.isEmpty { state.announcements.add([space]) }
            return freed + told + state.flushAnnouncements(&self, at: now)
        }
        return heard + relay(author, in: space, from: source, of: &sessions, at: now)
    }

    /// Passes on what a device said.
    private mutating func relay(
        _ author: DeviceID, in space: SpaceID, from source: SessionID, of sessions: inout Sessions,
        at now: Instant
    ) -> [EngineAction] {
        let reach = sessions.reach(of: spaces)
        return sessions.each(except: source) { state in
            let others = state.reach.devices.count
            return state.spaces.step(in: space) {
                $0.statements.relay(author, reach, reaching: others, self, at: now)
            }
        }
    }

    // MARK: Files

    /// A space names other files than before: in new commits, or as earlier ones count now, or count no more.
    mutating func noteNamed(by report: ApplyReport, at now: Instant) -> [EngineAction] {
        let isNamingMore = report.stored.contains { !$0.clear.blobs.isEmpty }
        guard isNamingMore || report.reevaluated > 0 else { return [] }
        if isNamingMore { statements.reports.needed([report.space]) }
        statements.reports.changed([report.space])
        return statements.dueReports(at: now)
    }

    mutating func handleTransfer(_ event: EngineEvent, at now: Instant) -> [EngineAction] {
        switch event {
        case .blobFinished(let blob, let spaces):
            statements.reports.changed(transfers.wanted.spaces(naming: blob).intersection(spaces))
        // Also files that were here before.
        case .blobsNeeded(let needs):
            statements.reports.needed(needs.map(\.space))
        case .filesFreed(let spaces): statements.reports.changed(spaces)
        default: break
        }
        // Serving checks today's membership, and takes the same path for every refusal.
        if case .bulkReceived(let bulk, .want(let want)) = event { return [.serve(bulk, want)] }
        return transfers.handle(event, at: now)
    }

    /// When there is to be looked for files that nobody near has; nil when none is waited for.
    var seekingDue: UInt64? {
        transfers.wanted.isIdle ? nil : lastSeeking + Limits.seekingMilliseconds
    }

    /// Of files that wait, those which by what was said of holdings no connected device has: who else
    /// has them is to be called.
    mutating func seekFiles(_ sessions: Sessions, at now: Instant) -> [EngineAction] {
        guard !sessions.isEmpty, let due = seekingDue, now.monotonic >= due else { return [] }
        lastSeeking = now.monotonic
        let connected = sessions.connectedDevices
        var far: Set<DeviceID> = []
        for need in transfers.wanted.waiting.prefix(Limits.soughtBlobs) {
            let known = Set(
                transfers.wanted.spaces(naming: need.blob).flatMap {
                    statements.holders(of: need.blob, in: $0, spaces)
                })
            if connected.isDisjoint(with: known) { far.formUnion(known) }
        }
        // Each who seeks asks others first.
        let own = spaces.device.start
        let first = far.sorted { mixed(mixed(own) ^ $0.start) < mixed(mixed(own) ^ $1.start) }
            .prefix(Limits.soughtDevices)
        return first.isEmpty ? [] : [.seek(Set(first))]
    }
}

extension Limits {
    // MARK: Files far away

    /// How often there is looked for files that nobody near has.
    package static let seekingMilliseconds: UInt64 = 10_000
    /// Files that are looked for at once.
    package static let soughtBlobs = 64
    /// Of all that have them, how many are called.
    package static let soughtDevices = 2
}
