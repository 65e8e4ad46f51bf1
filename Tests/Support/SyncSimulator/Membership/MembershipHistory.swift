import SyncCore
internal import TestKit

/// Membership of one space written by eight devices of four persons, each of which knows a part of
/// the others' commits: a random history of grants, revocations and statements, sensible or not.
package struct MembershipHistory {
    private struct Device {
        let card: Card
        var log: LogID
        /// The commits it has, by their numbers, including all that they had seen.
        var known: UInt64 = 0
    }

    private static let cards: [Card] = (0..<8 as Range<UInt64>).map { number in
        let content = CardContent(
            signingKey: sha256([1] + bigEndian(number)), agreementKey: .zero,
            personKey: sha256([2] + bigEndian(number / 2)))
        let link = CardLink(encoded: [1], content: content, selfSignature: [], endorsement: [])
        let card = UnverifiedCard(links: [link], encoded: bigEndian(number))
        return Card(verified: card, content: content)
    }
    private static let schema = SchemaID(sha256([7]))

    package let seed: UInt64
    private(set) var commits: [VerifiedCommit] = []
    /// For each commit, the ones that its author had.
    private var pasts: [UInt64] = []
    private var devices: [Device] = []
    private var random: SeededGenerator
    /// Every grant that was written, with the number of its commit.
    private var grants: [(id: FactReference, grant: Grant, commit: Int)] = []
    /// Whether the space becomes encrypted at some time.
    private let isEncrypted: Bool
    /// Whether people exchange their keys.
    private let exchangesKeys: Bool
    /// For each person, the keys that they or thieves made.
    private var keys: [PersonID: [Bytes32]] = [:]
    private var statements = 0
    /// Whether people let in far more devices than they have.
    private let isCrowded: Bool
    private var lines: [String] = []

    /// Logs that turn out to have forked, and the positions.
    private(set) var forks: [LogID: UInt64] = [:]

    package init(seed: UInt64, operations: Int = 20) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        isEncrypted = random.chance(40)
        isCrowded = random.chance(4)
        exchangesKeys = random.chance(35)
        for card in MembershipHistory.cards {
            let log = LogID(device: card.device, incarnation: Incarnation(random: &random))
            devices.append(Device(card: card, log: log))
        }
        let root = Grant(
            card: devices[0].card, parent: nil, flags: .all, siblingIndex: 0,
            precedence: Precedence.authority.rawValue)
        commit(0, under: nil, [.grant(root)], "founds")
        for index in devices.indices { devices[index].known |= 1 }
        for _ in 0..<operations { operate() }
        if random.chance(15), let branch = random.pick(commits)?.header, branch.sequence > 1 {
            fork(branch.log, at: branch.sequence)
        }
        // Two commits at one position prove that a log forked, independent of the relay.
        var places: Set<LogPosition> = []
        for header in commits.map(\.header) {
            let place = LogPosition(
                log: header.log, head: LogHead(sequence: header.sequence, commit: .zero))
            if !places.insert(place).inserted { fork(header.log, at: header.sequence) }
        }
    }

    private mutating func fork(_ log: LogID, at sequence: UInt64) {
        guard sequence < forks[log] ?? .max else { return }
        forks[log] = sequence
        lines.append("a log forks at \(sequence): \(name(log.device))")
    }

    /// The events, one line per operation.
    package var story: String { lines.joined(separator: "\n") }

    // MARK: Views and orders

    /// The final knowledge of single devices, and of all together.
    mutating func views() -> [UInt64] {
        let all = commits.count == 64 ? UInt64.max : (1 << UInt64(commits.count)) - 1
        return [all] + (0..<2).compactMap { _ in random.pick(devices)?.known }
    }

    /// Some commits in a possible order of arrival: each after all it had seen.
    mutating func order(of view: UInt64) -> [VerifiedCommit] {
        var waiting = commits.indices.filter { view & bit($0) != 0 }
        var taken: UInt64 = 0
        var result: [VerifiedCommit] = []
        while !waiting.isEmpty {
            let ready = waiting.indices.filter { pasts[waiting[$0]] & ~taken == 0 }
            guard let next = random.pick(ready) else { break }
            let number = waiting.remove(at: next)
            taken |= bit(number)
            result.append(commits[number])
        }
        return result
    }

    mutating func place(below count: Int) -> Int { random.index(below: count) }

    private func bit(_ number: Int) -> UInt64 { 1 << UInt64(number) }

    // MARK: Operations

    private mutating func operate() {
        if random.chance(60) {
            let hearer = random.index(below: devices.count)
            devices[hearer].known |= devices[random.index(below: devices.count)].known
        }
        if random.chance(5) { goBack() }
        let able = devices.indices.filter { !ownGrants(of: $0).isEmpty }
        guard let author = random.pick(able) else { return }
        let own = ownGrants(of: author)
        // Usually under the latest grant.
        guard let held = random.chance(75) ? own.last : random.pick(own) else { return }
        var facts = [fact(by: author, under: held.id, held.grant)].compactMap(\.self)
        if random.chance(10), let second = fact(by: author, under: held.id, held.grant) {
            facts.append(second)
        }
        if isEncrypted, random.chance(40) { facts.append(.epoch(epoch(by: author))) }
        if isCrowded, random.chance(15) { facts += madeUpDevices(under: held.id, held.grant) }
        if random.chance(6) {
            let incarnation = Incarnation(random: &random)
            devices[author].log = LogID(
                device: devices[author].card.device, incarnation: incarnation)
        }
        commit(author, under: held.id, facts, "under \(name(held.id))")
    }

    /// A device returns to its state before one of its commits, like one restored from a copy or a
    /// hostile one.
    private mutating func goBack() {
        let places = commits.indices.filter { commits[$0].header.sequence > 1 }
        guard let place = random.pick(places),
            let device = devices.firstIndex(where: { $0.log == commits[place].header.log })
        else { return }
        devices[device].known = pasts[place]
        lines.append("device \(device) is as before \(place)")
    }

    private func ownGrants(of device: Int) -> [(id: FactReference, grant: Grant, commit: Int)] {
        grants.filter {
            $0.grant.card.device == devices[device].card.device && knows(device, $0.commit)
        }
    }

    private func knows(_ device: Int, _ commit: Int) -> Bool {
        devices[device].known & bit(commit) != 0
    }

    private mutating func fact(
        by author: Int, under held: FactReference, _ grant: Grant
    ) -> MembershipFact? {
        switch random.below(100) {
        case 0..<42: .grant(newGrant(under: held, grant))
        case 42..<48: personGrant(by: author)
        case 48..<50: carriedAgain(by: author)
        case 50..<76: revocation(by: author).map { .revocation($0) }
        case 76..<81:
            revocation(by: author).flatMap { taking in
                let card = random.pick(MembershipHistory.cards)
                return card.map { .personRevocation(taking, signed(by: $0.person)) }
            }
        case 81..<90: .revocation(leave(author, held))
        case 90..<97 where exchangesKeys: .keyExchange(exchange(by: author))
        default: nil
        }
    }

    private mutating func newGrant(under held: FactReference, _ own: Grant) -> Grant {
        let isForOwn = random.chance(own.flags.contains(.admin) ? 30 : 90)
        let others = MembershipHistory.cards.filter {
            !isForOwn || $0.person == own.card.person
        }
        let card = random.pick(others) ?? own.card
        let isSibling = card.person == own.card.person && random.chance(80)
        let chosen = random.pick(MembershipHistory.roles) ?? .all
        let wrong = random.chance(6) ? random.pick(grants)?.id : nil
        return Grant(
            card: card, parent: wrong ?? held,
            flags: isSibling
                ? own.flags : random.chance(70) ? chosen.intersection(own.flags) : chosen,
            siblingIndex: isSibling || random.chance(5) ? UInt32(random.below(4)) : 0,
            precedence: random.chance(10)
                ? Precedence.authority.rawValue : min(own.precedence, Precedence.user.rawValue))
    }

    /// Grants to invented devices, more than a person has places for together with others.
    private mutating func madeUpDevices(
        under held: FactReference, _ own: Grant
    ) -> [MembershipFact] {
        let first = random.below(60)
        let byKey = random.chance(40)
        let flags = random.chance(80) ? own.flags : .read
        return (first..<first + 20).map { number in
            let content = CardContent(
                signingKey: sha256([3] + bigEndian(number)), agreementKey: .zero,
                personKey: own.card.content.personKey)
            let link = CardLink(
                encoded: [1], content: content, selfSignature: [], endorsement: [])
            let card = UnverifiedCard(links: [link], encoded: bigEndian(1_000 + number))
            let grant = Grant(
                card: Card(verified: card, content: content), parent: held, flags: flags,
                siblingIndex: UInt32(1 + number), precedence: Precedence.user.rawValue)
            return byKey
                ? .personGrant(grant, StatementKey(own.card.person)) : .grant(grant)
        }
    }

    private static let roles: [Permissions] = [
        .all, .all, .all, .editor, .contributor, .read, [.read, .admin], [.read, .write, .admin],
        .vault, [.read, .vault], [],
    ]

    /// Signed by a person key; any device carries it.
    private mutating func personGrant(by author: Int) -> MembershipFact? {
        let known = grants.filter { knows(author, $0.commit) }
        guard let parent = random.pick(known) else { return nil }
        let own = MembershipHistory.cards.filter { $0.person == parent.grant.card.person }
        guard let card = random.pick(random.chance(90) ? own : MembershipHistory.cards) else {
            return nil
        }
        let grant = Grant(
            card: card, parent: parent.id,
            flags: random.chance(60)
                ? parent.grant.flags : random.pick(MembershipHistory.roles) ?? .all,
            siblingIndex: UInt32(random.below(3)),
            precedence: random.chance(20)
                ? Precedence.authority.rawValue : Precedence.user.rawValue)
        let key = random.chance(90) ? parent.grant.card : random.pick(MembershipHistory.cards)
        return key.map { .personGrant(grant, signed(by: $0.person)) }
    }

    /// With the person's last key, or one that they or somebody else had before.
    private mutating func signed(by person: PersonID) -> StatementKey {
        statements += 1
        let all = keys[person] ?? []
        let key = random.chance(70) ? all.last : random.chance(50) ? random.pick(all) : nil
        return StatementKey(
            person, key: key, statement: StatementID(sha256([5] + bigEndian(UInt64(statements)))))
    }

    /// Usually of one's own key, to a new one; it upholds a part of what the author knows.
    private mutating func exchange(by author: Int) -> KeyExchange {
        let own = devices[author].card.content
        let other = random.pick(MembershipHistory.cards)?.content ?? own
        let of = random.chance(90) ? own : other
        let all = keys[of.person] ?? []
        let old = random.chance(75) ? all.last : random.pick(all)
        statements += 1
        let fresh = sha256([4] + bigEndian(UInt64(statements)))
        let new = random.chance(85) ? fresh : random.pick(all) ?? of.personKey
        keys[of.person, default: []].append(new)
        let known = commits.indices.filter { knows(author, $0) }.flatMap { commits[$0].facts }
        let upholds = known.compactMap { fact -> StatementID? in
            switch fact {
            case .personGrant(_, let signed), .personRevocation(_, let signed):
                random.chance(60) ? signed.statement : nil
            default: nil
            }
        }
        return KeyExchange(
            personKey: of.personKey, oldKey: old ?? of.personKey, newKey: new, upholds: upholds,
            keeps: [])
    }

    /// A statement that somebody carried before.
    private mutating func carriedAgain(by author: Int) -> MembershipFact? {
        let known = commits.indices.filter { knows(author, $0) }.flatMap { commits[$0].facts }
        return random.pick(
            known.filter { fact in
                switch fact {
                case .personGrant, .personRevocation: true
                default: false
                }
            })
    }

    private mutating func revocation(by author: Int) -> Revocation? {
        let known = grants.filter { knows(author, $0.commit) }
        guard let named = random.pick(known) else { return nil }
        return Revocation(
            grant: named.id, remaining: random.pick([[], [], .read, .contributor, .editor]) ?? [],
            cut: cut(by: author), scope: random.chance(45) ? .person : .device,
            cascade: random.pick([.none, .none, .samePerson, .all, .all]) ?? .none)
    }

    /// A new epoch, or keys for further devices, which may be anybody's.
    private mutating func epoch(by author: Int) -> EpochFact {
        let known = commits.indices.filter { number in
            knows(author, number)
                && commits[number].facts.contains {
                    if case .epoch(let fact) = $0 { fact.addedTo.isEmpty } else { false }
                }
        }.map { commits[$0].id }
        let keys = MembershipHistory.cards.filter { _ in random.chance(45) }
            .map { WrappedKey(device: $0.device, ageFile: []) }
        var addedTo: [CommitID] = []
        if random.chance(known.isEmpty ? 5 : 60) {
            addedTo = known.filter { _ in random.chance(50) }
            // A commit that makes none, or that nobody has.
            if random.chance(8) { addedTo.append(random.pick(commits)?.id ?? .zero) }
        }
        return EpochFact(
            recipient: addedTo.isEmpty && random.chance(95) ? "age1" : "", keys: keys,
            addedTo: addedTo, isFromNow: random.chance(35))
    }

    /// The leave's own commit is the last one that counts.
    private mutating func leave(_ author: Int, _ held: FactReference) -> Revocation {
        var cut = watermark(of: author)
        let log = devices[author].log
        cut.advance(log, to: LogHead(sequence: cut.sequence(of: log) + 1, commit: .zero))
        return Revocation(
            grant: held, remaining: random.chance(20) ? .read : [], cut: cut, scope: .device,
            cascade: .none)
    }

    /// Everything that the author has, or less of some logs.
    private mutating func cut(by author: Int) -> Watermark {
        var heads = watermark(of: author).heads
        guard random.chance(40) else { return Watermark(heads) }
        for (log, head) in heads.sorted(by: { $0.key < $1.key }) where random.chance(40) {
            let sequence = random.below(head.sequence + 1)
            heads[log] = sequence == 0 ? nil : LogHead(sequence: sequence, commit: .zero)
        }
        return Watermark(heads)
    }

    private func watermark(of device: Int) -> Watermark {
        var watermark = Watermark()
        for (number, commit) in commits.enumerated() where knows(device, number) {
            watermark.advance(
                commit.header.log, to: LogHead(sequence: commit.header.sequence, commit: commit.id))
        }
        return watermark
    }

    private mutating func commit(
        _ author: Int, under grant: FactReference?, _ facts: [MembershipFact], _ what: String
    ) {
        let number = commits.count
        let log = devices[author].log
        let known = watermark(of: author)
        let head = known.heads[log]
        let header = CommitHeader(
            space: commits.first.map { SpaceID($0.id.value) } ?? .zero, log: log,
            sequence: (head?.sequence ?? 0) + 1, previous: head?.commit ?? .zero,
            clock: HybridTime(raw: UInt64(number)), seen: known.positions.filter { $0.log != log },
            grant: grant ?? .none,
            schema: MembershipHistory.schema, schemaVersion: 1, clearHash: .zero,
            operationsHash: .zero)
        let encoded = EncodedCommit(
            header: bigEndian(seed) + bigEndian(UInt64(number)), signature: [], clear: [],
            operations: [])
        let commit = UnverifiedCommit(
            id: encoded.id, header: header, clear: ClearPart(), operations: [], encoded: encoded)
        commits.append(VerifiedCommit(verified: commit, facts: facts))
        pasts.append(devices[author].known)
        devices[author].known |= bit(number)
        for (index, fact) in facts.enumerated() {
            switch fact {
            case .grant(let grant), .personGrant(let grant, _):
                let id = FactReference(commit: commit.id, index: UInt32(index))
                grants.append((id, grant, number))
            default: continue
            }
        }
        lines.append(
            "\(number): \(name(header.log.device)) \(header.sequence) \(what)"
                + facts.map { ", " + words(for: $0) }.joined())
    }
}

