internal import Identity
internal import Store
package import SyncCore
internal import Synchronization
internal import Wire

/// What is known of lost devices, by person: statements that were kept, and what follows from them.
package final class LossBook: Sendable {
    /// One person's part of it.
    package struct Page: Sendable {
        package let lost: LostDevices
        /// In the order of their ids.
        package let statements: [UnverifiedLossStatement]
        /// When this device heard of each first.
        let heardAt: [LossID: Milliseconds]
    }

    private let store: SyncStore
    private let verifier: LossVerifier
    private let codec = LossStatementCodec()
    /// Nil until it was read. Each write replaces it: a reader with an older snapshot of the store never does.
    private let known = Mutex<(Known?, writes: Int)>((nil, 0))
    /// Held by one write at a time; readers do not wait for it.
    private let writing = Mutex(())

    private struct Known {
        let stored: [StoredLossStatement]
        let pages: [PersonID: Page]
        let basis: Basis
    }

    /// The state of what decides, beside the statements, which devices are lost: the cards that are known, and
    /// who is let in where. A device whose card arrives later may have been lost before.
    private struct Basis: Equatable {
        /// Nil where it may be older than what is stored now.
        let devices: UInt64?
        let revisions: [SpaceID: Int]

        init(_ devices: UInt64?, _ ledgers: [SpaceID: SpaceLedger]) {
            self.devices = devices
            revisions = ledgers.mapValues(\.membership.revision)
        }
    }

    init(_ store: SyncStore, _ signatures: any SignatureVerifying) {
        self.store = store
        verifier = LossVerifier(signatures: signatures)
    }

    // MARK: Reading

    /// Throws what the store throws.
    package func all() throws -> [PersonID: Page] {
        let (before, writes) = known.withLock { $0 }
        if let before,
            before.stored.isEmpty || before.basis == Basis(store.devices.changes, store.ledgers)
        {
            return before.pages
        }
        // Not read a second time: the snapshot that is read may be older than the last write.
        let made = try judged(before?.stored ?? store.losses.all())
        return known.withLock { known in
            if known.writes == writes { known.0 = made }
            return (known.0 ?? made).pages
        }
    }

    private func judged(_ stored: [StoredLossStatement]) throws -> Known {
        let ledgers = store.ledgers
        let (devices, changes) = try stored.isEmpty ? ([], nil) : store.devices.allWithChanges()
        let chains = chains(of: Set(stored.map(\.person)), devices, ledgers)
        let pages = Dictionary(grouping: stored, by: \.person).mapValues { statements in
            page(of: statements, chains[statements.first?.person ?? .zero] ?? [])
        }
        return Known(stored: stored, pages: pages, basis: Basis(changes, ledgers))
    }

    private func page(of stored: [StoredLossStatement], _ chains: Set<DeviceChain>) -> Page {
        // A statement that was damaged on the disk does not count as heard, so that a peer that has it can send
        // it again.
        let sound = stored.compactMap { kept -> Sound? in
            guard let statement = try? codec.decode(whole: kept.content), statement.id == kept.id,
                statement.said.person == kept.person, let verified = verifier.verify(statement)
            else { return nil }
            return Sound(statement: statement, verified: verified, heardAt: kept.heardAt)
        }
        return Page(
            lost: judged(sound.map(\.verified), chains),
            statements: sound.map(\.statement).sorted { $0.id < $1.id },
            heardAt: Dictionary(uniqueKeysWithValues: sound.map { ($0.statement.id, $0.heardAt) }))
    }

    /// A stored statement whose signatures hold.
    private struct Sound {
        let statement: UnverifiedLossStatement
        let verified: VerifiedLossStatement
        let heardAt: Milliseconds
    }

    /// The chains of cards of these people's devices, by person: of devices that were met or paired with, and of
    /// those that were ever let into a space that is here. Members of one space know the same of it.
    private func chains(
        of people: Set<PersonID>, _ devices: [StoredDevice], _ ledgers: [SpaceID: SpaceLedger]
    ) -> [PersonID: Set<DeviceChain>] {
        guard !people.isEmpty else { return [:] }
        var cards = devices.map { ($0.person, $0.card) }
        for ledger in ledgers.values {
            cards += ledger.membership.cards.map { ($0.person, $0.encoded) }
        }
        var chains: [PersonID: Set<DeviceChain>] = [:]
        for (person, card) in cards where people.contains(person) {
            guard let chain = try? CardCodec().decode(card).chain else { continue }
            chains[person, default: []].insert(chain)
        }
        return chains
    }

    /// Needs the chains only where the person's key was exchanged.
    private func judged(
        _ statements: [VerifiedLossStatement], _ chains: Set<DeviceChain>
    ) -> LostDevices {
        let isExchanged = statements.contains { $0.exchange != nil }
        return LostDevices(
            statements, chains: Array(chains), granted: isExchanged ? store.letInByMembers : [])
    }

    /// Every device that is lost, by what is known here.
    package func lostDevices() throws -> Set<DeviceID> {
        try all().values.reduce(into: []) { $0.formUnion($1.lost.losses.keys) }
    }

    /// The same but for this device: it reads what it writes, lost for others or not.
    package func lostDevices(but own: DeviceID) throws -> Set<DeviceID> {
        try lostDevices().subtracting([own])
    }

    /// Those whose rights are to be revoked, as somebody senior to them said.
    func lostBySeniors() throws -> Set<DeviceID> {
        try all().values.reduce(into: []) { found, page in
            found.formUnion(page.lost.losses.filter(\.value.isBySenior).keys)
        }
    }

    /// What is known of a lost device; nil for one that is not lost.
    package func loss(of device: DeviceID) throws -> KnownLoss? {
        for page in try all().values {
            guard let loss = page.lost.losses[device] else { continue }
            let first = loss.statements.min {
                (page.heardAt[$0]?.value ?? 0, $0) < (page.heardAt[$1]?.value ?? 0, $1)
            }
            return KnownLoss(
                since: first.flatMap { page.heardAt[$0] },
                by: page.statements.first { $0.id == first }?.said.signer,
                through: page.lost.elder(losing: device))
        }
        return nil
    }

    /// What counts of a person's devices with what more is said of them, or without some of what was.
    func judged(
        _ person: PersonID, with more: [UnverifiedLossStatement] = [],
        without: (UnverifiedLossStatement) -> Bool = { _ in false }
    ) throws -> LostDevices {
        let statements = try (all()[person]?.statements ?? []).filter { !without($0) }
        let chains = chains(of: [person], try store.devices.all(), store.ledgers)
        return judged(
            (statements + more).compactMap { verifier.verify($0) }, chains[person] ?? [])
    }

    /// What is known of some people, in the order of the ids.
    func statements(about people: Set<PersonID>) throws -> [UnverifiedLossStatement] {
        try all().filter { people.contains($0.key) }.flatMap(\.value.statements)
            .sorted { $0.id < $1.id }
    }

    static func sum(of statements: [UnverifiedLossStatement]) -> Bytes32 {
        Label.lossStatement.hash(statements.flatMap(\.id.bytes))
    }

    // MARK: Writing

    /// Those that are not known yet; nil when one of them does not hold.
    func fresh(
        among statements: [UnverifiedLossStatement]
    ) throws -> [UnverifiedLossStatement]? {
        let known = try all()
        let fresh = statements.filter { known[$0.said.person]?.heardAt[$0.id] == nil }
        return fresh.allSatisfy { verifier.verify($0) != nil } ? fresh : nil
    }

    /// Keeps statements that hold and are new, as far as there is room; returns those. Throws what the store
    /// throws.
    func keep(
        _ fresh: [UnverifiedLossStatement], now: Milliseconds
    ) throws -> [UnverifiedLossStatement] {
        guard !fresh.isEmpty else { return [] }
        let new = Set(fresh).map { statement in
            StoredLossStatement(
                id: statement.id, person: statement.said.person, heardAt: now,
                content: codec.encode(whole: statement))
        }
        let dropped = try writing.withLock { _ in try write(new) }
        return fresh.filter { !dropped.contains($0.id) }
    }

    /// Returns those for which there was no room.
    private func write(_ new: [StoredLossStatement]) throws -> Set<LossID> {
        let all = try store.losses.all().filter { old in !new.contains { $0.id == old.id } } + new
        var made = try judged(all)
        var dropped: Set<LossID> = []
        for page in made.pages.values where page.heardAt.count > Limits.lossStatements {
            dropped.formUnion(page.lost.keepingOrder.dropFirst(Limits.lossStatements))
        }
        try store.losses.keep(new.filter { !dropped.contains($0.id) }, dropping: dropped)
        if !dropped.isEmpty { made = try judged(all.filter { !dropped.contains($0.id) }) }
        known.withLock { [made] known in known = (made, known.writes + 1) }
        return dropped
    }
}

extension SyncStore {
    /// Devices that members let into a space that is here, and no key.
    var letInByMembers: Set<DeviceID> {
        ledgers.values.reduce(into: []) { $0.formUnion($1.membership.letInByMembers) }
    }
}
