package import SyncCore

/// The joining device's side of one pairing: the device where the code is typed.
///
///     share ─▶ confirmation ─▶ introduction ─▶ deciding ─▶ [endorsement] ─▶ hostStored ─▶ storing
///      pA ─▶ pB, cB   cA          name            both yes     if mine        "stored"     "stored"
///
/// It stores after the host; see ``HostPairing``. Its own name and card leave it only after the
/// host has proven that it knows the code.
///
/// `handle` takes about a tenth of a second for the host's share (scrypt): never call it where
/// others wait.
package struct JoinPairing: Sendable {
    /// As whom a device joins.
    package enum Identity: Sendable {
        /// As a device of its own person, with this card.
        case ownPerson(UnverifiedCard)
        /// As a further device of the host's person; with the card it has so far, which counts if
        /// it is of that person (it has joined before) and is left behind otherwise.
        case hostsPerson(present: UnverifiedCard?)
    }

    private enum State {
        case share
        case confirmation(SPAKE2Keys)
        case introduction
        case deciding(PairingDecisions)
        case endorsement(PairingResult)
        case hostStored(PairingResult)
        case storing(Storing)
        case ended
    }

    private struct Storing {
        let result: PairingResult
        var isConnected = true
    }

    private let party: PairingParty
    private let identity: Identity
    private let secret: PairingSecret
    private let expectedDevice: DeviceID?
    private let randomness: PairingRandomness
    private let proofTime: Duration
    private var state: State = .share
    package private(set) var progress: PairingProgress = .opening
    /// When the machine wants a `tick`; nil when it waits for nobody.
    package private(set) var deadline: ContinuousClock.Instant?

    /// `expectedDevice` is who must answer, when a link says so. `proofTime` is what the host has for
    /// each of its messages until it has proven that it knows the secret.
    package init(
        party: PairingParty, identity: Identity, secret: PairingSecret, expectedDevice: DeviceID?,
        randomness: PairingRandomness, now: ContinuousClock.Instant,
        proofTime: Duration = .seconds(Limits.pairingMessageSeconds)
    ) {
        (self.party, self.identity) = (party, identity)
        (self.secret, self.expectedDevice) = (secret, expectedDevice)
        (self.randomness, self.proofTime) = (randomness, proofTime)
        deadline = now + proofTime
    }

    /// The first message; to be called once, on a connection whose handshake is complete.
    package mutating func start() -> [PairingAction] {
        let device = DeviceID(sha256(party.peerKey.bytes))
        guard party.peerKey != party.keys.signingKey else { return fail(.ownDevice) }
        guard expectedDevice == nil || expectedDevice == device else {
            return fail(.wrongDevice(device))
        }
        return [.send(.hello(nameplate: secret.nameplate, mine: isMine))]
    }

    /// What follows from `event`; after `finished` or `failed` always nothing.
    package mutating func handle(
        _ event: PairingEvent, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        if case .ended = state { return [] }
        if let deadline, now >= deadline { return fail(.expired) }
        switch event {
        case .message(let message): return receive(message, at: now)
        case .decided(let accepted): return decide(accepted, at: now)
        case .stored: return announceStored()
        case .storeFailed: return isStoring ? fail(.storeFailed) : []
        case .cancelled: return isStoring ? [] : fail(.cancelled)
        case .disconnected: return disconnect()
        case .burned, .notBurned, .tick: return []
        }
    }

    // MARK: Messages

    private mutating func receive(
        _ message: PairingMessage, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        switch (state, message) {
        case (.storing, _):
            // The host has stored: nothing it can say changes what this device does now.
            return []
        case (_, .refusal(let reason)):
            return fail(.refused(reason))
        case (.share, .shareA(let pairingID, let share)):
            return answer(share, pairingID: pairingID, at: now)
        case (.confirmation(let keys), .confirmationA(let confirmation)):
            guard keys.isConfirmationA(confirmation.bytes) else { return fail(.wrongCode) }
            state = .introduction
            progress = .proven
            deadline = now + .seconds(Limits.pairingMessageSeconds)
            return []
        case (.introduction, .introduction(let introduction)):
            return introduce(after: introduction, at: now)
        case (.deciding, .decision(accepted: false)):
            return fail(.refused(.declined))
        case (.deciding(var decisions), .decision(accepted: true)):
            guard decisions.acceptThere() else { return fail(.misbehaved) }
            return proceed(decisions, at: now)
        case (.endorsement(let result), .endorsement(let endorsement)):
            return adopt(endorsement, for: result)
        case (.hostStored(let result), .stored):
            state = .storing(Storing(result: result))
            deadline = nil
            return [.store(result)]
        default:
            return fail(.misbehaved)
        }
    }

    private mutating func answer(
        _ share: [UInt8], pairingID: Bytes16, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        do {
            let exchange = try PairingExchange(
                role: .second, secret: secret, pairingID: pairingID, hostKey: party.peerKey,
                joinKey: party.keys.signingKey, random: randomness.scalar)
            let keys = try exchange.keys(peerShare: share)
            guard let own = Bytes32(keys.confirmationB) else { return fail(.misbehaved) }
            state = .confirmation(keys)
            progress = .guessed
            deadline = now + proofTime
            return [.send(.shareB(share: exchange.share, confirmation: own))]
        } catch {
            return fail(.misbehaved)
        }
    }

    private mutating func introduce(
        after introduction: PairingIntroduction, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        guard let result = party.result(introduction, mine: isMine) else {
            return fail(.misbehaved)
        }
        let decisions = PairingDecisions(result: result)
        state = .deciding(decisions)
        deadline = now + .seconds(Limits.pairingDecisionSeconds)
        return [
            .send(ownIntroduction(hostsPerson: result.card.content.personKey)),
            .askPerson(decisions.question),
        ]
    }

    private func ownIntroduction(hostsPerson personKey: Bytes32) -> PairingMessage {
        switch identity {
        case .ownPerson(let card):
            return party.introduction(card: card, request: nil)
        case .hostsPerson(let present?)
        where present.links.last?.content.personKey == personKey:
            return party.introduction(card: present, request: nil)
        case .hostsPerson:
            let request = party.issuer.request(by: party.keys, for: personKey)
            return party.introduction(card: nil, request: request)
        }
    }

    /// Takes the card the host made, if it is of our keys and of the host's person.
    private mutating func adopt(
        _ endorsement: PairingEndorsement, for result: PairingResult
    ) -> [PairingAction] {
        guard let joined = try? party.verifier.verify(endorsement.card),
            joined.content
                == CardContent(
                    signingKey: party.keys.signingKey, agreementKey: party.keys.agreementKey,
                    personKey: result.card.content.personKey),
            PairingName.isAcceptable(endorsement.personName)
        else { return fail(.misbehaved) }
        state = .hostStored(
            PairingResult(
                card: result.card, personName: result.personName, deviceName: result.deviceName,
                listeningPort: result.listeningPort, mine: true, endorsement: endorsement,
                joinedCard: joined))
        return []
    }

    // MARK: Local events

    private mutating func decide(
        _ accepted: Bool, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        guard case .deciding(var decisions) = state else { return [] }
        guard accepted else { return fail(.declined) }
        guard decisions.acceptHere() else { return [] }
        return [.send(.decision(accepted: true))] + proceed(decisions, at: now)
    }

    private mutating func proceed(
        _ decisions: PairingDecisions, at now: ContinuousClock.Instant
    ) -> [PairingAction] {
        guard decisions.areComplete else {
            state = .deciding(decisions)
            return []
        }
        state = isMine ? .endorsement(decisions.result) : .hostStored(decisions.result)
        deadline = now + .seconds(Limits.pairingMessageSeconds)
        return []
    }

    private mutating func announceStored() -> [PairingAction] {
        guard case .storing(let storing) = state else { return [] }
        end()
        let farewell = storing.isConnected ? [PairingAction.send(.stored)] : []
        return farewell + [.finished(storing.result)]
    }

    private var isMine: Bool {
        if case .hostsPerson = identity { true } else { false }
    }

    private var isStoring: Bool {
        if case .storing = state { true } else { false }
    }

    // MARK: Ends

    private mutating func disconnect() -> [PairingAction] {
        guard case .storing(var storing) = state else { return fail(.disconnected) }
        storing.isConnected = false
        state = .storing(storing)
        return []
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