// MARK: - The story

extension MembershipHistory {
    private func name(_ device: DeviceID) -> String {
        MembershipHistory.cards.firstIndex { $0.device == device }.map { "device \($0)" } ?? "?"
    }

    private func name(_ grant: FactReference) -> String {
        commits.firstIndex { $0.id == grant.commit }.map { "grant \($0)/\(grant.index)" } ?? "?"
    }

    private func words(for fact: MembershipFact) -> String {
        switch fact {
        case .grant(let grant): words(for: grant)
        case .personGrant(let grant, let signed): "\(words(for: signed)) \(words(for: grant))"
        case .revocation(let taking): words(for: taking)
        case .personRevocation(let taking, let signed):
            "\(words(for: signed)) \(words(for: taking))"
        case .keyExchange(let said):
            "exchanges \(name(said.person))'s key \(number(said.oldKey, said)) for "
                + "\(number(said.newKey, said)), upholds \(said.upholds.count)"
        case .epoch(let fact): words(for: fact)
        default: "\(fact)"
        }
    }

    private func words(for signed: StatementKey) -> String {
        let all = keys[signed.person] ?? []
        let number = signed.key.flatMap { all.firstIndex(of: $0) }.map { " \($0)" } ?? ""
        return "by key \(name(signed.person))\(number)"
    }

