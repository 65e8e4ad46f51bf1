package import Identity
internal import Store
package import SyncCore

/// What a device decides after something happened: whom it trusts, what it gives the other devices of its
/// person, which keys it makes and hands on, what it says of rights. Of events it makes actions, as the
/// engine does one floor below; it waits for nothing and writes nothing but notes about itself.
package struct Node: Sendable {
    package enum Event: Sendable {
        /// The store was opened.
        case started
        /// Others changed who may do what in a space.
        case membershipChanged(SpaceID)
        /// This device changed it.
        case rightsWritten(SpaceID)
        /// A space follows another schema: one that this device may know, unlike the one before.
        case schemaChanged(SpaceID)
        /// Something came that is sealed with a key that somebody lacks.
        case keysWanted(SpaceID)
        /// A device was paired with; `isMine`: as a further one of this person.
        case paired(DeviceID, PersonID, isMine: Bool)
        /// A device was forgotten, or this one is another person's.
        case devicesChanged
        /// The disk has room again: what could not be written is looked at once more.
        case roomReturned
        case sessionOpened(SessionID, DeviceID)
        case sessionClosed(SessionID)
        case received(PeerMessage, SessionID)
        /// This device said something of lost devices.
        case lossSaid([UnverifiedLossStatement])
        /// The person's key is here: connected devices may bring back what it can.
        case recoveryBegan(PersonKey)
        case tick
    }

    package enum Action: Sendable {
        /// These signing keys are trusted from now on; sessions with others end.
        case trust(Set<Bytes32>)
        /// Devices that are not connected are called: one may be there that was a stranger before.
        case callAgain
        case send(PeerMessage, SessionID)
        /// The peer broke the rules: its session ends.
        case end(SessionID)
        /// Something is to be written, in its time.
        case carryOut(Duty)
        /// Something was written: the engine has to hear of it.
        case adopt(EngineWork.Done)
        case note(Note)
    }

    /// Writing that follows from what happened.
    package enum Duty: Sendable {
        /// Gives the other devices of this person what they lack.
        case siblings
        /// Takes from lost devices what this device may take from them.
        case lostRights
        /// Writes down that this person's recovery key was exchanged.
        case exchangedKeys
        /// Says again that people left.
        case leaves
        /// Makes a key of a space, or hands keys on.
        case keys(SpaceID)
        /// Writes the names of this device and its person into a space.
        case profile(SpaceID)
        /// Notes the offer of a space that a device makes now; nil: it took its own back.
        case offer(SpaceID, Offer?, by: DeviceID)
        /// Writes down what the key of a person gives to a device of theirs.
        case statements([UnverifiedPersonStatement], for: DeviceID)
    }

    /// Something for the log.
    package enum Note: Sendable {
        /// A space was taken from this device.
        case taken(SpaceID)
        /// A device is lost, by the word of somebody else.
        case lost(DeviceID)
        /// It is lost no more.
        case found(DeviceID)
        /// A device came with a recovery key that is not its person's.
        case falseKey(DeviceID)
        case failed(String, any Error)
    }

    package let work: EngineWork
    /// The signing keys of those with whom this device talks.
    package private(set) var trusted: Set<Bytes32> = []
    private var rights: RightsExchange
    private var offers: OfferWatch
    private var losses: LossExchange
    /// The devices that were lost when it was looked last.
    private var lost: Set<DeviceID> = []
    /// When this device writes what others may write meanwhile.
    private var sharedTimes = WritingTimes<SharedWriting>()
    /// When the keys of a space are looked after: what somebody else does meanwhile need not be done twice.
    private var keyTimes = WritingTimes<SpaceID>()

    package init(_ work: EngineWork) {
        self.work = work
        rights = RightsExchange(work)
        offers = OfferWatch(work)
        losses = LossExchange(work)
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .started:
            keepAllKeys(now)
            return attempt("lost devices not read") {
                $0.lost = try $0.work.losses.lostDevices()
                return []
            } + refreshTrust() + dueWriting(now)
                + missingProfiles(in: work.store.ledgers.keys)
        case .membershipChanged(let space):
            keepKeys(of: space, now)
            return rightsChanged(in: space, isByOthers: true) + findLost(now) + dueWriting(now)
                + [.carryOut(.profile(space)), .carryOut(.siblings)]
        case .rightsWritten(let space):
            // An exchange of keys gives back what others lack the keys of.
            keepKeys(of: space, now)
            return rightsChanged(in: space, isByOthers: false) + findLost(now) + dueWriting(now)
                + missingProfiles(in: [space])
        case .schemaChanged(let space): return missingProfiles(in: [space])
        case .keysWanted(let space):
            keepKeys(of: space, now)
            return []
        case .paired(let device, let person, let isMine):
            return refreshTrust()
                + attempt("lost devices not told") { try $0.hold(device, of: person, now) }
                + findLost(now) + (isMine ? [.carryOut(.siblings)] : [])
        case .devicesChanged: return refreshTrust()
        case .roomReturned: return roomReturned(now)
        case .sessionOpened(let session, let device):
            rights.opened(session, device)
            offers.opened(session, device)
            // The card that it came with may show that it was lost before.
            return attempt("lost devices not told") { try $0.losses.opened(session, device) }
                + findLost(now)
        case .sessionClosed(let session):
            rights.closed(session)
            offers.closed(session)
            losses.closed(session)
            return []
        case .received(let message, let session):
            return attempt("rights not exchanged") { try $0.rights.received(message, on: session) }
                + attempt("offers not read") { try $0.offers.received(message, on: session) }
                + heardLosses(message, on: session, now)
        case .lossSaid(let statements): return say(statements, now)
        case .recoveryBegan(let key):
            return attempt("recovery key not used") { try $0.rights.regain(with: key) }
        case .tick: return tick(now)
        }
    }

    /// When ``Event/tick`` is due, in milliseconds from now; nil while nothing waits for its time.
    package func nextTick(at now: Instant) -> UInt64? {
        [keyTimes.next, sharedTimes.next].compactMap(\.self).min()
            .map { $0 - min($0, now.monotonic) }
    }

    /// What could not be written is due again, and does not count as written.
    private mutating func roomReturned(_ now: Instant) -> [Action] {
        keyTimes.forgetWritten()
        sharedTimes.forgetWritten()
        keepAllKeys(now)
        return attempt("lost devices not asked for") { try $0.losses.askAgain() }
            + dueWriting(now) + missingProfiles(in: work.store.ledgers.keys)
            + [.carryOut(.siblings)]
    }

    // MARK: Rights and trust

    /// A peer that lost a space is told before it is no longer trusted.
    private mutating func rightsChanged(in space: SpaceID, isByOthers: Bool) -> [Action] {
        attempt("notice not judged") {
            try $0.work.notices.judgeNotice(of: space).map { [.taken(space, $0)] } ?? []
        } + attempt("rights not exchanged") { try $0.rights.changed(in: space) }
            + attempt("lost devices not told") { try $0.losses.peopleChanged() }
            + refreshTrust(callsAgain: isByOthers)
    }

    /// With `callsAgain` others are called also when nobody is trusted now who was not before.
    private mutating func refreshTrust(callsAgain: Bool = false) -> [Action] {
        let before = trusted
        let failure = attempt("trust not refreshed") { node in
            node.trusted = try node.work.devices.trustedKeys()
            return []
        }
        return failure + (trusted == before ? [] : [.trust(trusted)])
            + (callsAgain || !trusted.isSubset(of: before) ? [.callAgain] : [])
    }

    // MARK: Keys

    private mutating func keepAllKeys(_ now: Instant) {
        for space in work.store.ledgers.keys { keepKeys(of: space, now) }
    }

    private mutating func keepKeys(of space: SpaceID, _ now: Instant) {
        if !keyTimes.isPlanned(space), let seconds = work.epochs.duty(in: space) {
            keyTimes.plan(space, inSeconds: seconds, at: now.monotonic)
        }
    }

    private mutating func tick(_ now: Instant) -> [Action] {
        let work = work
        let spaces = keyTimes.consumeDue(at: now.monotonic) { work.epochs.duty(in: $0) != nil }
        let shared = sharedTimes.consumeDue(at: now.monotonic)
        return spaces.sorted().map { .carryOut(.keys($0)) }
            + SharedWriting.allCases.filter(shared.contains).map { .carryOut($0.duty) }
    }

    private mutating func dueWriting(_ now: Instant) -> [Action] {
        SharedWriting.allCases.filter { !sharedTimes.isPlanned($0) }.flatMap { writing in
            attempt(writing.failure) { node in
                if let seconds = try writing.seconds(node.work) {
                    node.sharedTimes.plan(
                        writing, inSeconds: seconds, at: now.monotonic, isUrgent: writing.isUrgent)
                }
                return []
            }
        }
    }

    /// Names that could not be written when this device joined: there was no room, it was stopped, had no right
    /// to, or did not know the schema.
    private mutating func missingProfiles(in spaces: some Sequence<SpaceID>) -> [Action] {
        attempt("names not read") { node in
            let writing = ProfileWriting(node.work)
            return try spaces.sorted()
                .filter { try writing.isLacking(in: $0) }.map { .carryOut(.profile($0)) }
        }
    }

    // MARK: Lost devices

    private mutating func heardLosses(
        _ message: PeerMessage, on session: SessionID, _ now: Instant
    ) -> [Action] {
        attempt("lost devices not noted") { node in
            let (actions, new) = try node.losses.received(message, on: session)
            // A lost device is told before it is trusted no more.
            return actions + (new.isEmpty ? [] : node.lossesChanged(now, isAnnounced: true))
        }
    }

    private mutating func say(
        _ statements: [UnverifiedLossStatement], _ now: Instant
    ) -> [Action] {
        attempt("lost devices not told") { try $0.losses.spread(statements) }
            + lossesChanged(now, isAnnounced: false)
    }

    /// A person who pairs with a lost device of theirs has it in their hands.
    private mutating func hold(
        _ device: DeviceID, of person: PersonID, _ now: Instant
    ) throws -> [Action] {
        let said = try LossSaying(work, about: person)?.found(device) ?? []
        return said.isEmpty ? [] : say(said, now)
    }

    /// Devices became known, or their cards: some may be lost by what was said before.
    private mutating func findLost(_ now: Instant) -> [Action] {
        attempt("lost devices not read") { node in
            try node.work.losses.lostDevices() == node.lost
                ? [] : node.lossesChanged(now, isAnnounced: true)
        }
    }

    /// The set of lost devices changed, or may have.
    private mutating func lossesChanged(_ now: Instant, isAnnounced: Bool) -> [Action] {
        let before = lost
        let notes = attempt("lost devices not read") { node in
            node.lost = try node.work.losses.lostDevices()
            guard isAnnounced else { return [] }
            return node.lost.subtracting(before).sorted().map { .note(.lost($0)) }
                + before.subtracting(node.lost).sorted().map { .note(.found($0)) }
        }
        guard lost != before else { return notes + dueWriting(now) }
        // One that was found gets the keys that it was not given.
        keepAllKeys(now)
        return notes + refreshTrust(callsAgain: true) + dueWriting(now)
            + [.carryOut(.siblings)]
    }

    // MARK: Recovery

    /// Whether everybody who was asked for what a key brings back has answered, or is gone.
    package var isRecoveryAnswered: Bool { rights.isRecoveryAnswered }

    /// What a key brought back; it does not stay.
    package mutating func endRegaining() -> [RightsExchange.Regained] { rights.endRegaining() }

    private mutating func attempt(
        _ what: String, _ body: (inout Node) throws -> [Action]
    ) -> [Action] {
        do {
            return try body(&self)
        } catch {
            return [.note(.failed(what, error))]
        }
    }
}

extension EngineWork.Done {
    /// What the node has to hear of, in this order.
    package var news: [Node.Event] {
        var news: [Node.Event] = []
        if let space = membershipChanged { news.append(.membershipChanged(space)) }
        news += rightsWritten.map { .rightsWritten($0) }
        if let space = schemaChanged { news.append(.schemaChanged(space)) }
        if let space = keysWanted { news.append(.keysWanted(space)) }
        return news
    }
}

extension Node.Action {
    /// The engine has to hear that a space was taken from this device, or that this holds no longer.
    static func taken(_ space: SpaceID, _ isTaken: Bool) -> Node.Action {
        .adopt(EngineWork.Done(events: [.spaceTaken(space, isTaken: isTaken)]))
    }
}
