package import Identity
internal import Store
package import SyncCore
internal import Wire

/// Exchanging the recovery key of this person: both keys say so to everybody who knows the person, and it is
/// written down in every space, where the old key decided who may do what.
package struct KeyExchanging: Sendable {
    /// What an exchange comes to.
    package struct Plan: Sendable {
        package let said: KeyExchange
        /// Spaces where it counts.
        package let spaces: [SpaceID]
        /// Spaces that this device is in by the old key alone, and so cannot exchange it in.
        package let others: [SpaceID]
        /// Devices that the old key alone let in: nothing of theirs stays.
        package let putOut: [DeviceID]
        /// Devices that stay lost, as the old key said.
        package let stayLost: [DeviceID]
        /// What the old key said and should go on counting, but does not, as an exchange has no room for it.
        package let leftOut: Int
    }

    private let work: EngineWork

    package init(_ work: EngineWork) { self.work = work }

    // MARK: Saying

    /// Whether a key is the one that its person has, as far as is known here. Throws what the store throws.
    package func isCurrent(_ key: PersonKey) throws -> Bool {
        try key.publicKey == (exchanges(of: key.person).last?.said.newKey ?? key.firstKey)
    }

    /// What would be said now. `found` are devices that the old key called lost, and not this person. Throws
    /// what the store throws.
    package func plan(
        _ old: PersonKey, for new: PersonKey, found: Set<DeviceID> = []
    ) throws -> Plan {
        let paired = try Set(work.store.devices.all().filter(\.isPaired).map(\.device))
        let here = found.union([work.device])
        let lost = try Set(
            work.losses.judged(work.person) { statement in
                isSaid(statement, by: old) && statement.said.lost.map(here.contains) ?? false
            }.losses.keys)
        let ledgers = work.store.ledgers.values.sorted { $0.space < $1.space }
        let byMembers = work.store.letInByMembers
        let chains = try ownChains(ledgers)
        let known = Set(chains.compactMap(\.devices.last))
        let good = known.filter { device in
            device == work.device
                || !lost.contains(device)
                    && (here.union(paired).contains(device) || byMembers.contains(device))
        }
        let keeps = Set(
            chains.filter { $0.devices.last.map(good.contains) ?? false }
                .compactMap(\.devices.first))
        let upholds = try upheld(old, good, ledgers)
        let spaces = Set(ledgers.filter { grant(in: $0) != nil }.map(\.space))
        let others = ledgers.filter {
            !spaces.contains($0.space) && !$0.membership.permissions(of: work.device).isEmpty
        }
        let gone = known.subtracting(good).subtracting(lost).filter { device in
            ledgers.contains { !$0.membership.permissions(of: device).isEmpty }
        }
        let said = KeyExchange(
            personKey: old.firstKey, oldKey: old.publicKey, newKey: new.publicKey,
            upholds: Array(upholds.prefix(Limits.upheldStatements)),
            keeps: Array(keeps.sorted().prefix(Limits.lossNames)))
        return Plan(
            said: said,
            spaces: spaces.sorted(), others: others.map(\.space), putOut: gone.sorted(),
            stayLost: try work.losses.statements(about: [work.person])
                .filter { isSaid($0, by: old) }.compactMap(\.said.lost).filter(lost.contains),
            leftOut: upholds.count - said.upholds.count + keeps.count - said.keeps.count)
    }

    /// What this device writes an exchange under; nil where it would not count.
    private func grant(in ledger: SpaceLedger) -> FactReference? {
        ledger.membership.grant(of: work.device, withoutKeyOf: work.person)
    }

    private func isSaid(_ statement: UnverifiedLossStatement, by key: PersonKey) -> Bool {
        statement.said.signer == nil && statement.said.key == key.exchangedKey
    }

    /// The chains of cards of all devices of this person that are known here.
    private func ownChains(_ ledgers: [SpaceLedger]) throws -> Set<DeviceChain> {
        let met = try work.store.devices.all().filter { $0.person == work.person }.map(\.card)
        let members = ledgers.flatMap(\.membership.cards).filter { $0.person == work.person }
            .map(\.encoded)
        let chains = try Set(met + members).map { try CardCodec().decode($0).chain }
        return Set(chains + [work.card()?.chain].compactMap(\.self))
    }

    /// What the old key said and goes on counting: all but what let a device in that does not stay, and
    /// what took rights from one that does.
    private func upheld(
        _ old: PersonKey, _ good: Set<DeviceID>, _ ledgers: [SpaceLedger]
    ) throws -> [StatementID] {
        var upheld: Set<StatementID> = []
        for membership in ledgers.map(\.membership) {
            for (signed, device, gives) in membership.facts.statements
            where signed.person == work.person && signed.key == old.exchangedKey
                && good.contains(device) == gives
            {
                upheld.insert(signed.statement)
            }
        }
        let losses = try work.losses.statements(about: [work.person]).filter {
            isSaid($0, by: old) && !($0.said.lost.map(good.contains) ?? false)
        }
        return upheld.sorted() + losses.map { StatementID($0.id.value) }
    }

    /// Says it, in the name of this device and of both keys. Returns what is to be told. Throws what the store
    /// throws.
    package func say(
        _ plan: Plan, _ old: PersonKey, _ new: PersonKey
    ) throws -> [UnverifiedLossStatement] {
        let bytes = KeyExchangeCodec().encode(plan.said)
        let exchange = UnverifiedKeyExchange(
            plan.said, bytes: bytes, oldSignature: old.sign(.keyExchange, bytes),
            newSignature: new.sign(.keyExchange, bytes))
        let said = try LossSaying(work, about: work.person)?.statement(of: exchange)
        return try work.losses.keep([said].compactMap(\.self), now: work.clock.wall)
    }

    // MARK: Writing down

    /// How long to wait before exchanges are written down: another device of this person may do so meanwhile.
    /// Nil when this device has none to write down. Throws what the store throws.
    package func secondsUntilWriting() throws -> Int? {
        let lacking = try lacking()
        guard !lacking.isEmpty else { return nil }
        let devices = Set(
            lacking.flatMap(\.ledger.membership.members).map(\.standing.card)
                .filter { $0.person == work.person }.map(\.device))
        return Limits.keyExchangeSeconds + devices.secondsBefore(work.device)
    }

    /// Writes down, in every space of this device, what it lacks. One that cannot be written leaves the others
    /// to be written. Throws what the store throws.
    package func write() throws -> EngineWork.Done {
        var done = EngineWork.Done()
        for (ledger, grant, exchanges) in try lacking() {
            done.attempt("an exchange of keys was not written") { done in
                done.merge(
                    try work.append(to: ledger.space, under: grant) { _ in
                        CommitDraft(
                            clear: ClearPart(facts: exchanges.map { .keyExchange($0) }),
                            operations: [])
                    })
                done.rightsWritten.append(ledger.space)
            }
        }
        return done
    }

    private typealias Lacking = (
        ledger: SpaceLedger, grant: FactReference, exchanges: [UnverifiedKeyExchange]
    )

    private func lacking() throws -> [Lacking] {
        let all = try exchanges(of: work.person)
        guard let last = all.last?.said.newKey else { return [] }
        return work.joined.compactMap { ledger in
            let membership = ledger.membership
            guard membership.keys.key(of: work.person) != last else { return nil }
            // Where something else counts, saying it again does not help.
            let own = membership.facts.exchanges.filter { $0.author == work.device }.map(\.said)
            let open = all.filter { !own.contains($0.said) }
            guard !open.isEmpty, let grant = grant(in: ledger) else { return nil }
            return (ledger, grant, open)
        }
    }

    private func exchanges(of person: PersonID) throws -> [UnverifiedKeyExchange] {
        try work.losses.all()[person]?.lost.exchanges ?? []
    }
}

extension Limits {
    /// Seconds after which the first device of a person writes down that the recovery key was exchanged.
    static let keyExchangeSeconds = 2
}