    private func number(_ key: Bytes32, _ said: KeyExchange) -> String {
        keys[said.person]?.firstIndex(of: key).map { "\($0)" } ?? "first"
    }

    private func name(_ person: PersonID) -> String {
        MembershipHistory.cards.firstIndex { $0.person == person }.map { "\($0 / 2)" } ?? "?"
    }

    private func words(for grant: Grant) -> String {
        let parent = grant.parent.map { name($0) } ?? "nobody"
        return "gives \(name(grant.card.device)) \(grant.flags.rawValue) below \(parent), "
            + "sibling \(grant.siblingIndex), precedence \(grant.precedence)"
    }

    private func words(for fact: EpochFact) -> String {
        let epochs = fact.addedTo.map { id in
            commits.firstIndex { $0.id == id }.map { "\($0)" } ?? "?"
        }.joined(separator: ", ")
        let devices = fact.keys.map { name($0.device) }.joined(separator: ", ")
        let what =
            epochs.isEmpty ? "makes an epoch\(fact.recipient)" : "adds to the epochs \(epochs)"
        return "\(what)\(fact.isFromNow ? " from now" : "") for \(devices)"
    }

    private func words(for taking: Revocation) -> String {
        let cut = taking.cut.heads.sorted { $0.key < $1.key }
            .map { "\(name($0.key.device)) \($0.value.sequence)" }
        return "leaves \(taking.remaining.rawValue) of \(name(taking.grant)), "
            + "\(taking.scope), \(taking.cascade), after \(cut.joined(separator: ", "))"
    }
}
