package import Device
import Discovery
import Foundation
import Identity
package import LocalAPI
internal import Logging
internal import Records
import Store
import SyncCore
package import Transport

/// Pairing for people: codes that are shown and typed, questions and answers, one view per pairing.
package actor PairingService {
    private typealias Answers = AsyncStream<PairingEvent>.Continuation

    /// What this device does in a pairing.
    private enum Part {
        /// Its code is shown and nobody has taken it.
        case showsCode
        /// The attempt of this connection took the code; others that called change nothing.
        case hosts(connection: UInt64, Answers)
        /// Somebody who has proven to know the code waits for answers.
        case joins(Task<Void, Never>, Answers?)
    }

    private struct Entry {
        let shown: Observable<PairingView>
        var part: Part
        /// How many wait for its next step at this moment, and when the last one did.
        var watchers = 0
        var watched = ContinuousClock.now
        /// Why the result could not be stored.
        var fault: APIError?

        var view: PairingView { shown.value }
        var isOver: Bool { view.isOver }

        /// The attempt to join, until it is over.
        var joining: Task<Void, Never>? {
            if case .joins(let task, _) = part, !isOver { task } else { nil }
        }

        /// Where the person's answers go.
        var answers: Answers? {
            switch part {
            case .showsCode: nil
            case .hosts(_, let answers): answers
            case .joins(_, let answers): answers
            }
        }

        func isHosted(by connection: UInt64) -> Bool {
            if case .hosts(connection, _) = part { true } else { false }
        }
    }

    private let node: AgentNode
    private let network: NetworkService
    private let trust: TrustDirectory
    private let endpoint: Endpoint
    private let logger: Logger
    private var tracker: PairingOffers
    private var entries: [String: Entry] = [:]
    /// The ids of the entries, oldest first.
    private var order: [String] = []
    /// The host's pairing whose code is shown, and the task that ends it.
    private var shown: (id: String, serial: Int64, expiry: Task<Void, Never>)?
    private var lastNameplate: String?
    /// What discovery is to announce, and whether somebody is telling it.
    private var nameplate: String?
    private var isAnnouncing = false

    package init(_ node: AgentNode, _ network: NetworkService, _ endpoint: Endpoint) throws {
        (self.node, self.network, self.endpoint) = (node, network, endpoint)
        (trust, logger) = (node.trust, node.logger)
        let burned = try node.store.pairingCodes.burnedCount()
        tracker = PairingOffers(attempts: PairingAttempts(burned: burned))
    }

    // MARK: Host

    package func open(asLink: Bool) async throws -> PairingView {
        if let fault = node.storage.fault { throw fault }
        guard await network.isOn, let port = await network.port else { throw APIError.syncIsOff }
        let nameplate = try await claimNameplate(asLink: asLink)
        let outage = await network.outage
        // From here to the end nothing waits: two calls at once must not mix their codes.
        if tracker.attempts.areExhausted {
            // A person asks again: that is what reopens pairing.
            tracker.reopen()
            try node.store.pairingCodes.reopen()
        }
        var random = SystemRandomNumberGenerator()
        let offer = PairingOffer(random: &random, now: .now, nameplate: nameplate)
        let addresses = LocalAddresses.current()
        let link = asLink ? try makeLink(offer, at: addresses.first, port: port) : nil
        let serial = try node.store.pairingCodes.add(now: node.clock.wall)
        do {
            try tracker.open(offer)
        } catch {
            throw APIError.pairingBusy
        }
        if !asLink { lastNameplate = nameplate }
        retireShown(failure: .pairingReplaced)
        let expires = Milliseconds(
            node.clock.wall.value + UInt64(Limits.pairingCodeSeconds) * 1000)
        let view = PairingView(
            id: UUID().uuidString.lowercased(), revision: 1, phase: .waiting,
            code: asLink ? nil : offer.code.text, link: link,
            expires: Moment(expires),
            addresses: addresses.map { "\(HostPort(host: $0, port: port))" },
            discovery: outage == nil ? .working : .noAvahi,
            remedy: outage.map { Reachability.remedy($0) })
        keep(Entry(shown: Observable(view), part: .showsCode))
        logger.note(
            .info, .pairing, asLink ? "link shown" : "code shown", record: view.id.logged)
        trust.setPairing(open: true)
        announce(asLink ? nil : offer.code.nameplate)
        let expiry = Task.at(offer.validUntil) { [weak self] in await self?.expire(view.id) }
        shown = (view.id, serial, expiry)
        return view
    }

    /// Announced from now on, but for a link, which needs none.
    private func claimNameplate(asLink: Bool) async throws -> String {
        guard !asLink else { return "" }
        do {
            return try await network.claimNameplate(previous: lastNameplate)
        } catch {
            announce(nameplate)
            throw error
        }
    }

    private func makeLink(_ offer: PairingOffer, at host: String?, port: UInt16) throws -> String {
        guard let host else {
            throw APIError(
                code: .unreachable,
                sentence: "This computer has no network address to put into a link.",
                hint: "Connect it to the network first.")
        }
        let link = try PairingLink(
            host: host, port: port, device: node.identity.deviceID, secret: offer.linkSecret)
        return link.text
    }

    private func expire(_ id: String) {
        guard shown?.id == id else { return }
        if entries[id]?.view.phase == .waiting { closeShown(failure: .expiredCode) }
    }

    private func closeShown(failure: APIError) {
        guard shown != nil else { return }
        tracker.close()
        trust.setPairing(open: false)
        announce(nil)
        retireShown(failure: failure)
    }

    /// The shown code is not the one that counts any more.
    private func retireShown(failure: APIError) {
        guard let (id, _, expiry) = shown else { return }
        expiry.cancel()
        shown = nil
        if entries[id]?.view.phase == .waiting { update(id, phase: .failed, failure: failure) }
    }

    /// Has discovery announce this. Whatever was asked for last is what it hears last.
    private func announce(_ wanted: String?) {
        nameplate = wanted
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            var said: String?
            repeat {
                said = nameplate
                await network.setNameplate(said)
            } while said != nameplate
            isAnnouncing = false
        }
    }

    /// Keeps an entry, and of those that are over only the latest.
    private func keep(_ entry: Entry) {
        entries[entry.view.id] = entry
        order.removeAll { entries[$0] == nil }
        order.append(entry.view.id)
        for id in order.dropLast(Limits.pairingsKept) where entries[id]?.isOver ?? false {
            entries[id] = nil
        }
    }

    /// A device opened a pairing connection to this one.
    package func serve(_ connection: Connection) async {
        guard let id = shown?.id, entries[id]?.view.phase == .waiting,
            let card = node.identity.unverifiedCard
        else {
            endpoint.errors.note(connection.remoteAddress.host, "no code is shown")
            return
        }
        var random = SystemRandomNumberGenerator()
        let machine = HostPairing(
            party: await party(peerKey: connection.peerKey), card: card,
            homeSpace: node.identity.homeSpace,
            randomness: PairingRandomness(random: &random), now: .now)
        let run = PairingRun(connection: connection, errors: endpoint.errors)
        let delegate = PairingRun.Delegate(
            burn: { [weak self] in
                await self?.burn($0, for: id, connection.id, run.post) ?? .cancelled
            },
            ask: { [weak self] in await self?.ask($0, id) },
            store: { try await self.store($0, asHost: true, with: connection, id) })
        let end = await run.run(.host(machine), delegate)
        // Somebody who meant another code, or came second, leaves ours as it is.
        guard entries[id]?.isHosted(by: connection.id) ?? false else { return }
        await ended(id, end)
    }

    private func burn(
        _ nameplate: String, for id: String, _ connection: UInt64, _ answers: Answers
    ) -> PairingEvent {
        switch tracker.burn(nameplate: nameplate, now: .now) {
        case .failure(let refusal): return .notBurned(refusal.reason)
        case .success(let offer):
            do {
                guard let shown, shown.id == id,
                    try node.store.pairingCodes.burn(shown.serial, now: node.clock.wall)
                else {
                    tracker.end(paired: false)
                    return .notBurned(.closed)
                }
            } catch {
                node.storage.notWritten("pairing code not burned", error)
                tracker.end(paired: false)
                return .notBurned(.closed)
            }
            entries[id]?.part = .hosts(connection: connection, answers)
            logger.note(.info, .pairing, "code burned", record: id.logged)
            update(id, phase: .connected)
            return .burned(offer)
        }
    }

    private func store(
        _ result: PairingResult, asHost: Bool, with connection: Connection, _ id: String
    ) async throws {
        do {
            try await PairingStore(node).keep(
                result, asHost: asHost, with: connection.remoteAddress.host)
        } catch {
            node.storage.notWritten("pairing not stored", error, isTold: true)
            entries[id]?.fault = ErrorSentence.of(error)
            throw error
        }
    }

    private func ended(_ id: String, _ end: PairingEnd) async {
        switch end.result {
        case .success:
            tracker.end(paired: true)
            update(id, phase: .stored)
        case .failure(let failure):
            // Unconfirmed: this side has stored, and keeps it.
            tracker.end(paired: failure == .unconfirmed)
            update(
                id, phase: .failed,
                failure: PairingSentence.host(
                    failure, end.progress, other: entries[id]?.view.other,
                    isLast: tracker.attempts.areExhausted, fault: entries[id]?.fault),
                why: "\(failure)")
        }
        if shown?.id == id { closeShown(failure: .pairingCancelled) }
        await network.trustChanged()
    }

    // MARK: Joining device

    package func join(_ request: JoinRequest) async throws -> PairingView {
        let target = try JoinTarget(request)
        try PairingStore(node).checkJoin(mine: request.mine, replacePerson: request.replacePerson)
        // Two at once could make this device belong to two persons by halves.
        guard !entries.values.contains(where: { $0.joining != nil }) else {
            throw APIError.alreadyJoining
        }
        let view = PairingView(
            id: UUID().uuidString.lowercased(), revision: 1, phase: .waiting)
        let task = Task { await self.join(target, mine: request.mine, view.id) }
        keep(Entry(shown: Observable(view), part: .joins(task, nil)))
        logger.note(
            .info, .pairing, "joining", record: view.id.logged,
            details: ["mine": "\(request.mine)"])
        return view
    }

    private func join(_ target: JoinTarget, mine: Bool, _ id: String) async {
        let identity: JoinPairing.Identity
        if mine {
            identity = .hostsPerson(present: node.identity.unverifiedCard)
        } else if let card = node.identity.unverifiedCard {
            identity = .ownPerson(card)
        } else {
            return update(id, phase: .failed, failure: .notInitialised)
        }
        let run = JoinRun(
            target, network: network, endpoint: endpoint, logger: logger,
            JoinRun.Delegate(
                machine: { [weak self] connection, proofTime in
                    await self?.machine(target, identity, connection, proofTime)
                },
                connected: { [weak self] in await self?.isConnected(id) },
                ask: { [weak self] in
                    await self?.isProven(id, $1)
                    await self?.ask($0, id)
                },
                store: { try await self.store($0, asHost: false, with: $1, id) }))
        let ends = await run.run()
        guard !ends.contains(where: \.isPaired) else {
            update(id, phase: .stored)
            return await network.trustChanged()
        }
        let failure =
            Task.isCancelled
            ? .pairingCancelled
            : PairingSentence.join(
                ends, at: target.address, other: entries[id]?.view.other,
                isDeaf: await network.outage != nil, fault: entries[id]?.fault)
        update(id, phase: .failed, failure: failure)
    }

    private func machine(
        _ target: JoinTarget, _ identity: JoinPairing.Identity, _ connection: Connection,
        _ proofTime: Duration
    ) async -> JoinPairing {
        var random = SystemRandomNumberGenerator()
        return JoinPairing(
            party: await party(peerKey: connection.peerKey), identity: identity,
            secret: target.secret, expectedDevice: target.device,
            randomness: PairingRandomness(random: &random), now: .now, proofTime: proofTime)
    }

    private func isConnected(_ id: String) {
        if entries[id]?.view.phase == .waiting { update(id, phase: .connected) }
    }

    private func isProven(_ id: String, _ answers: Answers) {
        guard case .joins(let task, _) = entries[id]?.part else { return }
        entries[id]?.part = .joins(task, answers)
    }

    // MARK: Both

    private func party(peerKey: Bytes32) async -> PairingParty {
        let port = await network.port
        return PairingParty(
            keys: node.identity.keys, peerKey: peerKey,
            personName: node.names.person(node.identity.person),
            deviceName: node.identity.deviceName, listeningPort: port ?? 0,
            issuer: node.cardIssuer)
    }

    private func ask(_ question: PairingQuestion, _ id: String) {
        let other = PairingView.Other(
            deviceID: DeviceIDText.text(of: question.card.device),
            deviceName: question.deviceName, personName: question.personName,
            mine: question.mine)
        update(id, phase: .confirm, other: other)
        endOnceUnwatched(id)
    }

    /// A closed terminal gives no more answers: tell the other person, and let a code be shown again.
    private func endOnceUnwatched(_ id: String) {
        Task { [weak self] in
            while let patience = await self?.patience(with: id) {
                guard patience > .zero else {
                    _ = try await self?.cancel(id)
                    return
                }
                try await Task.sleep(for: patience)
            }
        }
    }

    /// How much longer a pairing may go unwatched; nil when it is over.
    private func patience(with id: String) -> Duration? {
        guard let entry = entries[id], !entry.isOver else { return nil }
        let limit = Duration.seconds(Limits.pairingUnwatchedSeconds)
        return entry.watchers > 0 ? limit : limit - entry.watched.duration(to: .now)
    }

    package func poll(_ id: String, _ poll: RevisionPoll) async throws -> PairingView {
        let known = try view(id)
        entries[id]?.watchers += 1
        defer {
            entries[id]?.watchers -= 1
            entries[id]?.watched = .now
        }
        let changed = try await entries[id]?.shown.first(within: .seconds(poll.waitSeconds)) {
            $0.revision == poll.knownRevision ? nil : $0
        }
        return changed ?? known
    }

    /// The person's answer. After a no it is over when this returns, and the other side has been told.
    package func decide(_ id: String, accept: Bool) async throws -> PairingView {
        let current = try view(id)
        // The other side may just have ended it.
        guard !current.isOver else { return current }
        guard current.phase == .confirm else {
            throw APIError(
                code: .conflict, sentence: "This pairing does not wait for an answer.",
                hint: "See how far it is: peersync status")
        }
        entries[id]?.answers?.yield(.decided(accepted: accept))
        guard !accept else {
            update(id, phase: .confirmed)
            return try view(id)
        }
        return try await end(of: id)
    }

    package func cancel(_ id: String) async throws -> PairingView {
        guard !(try view(id).isOver), let entry = entries[id] else { return try view(id) }
        switch entry.part {
        case .joins(let task, _): task.cancel()
        case .hosts(_, let answers): answers.yield(.cancelled)
        case .showsCode: if shown?.id == id { closeShown(failure: .pairingCancelled) }
        }
        // Both may have stored at this moment: only the attempt itself knows how it ended.
        return try await end(of: id)
    }

    /// How it ended, which it is about to.
    private func end(of id: String) async throws -> PairingView {
        let ended = try await entries[id]?.shown.first(
            within: .seconds(Limits.pairingCancelSeconds)
        ) { $0.isOver ? $0 : nil }
        return try ended ?? view(id)
    }

    /// Withdraws what is shown and ends attempts to join, letting one that is storing finish. For
    /// when the network goes away.
    package func close() async {
        closeShown(failure: .pairingCancelled)
        let joining = entries.values.compactMap(\.joining)
        for task in joining { task.cancel() }
        for task in joining { await task.value }
    }

    private func view(_ id: String) throws -> PairingView {
        guard let view = entries[id]?.view else {
            throw APIError(
                code: .notFound, sentence: "That pairing is over or was never started.",
                hint: "Start again: peersync pair")
        }
        return view
    }

    private func update(
        _ id: String, phase: PairingView.Phase, other: PairingView.Other? = nil,
        failure: APIError? = nil, why: String? = nil
    ) {
        guard let shown = entries[id]?.shown, !shown.value.isOver else { return }
        var details: Logger.Metadata = [:]
        if let reason = why ?? failure.map({ "\($0.code)" }) { details["why"] = "\(reason)" }
        logger.note(.info, .pairing, "\(phase)", record: id.logged, details: details)
        shown.update { view in
            view = PairingView(
                id: id, revision: view.revision + 1, phase: phase, code: view.code,
                link: view.link, expires: view.expires, addresses: view.addresses,
                discovery: view.discovery, remedy: view.remedy, other: other ?? view.other,
                failure: failure)
        }
    }
}

extension PairingView {
    fileprivate var isOver: Bool { phase == .stored || phase == .failed }
}

extension String {
    /// The first letters of a pairing's id: it is no secret, but it need not be known either.
    fileprivate var logged: String { String(prefix(8)) }
}

extension Limits {
    /// How long a person who cancels or says no waits to hear how it ended: both devices may have
    /// stored already.
    package static let pairingCancelSeconds = 3
    /// How long a pairing that waits for people goes on while nobody asks how it stands.
    package static let pairingUnwatchedSeconds = 30
    /// Pairings that can still be asked about after they ended.
    package static let pairingsKept = 16
}
