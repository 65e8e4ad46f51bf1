import SyncCore

/// A random history of one space among several devices: writes, grants, revocations, forks and
/// statements, sensible and not, with devices that hear of each other now and then.
struct RandomHistory {
    private var random: SeededGenerator
    private let devices: [TestDevice]
    private var stores: [MemoryStore]
    private var grants: [FactReference]
    private var clock: UInt64 = 10

    init(seed: UInt64, rounds: Int) {
        random = SeededGenerator(seed: seed)
        devices = (0..<5).map { TestDevice($0 + 1, person: $0 / 2) }
        stores = Array(repeating: MemoryStore(), count: devices.count)
        let genesis = TestCommit.genesis(devices[0])
        _ = stores[0].apply([genesis])
        grants = [FactReference(commit: genesis.id, index: 0)]
        for index in devices.indices.dropFirst() {
            let flags: Permissions = index == 4 ? [.read, .write] : .all
            add(
                0,
                TestDraft(facts: [
                    .grant(
                        devices[index].grant(
                            from: grants[0], flags, sibling: index == 1 ? 1 : 0))
                ]))
        }
        for index in stores.indices { hear(index, from: 0) }
        for _ in 0..<rounds { round() }
        for _ in 0..<2 {
            for one in stores.indices {
                for other in stores.indices { hear(one, from: other) }
            }
        }
    }

    /// Every commit, in the order in which the first device stored them.
    var commits: [VerifiedCommit] { stores[0].commits }

    /// The same commits in another order that respects what each had seen.
    mutating func shuffled() -> [VerifiedCommit] {
        var waiting = commits
        var store = MemoryStore()
        var result: [VerifiedCommit] = []
        while !waiting.isEmpty {
            let ready = waiting.indices.filter { index in
                var trial = store
                return trial.apply([waiting[index]]).refusal == nil
            }
            guard let next = ready.randomElement(using: &random) else { return result }
            let commit = waiting.remove(at: next)
            _ = store.apply([commit])
            result.append(commit)
        }
        return result
    }

    private mutating func round() {
        let author = Int.random(in: stores.indices, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: hear(author, from: Int.random(in: stores.indices, using: &random))
        case 4..<8: add(author, TestDraft(operations: [operation(by: author)]))
        case 8: add(author, TestDraft(facts: [grant(by: author)]))
        default: add(author, TestDraft(facts: [takeBack(by: author)]))
        }
    }

    private mutating func hear(_ one: Int, from other: Int) {
        let known = stores[one].watermark
        let news = stores[other].commits.filter {
            !known.covers($0.header.log, $0.header.sequence)
        }
        _ = stores[one].apply(news)
    }

    private mutating func add(_ author: Int, _ draft: TestDraft) {
        clock += UInt64.random(in: 0..<3, using: &random)
        guard let commit = stores[author].append(in: devices[author].log, clock: clock, draft)
        else { return }
        for index in commit.facts.indices {
            grants.append(FactReference(commit: commit.id, index: UInt32(index)))
        }
    }

    private mutating func operation(by author: Int) -> RecordOperation {
        let record = UInt64.random(in: 0..<3, using: &random)
        let shown = stores[author].records[RecordID(record)]?.fields["title"]?.writes.map(\.id)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return RecordOperation(record, [.deletion(Bool.random(using: &random))])
        case 1:
            let tag = Value.integer(Int64.random(in: 0..<3, using: &random))
            let isIn = Value.boolean(Bool.random(using: &random))
            return RecordOperation(record, [Write(field: "tags", element: tag, value: isIn)])
        case 2:
            var write = title("precedence")
            write.precedence = UInt32.random(in: 0..<3, using: &random)
            return RecordOperation(record, [write])
        case 3:
            let some = (shown ?? []).filter { _ in Bool.random(using: &random) }
            return RecordOperation(record, [title("replacing \(clock)", replaces: some)])
        default: return RecordOperation(record, [title("text \(clock / 4)")])
        }
    }

    private mutating func grant(by author: Int) -> MembershipFact {
        let device = devices.randomElement(using: &random) ?? devices[0]
        let own = stores[author].ledger?.membership.writingGrant(of: devices[author].id)
        let parent =
            Bool.random(using: &random) ? own : grants.randomElement(using: &random)
        let flags = Permissions(rawValue: UInt32.random(in: 0..<16, using: &random))
        let grant = device.grant(
            from: parent ?? grants[0], Bool.random(using: &random) ? .all : flags,
            sibling: UInt32.random(in: 0..<3, using: &random))
        return Int.random(in: 0..<4, using: &random) == 0
            ? .personGrant(grant, device.person) : .grant(grant)
    }

    private mutating func takeBack(by author: Int) -> MembershipFact {
        let kinds: [Revocation.Cascade] = [.none, .samePerson, .all]
        var cut = stores[author].watermark
        if Bool.random(using: &random), let log = cut.heads.keys.sorted().first {
            let low = LogHead(sequence: 2, commit: .zero)
            cut.cut(log, to: Bool.random(using: &random) ? nil : low)
        }
        let revocation = Revocation(
            grant: grants.randomElement(using: &random) ?? grants[0],
            remaining: Permissions(rawValue: UInt32.random(in: 0..<4, using: &random)), cut: cut,
            scope: Bool.random(using: &random) ? .device : .person,
            cascade: kinds.randomElement(using: &random) ?? .none)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let person = devices.randomElement(using: &random)?.person ?? devices[0].person
            return .personRevocation(revocation, person)
        case 1:
            let log = devices.randomElement(using: &random)?.log ?? devices[0].log
            return .fork(log, sequence: UInt64.random(in: 4..<9, using: &random))
        default: return .revocation(revocation)
        }
    }
}
