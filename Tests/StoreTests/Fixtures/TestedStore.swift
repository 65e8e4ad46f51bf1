import Store
import SyncCore
import TestKit
import VirtualDisk

/// The calls of an engine's shell to a store, for one space.
protocol SpaceStore: AnyObject {
    /// The device whose store this is: its card and log, and its clock.
    var owner: TestPeer { get }
    var ledger: SpaceLedger? { get }
    /// Every record of which something counts, without what is merged from history.
    func records() throws -> [RecordID: RecordState]
    func apply(_ commits: [VerifiedCommit]) throws -> ApplyReport
    func apply(_ proof: UnverifiedFork) throws -> ApplyReport
    /// Writes a commit of the owner's; nil where the owner may not.
    func append(_ operations: [RecordOperation]) throws -> CommitID?
    /// The next commit that a watermark lacks behind a place, and the place behind which to go on; nil at the end.
    func next(beyond watermark: Watermark, after: Int64) throws -> (UnverifiedCommit, Int64)?
    /// The content of the smallest page that answers a question about forks.
    func forks(for question: ForkQuestion) throws -> (proofs: [UnverifiedFork], [UnverifiedCommit])
}

extension SpaceStore {
    var watermark: Watermark { ledger?.watermark ?? Watermark() }

    /// All that a watermark lacks behind a place, read commit by commit.
    func commits(
        beyond watermark: Watermark = Watermark(), after: Int64 = 0
    ) throws -> [UnverifiedCommit] {
        var found: [UnverifiedCommit] = []
        var place = after
        while let (commit, next) = try next(beyond: watermark, after: place) {
            precondition(next > place, "a page ends where it began")
            found.append(commit)
            place = next
        }
        return found
    }

    func titles(_ number: UInt64) throws -> Set<Value> {
        Set(try records()[record(number)]?.fields["title"]?.writes.compactMap(\.value) ?? [])
    }
}

/// The stores that answer an engine's shell.
enum TestedStore: CaseIterable {
    /// The store itself.
    case disk
    /// Its double in tests of the engine.
    case memory

    func make(_ testLog: TestLog, seed: UInt64, for space: SpaceID) throws -> any SpaceStore {
        let owner = try TestPeer(testLog, seed: seed, on: VirtualDisk(seed: seed))
        return switch self {
        case .disk: StoreOnDisk(owner, space)
        case .memory: StoreInMemory(owner)
        }
    }
}

private final class StoreOnDisk: SpaceStore {
    let owner: TestPeer
    private let space: SpaceID

    init(_ owner: TestPeer, _ space: SpaceID) { (self.owner, self.space) = (owner, space) }

    var ledger: SpaceLedger? { owner.store.ledger(of: space) }

    func records() throws -> [RecordID: RecordState] {
        var found: [RecordID: RecordState] = [:]
        for record in try owner.states(space).joined() {
            found[record.record] = RecordState(
                fields: record.state.fields, sets: record.state.sets)
        }
        return found
    }

    func apply(_ commits: [VerifiedCommit]) throws -> ApplyReport {
        try owner.store.log.apply(commits, to: space, now: owner.now)
    }

    func apply(_ proof: UnverifiedFork) throws -> ApplyReport {
        try owner.store.log.apply(VerifiedFork(verified: proof), to: space)
    }

    func append(_ operations: [RecordOperation]) throws -> CommitID? {
        do {
            return try owner.write(operations, to: space).stored.first?.id
        } catch StoreError.permissionRefused {
            return nil
        }
    }

    func next(beyond watermark: Watermark, after: Int64) throws -> (UnverifiedCommit, Int64)? {
        let page = try owner.store.log.commits(
            of: space, beyond: watermark, after: after, byteLimit: 1)
        return try page.commits.first.map { found in
            (try owner.testLog.decode(found.commit), page.next ?? found.place)
        }
    }

    func forks(
        for question: ForkQuestion
    ) throws -> (proofs: [UnverifiedFork], [UnverifiedCommit]) {
        let page = try owner.store.log.forks(of: space, for: question, byteLimit: 1)
        return (page.proofs, try page.commits.map(owner.testLog.decode))
    }
}

private final class StoreInMemory: SpaceStore {
    /// Its own store stays empty.
    let owner: TestPeer
    private var store = MemoryStore()

    init(_ owner: TestPeer) { self.owner = owner }

    var ledger: SpaceLedger? { store.ledger }

    func records() throws -> [RecordID: RecordState] { store.records }

    func apply(_ commits: [VerifiedCommit]) throws -> ApplyReport {
        store.apply(commits, now: owner.now)
    }

    func apply(_ proof: UnverifiedFork) throws -> ApplyReport { store.apply(proof) }

    func append(_ operations: [RecordOperation]) throws -> CommitID? {
        owner.now = Milliseconds(owner.now.value + 1)
        return store.append(in: owner.log) { ledger, grant in
            let header = ledger.nextHeader(in: owner.log, under: grant, clock: owner.tick())
            return owner.testLog.commit(header, ClearPart(), operations)
        }?.id
    }

    func next(beyond watermark: Watermark, after: Int64) throws -> (UnverifiedCommit, Int64)? {
        let page = store.page(beyond: watermark, after: after, limit: 1)
        return page.commits.first.map { ($0, page.cursor) }
    }

    func forks(
        for question: ForkQuestion
    ) throws -> (proofs: [UnverifiedFork], [UnverifiedCommit]) {
        let page = store.forks(for: question, limit: 1)
        return (page.proofs, page.commits)
    }
}
