package import SyncCore

/// The host's side of one pairing connection: the device that shows the code.
///
///     hello ─▶ burning ─▶ share ─▶ introduction ─▶ deciding ─▶ storing ─▶ confirming ─▶ ended
///              burn         │ pA      │ cA, name      │ names     │ both yes   │ "stored"
///
/// The host stores first. A joining device gives up its own person only after it has heard that the
/// host has stored, so it never belongs to a person whose devices do not know it. When the
/// connection breaks in between, the host knows a device that does not know the host
/// (``PairingFailure/unconfirmed``): harmless, as both people said yes to exactly this device, and
/// cured by joining once more, which stores the same card again.
///
/// `handle` takes about a tenth of a second for `burned` (scrypt): never call it where others wait.
package struct HostPairing: Sendable {
    private enum State {
        case hello
        case burning(mine: Bool)
        case share(ShareSent)
        case introduction(mine: Bool)
        case deciding(PairingDecisions)
        case storing(Storing)
        case confirming(PairingResult)
        case ended
    }

    /// The attempt is burned and the host's share is on its way.
    private struct ShareSent {
        let exchange: PairingExchange
        let mine: Bool
        let validUntil: ContinuousClock.Instant
    }

    private struct Storing {
        let result: PairingResult
        var isConnected = true
    }

    private let party: PairingParty
    private let card: UnverifiedCard
    private let homeSpace: SpaceID
    private let randomness: PairingRandomness
    private var state: State = .hello
    package private(set) var progress: PairingProgress = .opening
    /// When the machine wants a `tick`; nil when it waits for nobody.
    package private(set) var deadline: ContinuousClock.Instant?

    /// `card` is this device's own. `homeSpace` is the home space of its person, which a further
    /// device of that person is to follow.
    package init(
        party: PairingParty, card: UnverifiedCard, homeSpace: SpaceID,
        randomness: PairingRandomness, now: ContinuousClock.Instant
    ) {
        (self.party, self.card) = (party, card)
        (self.homeSpace, self.randomness) = (homeSpace, randomness)
        deadline = now + .seconds(Limits.pairingMessageSeconds)
    }

    /// What follows from `event`; after `finished` or `failed` always nothing.
    package mutating func handle(
        _ event: PairingEvent, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        if case .ended = state { return [] }
        if let deadline, now >= deadline { return expire() }
        switch event {
        case .message(let message): return receive(message, at: now)
        case .burned(let offer): return sendShare(offer, at: now)
        case .notBurned(let refusal): return refuse(refusal)
        case .decided(let accepted): return decide(accepted)
        case .stored: return announceStored(at: now)
        case .storeFailed: return isStoring ? fail(.storeFailed) : []
        case .cancelled: return cancel()
        case .disconnected: return disconnect()
        case .tick: return []
        }
    }

    // MARK: Messages

    private mutating func receive(
        _ message: PairingMessage, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        switch (state, message) {
        case (.storing, _):
            // Whatever it says, the store goes on; whether it stores too shows afterwards.
            return []
        case (.confirming(let result), .stored):
            end()
            return [.finished(result)]
        case (.confirming, _):
            return fail(.unconfirmed)
        case (_, .refusal(let reason)):
            return fail(.refused(reason))
        case (.hello, .hello(let nameplate, let mine)):
            return burn(nameplate, mine: mine)
        case (.share(let sent), .shareB(let share, let confirmation)):
            return verify(sent, share: share, confirmation: confirmation, at: now)
        case (.introduction(let mine), .introduction(let introduction)):
            return ask(introduction, mine: mine, at: now)
        case (.deciding, .decision(accepted: false)):
            return fail(.refused(.declined))
        case (.deciding(var decisions), .decision(accepted: true)):
            guard decisions.acceptThere() else { return fail(.misbehaved) }
            return proceed(decisions)
        default:
            return fail(.misbehaved)
        }
    }

    private mutating func burn(_ nameplate: String, mine: Bool) -> [PairingAction] {
        guard party.peerKey != party.keys.signingKey else { return fail(.ownDevice) }
        guard !mine || card.links.count < Limits.cardLinks else { return fail(.chainTooLong) }
        state = .burning(mine: mine)
        return [.burn(nameplate: nameplate)]
    }

    private mutating func verify(
        _ sent: ShareSent, share: [UInt8], confirmation: Bytes32, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        let keys: SPAKE2Keys
        do {
            keys = try sent.exchange.keys(peerShare: share)
        } catch {
            return fail(.misbehaved)
        }
        guard keys.isConfirmationB(confirmation.bytes) else { return fail(.wrongCode) }
        guard let own = Bytes32(keys.confirmationA) else { return fail(.misbehaved) }
        state = .introduction(mine: sent.mine)
        progress = .proven
        deadline = now + .seconds(Limits.pairingMessageSeconds)
        return [
            .send(.confirmationA(own)), .send(party.introduction(card: card, request: nil)),
        ]
    }

    private mutating func ask(
        _ introduction: PairingIntroduction, mine: Bool, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        guard let result = mine ? further(introduction) : party.result(introduction, mine: false)
        else {
            return fail(.misbehaved)
        }
        let decisions = PairingDecisions(result: result)
        state = .deciding(decisions)
        deadline = now + .seconds(Limits.pairingDecisionSeconds)
        return [.askPerson(decisions.question)]
    }

    /// A further device of this person. It has a card of this person already when it joined before
    /// and does so again; otherwise it gets one, which leaves this device only after both people
    /// said yes.
    private func further(_ introduction: PairingIntroduction) -> PairingResult? {
        let chain: UnverifiedCard
        switch (introduction.card, introduction.request) {
        case (let received?, nil): chain = received
        case (nil, let request?):
            guard
                let endorsed = try? party.issuer.endorse(
                    request, endorser: card, keys: party.keys)
            else { return nil }
            chain = endorsed
        default: return nil
        }
        guard let joined = party.verifiedPeerCard(chain),
            joined.content.personKey == card.links.last?.content.personKey,
            PairingName.isAcceptable(introduction.deviceName)
        else { return nil }
        return PairingResult(
            card: joined, personName: party.personName, deviceName: introduction.deviceName,
            listeningPort: introduction.listeningPort, mine: true,
            endorsement: PairingEndorsement(
                card: chain, homeSpace: homeSpace, personName: party.personName),
            joinedCard: joined)
    }

    // MARK: Local events

    private mutating func sendShare(
        _ offer: BurnedOffer, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        guard case .burning(let mine) = state else { return [] }
        progress = .guessed
        guard now < offer.validUntil else { return fail(.expired) }
        do {
            let exchange = try PairingExchange(
                role: .first, secret: offer.secret, pairingID: randomness.pairingID,
                hostKey: party.keys.signingKey, joinKey: party.peerKey,
                random: randomness.scalar)
            state = .share(
                ShareSent(exchange: exchange, mine: mine, validUntil: offer.validUntil))
            deadline = min(now + .seconds(Limits.pairingMessageSeconds), offer.validUntil)
            return [
                .send(.shareA(pairingID: randomness.pairingID, share: exchange.share))
            ]
        } catch {
            return fail(.expired)
        }
    }

    private mutating func refuse(_ refusal: PairingRefusal) -> [PairingAction] {
        guard case .burning = state else { return [] }
        end()
        return [.send(.refusal(refusal)), .failed(.refused(refusal))]
    }

    private mutating func decide(_ accepted: Bool) -> [PairingAction] {
        guard case .deciding(var decisions) = state else { return [] }
        guard accepted else { return fail(.declined) }
        guard decisions.acceptHere() else { return [] }
        return [.send(.decision(accepted: true))] + proceed(decisions)
    }

    private mutating func proceed(_ decisions: PairingDecisions) -> [PairingAction] {
        guard decisions.areComplete else {
            state = .deciding(decisions)
            return []
        }
        state = .storing(Storing(result: decisions.result))
        deadline = nil
        return [.store(decisions.result)]
    }

    private mutating func announceStored(at now: ContinuousClock.Instant) -> [PairingAction] {
        guard case .storing(let storing) = state else { return [] }
        guard storing.isConnected else { return fail(.unconfirmed) }
        state = .confirming(storing.result)
        deadline = now + .seconds(Limits.pairingMessageSeconds)
        let endorsement = storing.result.endorsement.map {
            [PairingAction.send(.endorsement($0))]
        }
        return (endorsement ?? []) + [.send(.stored)]
    }

    // MARK: Ends

    private var isStoring: Bool {
        if case .storing = state { true } else { false }
    }

    private mutating func expire() -> [PairingAction] {
        if case .confirming = state { return fail(.unconfirmed) }
        return fail(.expired)
    }

    private mutating func cancel() -> [PairingAction] {
        switch state {
        case .storing: []
        case .confirming: fail(.unconfirmed)
        default: fail(.cancelled)
        }
    }

    private mutating func disconnect() -> [PairingAction] {
        switch state {
        case .storing(var storing):
            storing.isConnected = false
            state = .storing(storing)
            return []
        case .confirming: return fail(.unconfirmed)
        default: return fail(.disconnected)
        }
    }

    private mutating func fail(_ failure: PairingFailure) -> [PairingAction] {
        end()
        return failure.actions
    }

    private mutating func end() {
        state = .ended
        deadline = nil
    }
}
