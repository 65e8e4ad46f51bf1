internal import Encryption
internal import Identity
internal import Store
package import SyncCore

/// Epochs: what an encrypted space is sealed under, and who gets the keys.
package struct EpochKeeping: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }
    private var epochKeys: EpochKeyRing { work.epochKeys }
    private var device: DeviceID { work.device }

    init(_ work: EngineWork) { self.work = work }

    // MARK: With what is written

    /// What a commit that changes members carries beside: keys for whom it lets in and, when it takes
    /// reading from somebody, a new epoch that they do not know.
    func withKeys(
        _ draft: CommitDraft, at log: LogID, _ context: DraftContext, isFromNow: Bool
    ) throws -> CommitDraft {
        let before = context.ledger.membership
        // Under a grant that an exchange of keys gives back nothing else counts yet: keys follow.
        guard before.isToBeSealed, draft.clear.facts.contains(where: \.changesMembers),
            before.standings[context.grant]?.current.isEmpty == false
        else { return draft }
        let after = work.membership(after: draft, at: log, context)
        var draft = draft
        let lost = before.readers.subtracting(after.readers)
        let newcomers = after.devices(letInBy: .zero).intersection(after.readers)
        let others = newcomers.filter { after.facts.card(of: $0)?.person != work.person }
        let isLimited = isFromNow || !others.isEmpty && before.epochFacts.isFromNow(device)
        guard !isLimited || newcomers.isEmpty || EpochRights(after).mayMake(device) else {
            throw StoreError.permissionRefused(required: .write)
        }
        var isRenewed = false
        if EpochRights(after).mayMake(device), !lost.isEmpty || isLimited && !newcomers.isEmpty {
            var epoch = try new(for: after, in: context.ledger.space)
            epoch.isFromNow = isLimited && !newcomers.isEmpty
            isRenewed = epoch.isFromNow
            draft.clear.facts.append(.epoch(epoch))
        }
        let secrets = epochKeys.secrets(of: context.ledger.space)
        if !newcomers.isEmpty, !isRenewed,
            let fact = try keys(for: newcomers, of: context.ledger.space, after, secrets),
            !fact.keys.isEmpty
        {
            draft.clear.facts.append(.epoch(fact))
        }
        // What finds no room in the log comes afterwards, in another one.
        let room = Limits.factsPerLog - Limits.factsForRights - before.facts.size(in: log).count
        if draft.clear.facts.count > room {
            // But nobody is let in without the limit that was asked for.
            guard !isRenewed else { throw StoreError.refused(.misbehaved(.tooManyFacts)) }
            draft.clear.facts.removeAll(where: \.isEpoch)
        }
        return draft
    }

    /// Makes an epoch where there is none to write under, if that is this device's to do.
    package func ready(in space: SpaceID) throws -> EngineWork.Done {
        guard try isNeeded(in: space) else { return EngineWork.Done() }
        do {
            return try work.append(to: space) { context in
                // Somebody else here may have made one meanwhile.
                guard try isNeeded(in: space, context.ledger.membership) else { throw NoNeed() }
                let fact = try allowedEpoch(for: context.ledger.membership, in: space)
                return CommitDraft(clear: ClearPart(facts: [.epoch(fact)]), operations: [])
            }
        } catch is NoNeed {
            return EngineWork.Done()
        }
    }

    private struct NoNeed: Error {}

    /// Whether there is no epoch to write under, and this device may make one.
    package func isNeeded(in space: SpaceID) throws -> Bool {
        try store.ledger(of: space).map { try isNeeded(in: space, $0.membership) } ?? false
    }

    private func isNeeded(in space: SpaceID, _ membership: Membership) throws -> Bool {
        guard membership.isToBeSealed, EpochRights(membership).mayMake(device) else {
            return false
        }
        let lost = try work.losses.lostDevices(but: device)
        return membership.writingEpoch(avoiding: lost) { epochKeys.holds($0, in: space) } == nil
    }

    /// Begins a new epoch, or encrypts a space that was not. Throws what the store throws.
    package func make(in space: SpaceID) throws -> EngineWork.Done {
        try work.append(to: space) { context in
            let fact = try allowedEpoch(for: context.ledger.membership, in: space)
            return CommitDraft(clear: ClearPart(facts: [.epoch(fact)]), operations: [])
        }
    }

    // MARK: Keeping

    /// Whether something about the keys of a space is this device's to do, and after how many seconds:
    /// the first device does it, the others look later whether it was done. A device that is no admin makes
    /// an epoch before it writes, and not earlier.
    package func duty(in space: SpaceID) -> Int? {
        guard let membership = store.ledger(of: space)?.membership, membership.hasEpochs,
            membership.permissions(of: device).contains(.read),
            store.spaces.standing(of: space) == .active
        else { return nil }
        let readers = membership.readers
        do {
            if EpochRights(membership).mayBegin(device), try isNeeded(in: space, membership) {
                return seconds(among: readers.filter { EpochRights(membership).mayBegin($0) })
            }
            return try suppliable(in: space, membership).isEmpty ? nil : seconds(among: readers)
        } catch {
            // What cannot be read now is looked at with what changes next.
            return nil
        }
    }

    private func seconds(among devices: Set<DeviceID>) -> Int {
        let place = devices.sorted().firstIndex(of: device) ?? devices.count
        return min(
            Limits.epochDutySeconds + place * Limits.epochTurnSeconds,
            Limits.epochDutySecondsAtMost)
    }

    /// Makes an epoch where there is none to write under, and gives keys to those who may read and lack
    /// them, as far as this device can. Throws what the store throws.
    package func keep(in space: SpaceID) throws -> EngineWork.Done {
        guard let membership = store.ledger(of: space)?.membership else { return EngineWork.Done() }
        let isOneToMake =
            try EpochRights(membership).mayBegin(device) && isNeeded(in: space, membership)
        guard try isOneToMake || !suppliable(in: space, membership).isEmpty else {
            return EngineWork.Done()
        }
        return try work.append(to: space) { context in
            let membership = context.ledger.membership
            let secrets = epochKeys.secrets(of: space)
            var facts = isOneToMake ? [try allowedEpoch(for: membership, in: space)] : []
            var room = Limits.epochKeysInCommit - facts.reduce(0) { $0 + $1.keys.count }
            for (epochs, devices) in try suppliable(in: space, membership) where room > 0 {
                let some = Set(devices.sorted().prefix(room))
                facts.append(try fact(adding: some, to: epochs, in: membership, secrets))
                room -= some.count
            }
            return CommitDraft(
                clear: ClearPart(facts: facts.map { .epoch($0) }), operations: [])
        }
    }

    /// The devices that lack epochs whose keys are here, by which ones.
    private func suppliable(
        in space: SpaceID, _ membership: Membership
    ) throws -> [(epochs: [CommitID], devices: Set<DeviceID>)] {
        var found: [[CommitID]: Set<DeviceID>] = [:]
        let lost = try work.losses.lostDevices()
        let missing = membership.missingEpochs.filter { device, _ in
            device != self.device && !lost.contains(device) && membership.canBeGivenKeys(device)
        }
        guard !missing.isEmpty else { return [] }
        let all = missing.values.reduce(into: Set()) { $0.formUnion($1) }
        let needed = try NeededKeys(work, space, membership).of(all)
        let given = membership.epochFacts.given(by: device)
        for (device, epochs) in missing {
            // Once is enough, also where others do not believe it.
            let here = epochs.intersection(needed).subtracting(given[device] ?? []).sorted()
            if !here.isEmpty { found[here, default: []].insert(device) }
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { ($0.key, $0.value) }
    }

    // MARK: Facts

    /// A new epoch where this device may make one by what is known as it is written.
    private func allowedEpoch(
        for membership: Membership, in space: SpaceID
    ) throws -> EpochFact {
        guard EpochRights(membership).mayMake(device) else {
            throw StoreError.permissionRefused(required: .admin)
        }
        return try new(for: membership, in: space)
    }

    func new(for membership: Membership, in space: SpaceID) throws -> EpochFact {
        var random = work.random
        let lost = try work.losses.lostDevices(but: device)
        let secret = try AgeIdentity(privateKey: random.bytes(32))
        epochKeys.add([secret], in: space)
        return EpochFact(
            recipient: secret.recipient.text,
            keys: wrapped(
                [secret], for: EpochRights(membership).firstReaders(device).subtracting(lost),
                in: membership))
    }

    private func keys(
        for devices: Set<DeviceID>, of space: SpaceID, _ membership: Membership,
        _ secrets: EpochSecrets
    ) throws -> EpochFact? {
        let missing = membership.missingEpochs
        let epochs = devices.reduce(into: Set<CommitID>()) { $0.formUnion(missing[$1] ?? []) }
        let here = try NeededKeys(work, space, membership).of(epochs)
            .filter { secrets.identities[$0] != nil }
        guard !here.isEmpty else { return nil }
        return try fact(adding: devices, to: here.sorted(), in: membership, secrets)
    }

    private func fact(
        adding devices: Set<DeviceID>, to epochs: [CommitID], in membership: Membership,
        _ secrets: EpochSecrets
    ) throws -> EpochFact {
        let all = epochs.compactMap { secrets.identities[$0] }
        guard all.count == epochs.count else { throw StoreError.epochMissing }
        return EpochFact(
            recipient: "", keys: wrapped(all, for: devices, in: membership), addedTo: epochs)
    }

    /// A device whose agreement key is none gets nothing; that is its own doing.
    private func wrapped(
        _ secrets: [AgeIdentity], for devices: Set<DeviceID>, in membership: Membership
    ) -> [WrappedKey] {
        var random = work.random
        var cards: [DeviceID: Card] = [:]
        for card in membership.cards where devices.contains(card.device) {
            cards[card.device] = card
        }
        return devices.sorted().compactMap { device in
            guard let key = cards[device]?.content.agreementKey,
                let file = try? WrappedSecrets.wrap(secrets, for: key, using: &random)
            else { return nil }
            return WrappedKey(device: device, ageFile: file)
        }
    }
}

