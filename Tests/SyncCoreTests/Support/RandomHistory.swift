import SyncCore
import TestKit

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

    /// Every commit, in the order in which the first device stored them; then branches.
    var commits: [VerifiedCommit] { stores[0].commits + stores[0].branches }

    /// What all commits amount to where their forks were known from the start.
    var reference: MemoryStore { RandomHistory.store(commits, forks: forks) }

    var forks: [LogID: ForkedLog] { stores[0].forks }

    static func store(
        _ commits: [VerifiedCommit], forks: [LogID: ForkedLog]
    ) -> MemoryStore {
        var store = MemoryStore()
        _ = store.apply(Array(commits.prefix(1)))
        store.learn(forks, commits)
        return store
    }

    /// The same commits in another order that respects what each had seen; the proofs of forks come
    /// at once, or with the commits that carry them.
    mutating func shuffled() -> (commits: [VerifiedCommit], hasProofsFirst: Bool) {
        var waiting = commits
        var store = MemoryStore()
        var result = [waiting.removeFirst()]
        _ = store.apply(result)
        let hasProofsFirst = Bool.random(using: &random)
        if hasProofsFirst { store.learn(forks, []) }
        while !waiting.isEmpty {
            let ready = waiting.indices.filter { index in
                var trial = store
                return trial.apply([waiting[index]]).refusal == nil
            }
            guard let next = ready.randomElement(using: &random) else { break }
            let commit = waiting.remove(at: next)
            _ = store.apply([commit])
            result.append(commit)
        }
        return (result, hasProofsFirst)
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
        if stores[one].ledger == nil {
            _ = stores[one].apply(Array(stores[other].commits.prefix(1)))
        }
        stores[one].learn(stores[other].forks, stores[other].commits + stores[other].branches)
    }

    private mutating func add(_ author: Int, _ draft: TestDraft) {
        clock += UInt64.random(in: 0..<3, using: &random)
        let incarnations =
            [devices[author].log] + (0..<9).map { devices[author].restored(100 + $0) }
        guard let log = incarnations.first(where: { stores[author].forks[$0] == nil }),
            let commit = stores[author].append(in: log, clock: clock, draft)
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
            ? .personGrant(grant, StatementKey(device.person)) : .grant(grant)
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
            return .personRevocation(revocation, StatementKey(person))
        case 1:
            let log = devices.randomElement(using: &random)?.log ?? devices[0].log
            return .fork(log, sequence: UInt64.random(in: 4..<9, using: &random))
        default: return .revocation(revocation)
        }
    }
}

extension MemoryStore {
    /// Takes in forks, and commits for as long as any of them fits.
    mutating func learn(_ forks: [LogID: ForkedLog], _ commits: [VerifiedCommit]) {
        var held = -1
        while held < self.commits.count + branches.count {
            held = self.commits.count + branches.count
            // The device of a fork may come with the commits.
            for (log, known) in forks { fork(log, at: known.sequence) }
            _ = apply(commits)
        }
    }
}
