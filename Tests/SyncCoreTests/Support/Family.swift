import SyncCore
import TestKit

/// One space with its founder, for tests that grant and revoke.
struct Family {
    let founder: TestDevice
    let root: FactReference
    private(set) var store = MemoryStore()
    private var clock: UInt64 = 10

    init(_ founder: TestDevice) {
        self.founder = founder
        let genesis = TestCommit.genesis(founder)
        root = FactReference(commit: genesis.id, index: 0)
        _ = store.apply([genesis])
    }

    var membership: Membership { store.ledger?.membership ?? Membership() }
    var ledger: SpaceLedger? { store.ledger }
    var watermark: Watermark { store.watermark }

    /// Stores a commit whether or not it is effective, and returns the id of its first fact. It has
    /// seen what an earlier ledger holds, else all.
    @discardableResult
    mutating func write(
        _ log: LogID, under grant: FactReference, _ facts: [MembershipFact] = [],
        _ operations: [RecordOperation] = [], seeing earlier: SpaceLedger? = nil
    ) -> FactReference {
        guard let ledger = earlier ?? store.ledger else { return .none }
        clock += 1
        let commit = TestCommit.next(
            in: log, of: ledger, under: grant, clock: clock,
            TestDraft(facts: facts, operations: operations))
        let refusal = store.apply([commit]).refusal
        return refusal == nil ? FactReference(commit: commit.id, index: 0) : .none
    }

    /// Grants under `parent`, written by `author` under the same.
    @discardableResult
    mutating func grant(
        _ device: TestDevice, _ flags: Permissions, by author: TestDevice,
        under parent: FactReference, sibling: UInt32 = 0, seeing earlier: SpaceLedger? = nil
    ) -> FactReference {
        write(
            author.log, under: parent,
            [.grant(device.grant(from: parent, flags, sibling: sibling))], seeing: earlier)
    }

    @discardableResult
    mutating func revoke(
        _ grant: FactReference, by author: TestDevice, under own: FactReference,
        remaining: Permissions = [], cut: Watermark? = nil, scope: Revocation.Scope = .device,
        cascade: Revocation.Cascade = .none
    ) -> FactReference {
        write(
            author.log, under: own,
            [
                .revocation(
                    Revocation(
                        grant: grant, remaining: remaining, cut: cut ?? watermark, scope: scope,
                        cascade: cascade))
            ])
    }

    /// Takes commits that were written elsewhere.
    mutating func apply(_ commits: [VerifiedCommit]) -> ApplyReport { store.apply(commits) }

    func current(_ grant: FactReference) -> Permissions? { membership.standings[grant]?.current }
    func order(_ grant: FactReference) -> GrantStanding.Order? {
        membership.standings[grant]?.order
    }
}