/// The keys of epochs that are here and serve somebody.
private struct NeededKeys {
    private let work: EngineWork
    private let space: SpaceID
    private let membership: Membership

    init(_ work: EngineWork, _ space: SpaceID, _ membership: Membership) {
        (self.work, self.space, self.membership) = (work, space, membership)
    }

    /// Of some epochs the one that is written under, and those under which something is sealed.
    func of(_ epochs: Set<CommitID>) throws -> Set<CommitID> {
        let here = epochs.filter { holds($0) }
        guard !here.isEmpty else { return [] }
        let lost = try work.losses.lostDevices(but: work.device)
        let writing = membership.writingEpoch(avoiding: lost) { holds($0) }
        return try work.store.sealed.neededEpochs(here, writing: writing, in: space)
    }

    private func holds(_ epoch: CommitID) -> Bool { work.epochKeys.holds(epoch, in: space) }
}

/// The people who may make epochs of a space, and those who get their keys first.
private struct EpochRights {
    private let membership: Membership

    init(_ membership: Membership) { self.membership = membership }

    /// Whether an epoch that a device makes now counts, and whether it may read what is written then:
    /// a writer may follow one that counts, the first one takes an admin.
    func mayMake(_ device: DeviceID) -> Bool {
        mayBegin(device) || membership.isEncrypted && may([.read, .write], device)
    }

