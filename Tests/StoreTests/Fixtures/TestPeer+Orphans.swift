import Store
import SyncCore

/// Changes that do not count, and bringing them back.
extension TestPeer {
    @discardableResult
    func recover(
        _ orphan: Orphan, of orphans: Orphans, in space: SpaceID
    ) throws -> ApplyReport {
        now = Milliseconds(now.value + 1)
        return try store.orphans.recover(
            orphan, of: orphans, in: space, own, naming: nil, seal: sealed)
    }

    /// Recovers those that wait, of one device or of all, under one number; how many that were.
    @discardableResult
    func recoverAll(in space: SpaceID, of device: DeviceID? = nil) throws -> Int {
        let orphans = try store.orphans.all(in: space, by: device)
        for orphan in orphans.waiting { try recover(orphan, of: orphans, in: space) }
        return orphans.waiting.count
    }

    func recoverFirst(in space: SpaceID) throws {
        let orphans = try store.orphans.all(in: space)
        if let first = orphans.waiting.first { try recover(first, of: orphans, in: space) }
    }

    /// Takes back what was recovered last: the commit that does, and how many do not count again.
    @discardableResult
    func undoRecovery(in space: SpaceID) throws -> (commit: CommitID, count: Int)? {
        guard let number = try store.orphans.lastRecovery(in: space) else { return nil }
        now = Milliseconds(now.value + 1)
        let done = try store.orphans.undoRecovery(
            number, in: space, own, seal: sealed)
        return done.map { ($0.report.stored[0].id, $0.commits) }
    }

    /// Loses a space to its founder, and writes on without having heard: the commits of `body`, which
    /// do not count.
    func beCutOff(
        from space: SpaceID, of founder: TestPeer, _ body: () throws -> Void
    ) throws -> [CommitID] {
        let grant = try founder.grant(.editor, to: self, in: space)
        try pull(space, from: founder)
        let cut = store.ledger(of: space)?.watermark ?? Watermark()
        try body()
        let beyond = try commits(of: space, beyond: cut).map(\.id)
        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        try founder.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        try founder.pull(space, from: self)
        return beyond
    }

    func titles(_ space: SpaceID, _ number: UInt64) throws -> [Value] {
        let key = RecordKey(collection: "memory", record: record(number))
        let writes = try store.records.record(key, of: space)?.fields["title"]?.writes ?? []
        return Set(writes.map(\.value)).sorted { "\($0)" < "\($1)" }
    }

    /// Hears all that others have, also what fits only after the rest.
    func meet(_ others: [TestPeer], _ space: SpaceID) throws {
        for _ in 0..<2 {
            for other in others { try receive(space, from: other) }
        }
    }
}

extension TestLog {
    /// Anna, Ben's changes beyond a cut, and Cleo, a member.
    func beyondCut(
        _ body: (_ ben: TestPeer, _ space: SpaceID) throws -> Void
    ) throws -> (anna: TestPeer, ben: TestPeer, cleo: TestPeer, grant: FactReference, SpaceID) {
        let anna = try TestPeer(self, seed: 1)
        let ben = try TestPeer(self, seed: 2)
        let cleo = try TestPeer(self, seed: 3)
        let space = try anna.found()
        let grant = try anna.grant(.editor, to: cleo, in: space)
        _ = try ben.beCutOff(from: space, of: anna) { try body(ben, space) }
        return (anna, ben, cleo, grant, space)
    }
}