    /// Whether it may make the first one.
    func mayBegin(_ device: DeviceID) -> Bool { may([.read, .admin], device) }

    private func may(_ flags: Permissions, _ device: DeviceID) -> Bool {
        membership.writingGrant(of: device).map {
            membership.standings[$0]?.current.isSuperset(of: flags) ?? false
        } ?? false
    }

    /// Those who get the key of a new epoch with the commit that makes it: its maker, and of each person
    /// in turn a device, those of seniors first. The others get it afterwards.
    func firstReaders(_ maker: DeviceID) -> Set<DeviceID> {
        let readers = membership.readers
        guard readers.count > Limits.epochKeysInCommit else { return readers }
        var waiting: [(person: PersonID, devices: [DeviceID])] = []
        for member in membership.members where readers.contains(member.standing.card.device) {
            let card = member.standing.card
            if let place = waiting.firstIndex(where: { $0.person == card.person }) {
                if !waiting[place].devices.contains(card.device) {
                    waiting[place].devices.append(card.device)
                }
            } else {
                waiting.append((card.person, [card.device]))
            }
        }
        let turns = (0..<(waiting.map(\.devices.count).max() ?? 0)).flatMap { turn in
            waiting.compactMap { $0.devices.count > turn ? $0.devices[turn] : nil }
        }
        return Set(([maker] + turns.filter { $0 != maker }).prefix(Limits.epochKeysInCommit))
    }
}

extension Membership {
    /// False for a device whose agreement key is one that everybody could open.
    fileprivate func canBeGivenKeys(_ device: DeviceID) -> Bool {
        guard let key = facts.card(of: device)?.content.agreementKey else { return false }
        return (try? AgeWriter(recipients: [AgeRecipient(publicKey: key.bytes)])) != nil
    }
}

extension UnverifiedFact {
    fileprivate var isEpoch: Bool {
        if case .epoch = self { true } else { false }
    }

    fileprivate var changesMembers: Bool {
        switch self {
        case .grant, .revocation, .personStatement, .keyExchange: true
        case .epoch, .fork, .redating, .request, .unknown: false
        }
    }
}

extension ApplyReport {
    /// Whether some of the commits that were stored are sealed with a key that somebody lacks who may read: it
    /// may have been of no use until now.
    func hasSealed(_ commits: [VerifiedCommit]) -> Bool {
        let epochs = Set(commits.compactMap(\.header.epoch))
        guard !epochs.isEmpty, effective > 0, let membership else {
            return false
        }
        return membership.missingEpochs.values.contains { !$0.isDisjoint(with: epochs) }
    }
}

extension Limits {
    /// Keys of epochs in one commit, so that a commit with a new one is never too large; devices that are
    /// missing get a key by one of the next.
    package static let epochKeysInCommit = 1024
    /// Seconds after which the first of those who can gives a key to somebody who lacks it, or makes
    /// an epoch: what comes together with the change that asks for it is looked at once.
    static let epochDutySeconds = 1
    /// Seconds between one of them and the next.
    static let epochTurnSeconds = 3
    static let epochDutySecondsAtMost = 60
}
