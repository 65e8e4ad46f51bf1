package import LocalAPI
internal import Store
internal import SyncCore

/// Takes back what was written: what a person did here last, one commit, or all that a device wrote or deleted
/// since a time. Undoing is an ordinary write, and can be undone.
package struct UndoService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// With `preview` only says what would change. Throws ``APIError``, also when there is nothing to undo.
    package func undo(_ draft: UndoDraft) async throws -> UndoView {
        let choice = try UndoChoice(replica)
        return try await carryOut(.undo, try choice.meant(by: draft), choice.graph, draft)
    }

    /// Takes the last undo of this device back, unless something else was done here since.
    package func redo(_ draft: UndoDraft) async throws -> UndoView {
        let choice = try UndoChoice(replica)
        guard let meant = try choice.lastUndo() else { throw Sentence.History.nothingToRedo }
        return try await carryOut(.redo, meant, choice.graph, draft)
    }

    private func carryOut(
        _ kind: Reversal.Kind, _ meant: [StoredCommit], _ graph: ReversalGraph, _ draft: UndoDraft
    ) async throws -> UndoView {
        let left = graph.leftOut(undoing: Set(meant.map(\.commit.id)))
        let plans = try replica.snapshot {
            try Dictionary(grouping: meant, by: \.space).sorted { $0.key < $1.key }.compactMap {
                space, commits in
                try UndoPlan(
                    replica, space, commits, leavingOut: left, over: draft.over,
                    onlyDeletions: draft.deletions)
            }
        }
        let view = UndoView(
            done: !draft.preview, redo: kind == .redo, commits: meant.count,
            records: plans.flatMap(\.undone), kept: plans.flatMap(\.kept))
        guard !draft.preview else { return view }
        guard view.recordCount > 0 else {
            throw Sentence.History.nothingToUndo(kept: view.keptCount)
        }
        var reversals: [SpaceID: (undone: [CommitID], by: [CommitID])] = [:]
        for plan in plans where !plan.operations.isEmpty {
            let before = try replica.store.lastPlace()
            try await write(plan)
            reversals[plan.space.id] = (plan.undoneWhole, try written(by: plan, after: before))
        }
        let noted = reversals
        try await replica.store.offloaded { try Reversals(of: $0).note(kind, noted) }
        return view
    }

    private func write(_ plan: UndoPlan) async throws {
        let spaces = SpaceService(replica)
        var batches = RecordBatches()
        for operation in plan.operations where !batches.add(operation, []) {
            throw APIError.requestTooLarge
        }
        for part in batches.parts {
            try await spaces.write(part.draft, to: plan.space, .changeRecords)
        }
    }

    /// The commits by which a plan was carried out: others may have been written here meanwhile.
    private func written(by plan: UndoPlan, after place: Int64) throws -> [CommitID] {
        let records = Set(plan.operations.map(\.record))
        return try PastReading(of: replica.store).commits(
            by: replica.local.device, after: place, limit: Limits.commitsOfUndo
        ).filter { stored in
            stored.space == plan.space.id && !stored.commit.operations.isEmpty
                && stored.commit.operations.allSatisfy { records.contains($0.record) }
        }.map(\.commit.id)
    }
}

/// Which commits are meant.
private struct UndoChoice {
    private let replica: any Replica
    let graph: ReversalGraph

    init(_ replica: any Replica) throws {
        self.replica = replica
        graph = ReversalGraph(try Reversals(of: replica.store).all())
    }

    func meant(by draft: UndoDraft) throws -> [StoredCommit] {
        let space = try draft.space.map { try SpaceDirectory(replica).readable($0) }
        if let typed = draft.commit {
            guard draft.device == nil, draft.since == nil, !draft.deletions else {
                throw Sentence.History.undoOneOrSince
            }
            return [try commit(typed)]
        }
        guard draft.device != nil || draft.deletions else {
            guard draft.since == nil else { throw Sentence.History.undoSinceOfWhom }
            return [try last(in: space?.id)]
        }
        guard let since = draft.since else { throw Sentence.History.undoSinceWhen }
        return try commits(since: since, by: draft.device.map { try device($0) }, in: space?.id)
    }

    private func commit(_ typed: String) throws -> StoredCommit {
        let digits = typed.lowercased()
        let found =
            digits.utf8.count < Lookup.leastIDCharacters
            ? [] : try PastReading(of: replica.store).commits(beginning: digits)
        guard let first = found.first, found.count == 1 else {
            throw found.isEmpty
                ? Sentence.History.unknownCommit(ShownText.line(typed))
                : Sentence.History.ambiguousCommit(ShownText.line(typed))
        }
        guard isUndoable(first) else { throw Sentence.History.nothingToUndo(kept: 0) }
        return first
    }

    // As Lookup.find, which it calls.
    @inline(never)
    private func device(_ typed: String) throws -> DeviceID {
        let devices =
            [replica.local.device] + (try replica.knownDevices().map(\.card.device).sorted())
        return try Lookup.find(typed, .device, among: devices) { device in
            let own = replica.reference(device)
            return Lookup.Entry(id: own.id, name: own.name)
        }
    }

    /// The last thing done here that was not undone.
    private func last(in space: SpaceID?) throws -> StoredCommit {
        let found = try newestOwn { stored in
            (space == nil || stored.space == space) && isDeed(stored)
                && graph.isLive(stored.commit.id)
        }
        guard let found else { throw Sentence.History.nothingToUndo(kept: 0) }
        return found
    }

    /// Whether it is something that a person did here, and not an undo.
    private func isDeed(_ stored: StoredCommit) -> Bool {
        isUndoable(stored) && !graph.reversers.contains(stored.commit.id)
    }

    /// The commits that carried the last undo out; nil when there is none, or something else was done since.
    func lastUndo() throws -> [StoredCommit]? {
        guard let wanted = graph.lastUndo else { return nil }
        var commits: [StoredCommit] = []
        _ = try newestOwn { stored in
            if wanted.contains(stored.commit.id) { commits.append(stored) }
            return isDeed(stored) || commits.count == wanted.count
        }
        return commits.count == wanted.count ? commits : nil
    }

    private func newestOwn(where isMeant: (StoredCommit) -> Bool) throws -> StoredCommit? {
        var before: Int64?
        while true {
            let page = try PastReading(of: replica.store).commits(
                by: replica.local.device, before: before, limit: Limits.changePage)
            guard let last = page.last else { return nil }
            if let found = page.first(where: isMeant) { return found }
            before = last.place
        }
    }

    /// Whether it says something of records that people write: neither names of people and devices, nor what
    /// made a space.
    private func isUndoable(_ stored: StoredCommit) -> Bool {
        stored.commit.clear.genesis == nil
            && stored.commit.operations.contains { !$0.isOfProgram(in: stored.space) }
    }

    private func commits(
        since: Moment, by device: DeviceID?, in space: SpaceID?
    ) throws -> [StoredCommit] {
        var found: [StoredCommit] = []
        var before: Int64?
        while true {
            let page = try replica.store.storedCommits(
                of: space, after: 0, before: before, exceptOf: nil, limit: Limits.changePage)
            guard let last = page.last else { return found }
            before = last.place
            // By the order in which it came here, not by the clock of who wrote it.
            let wanted = page.filter { Int64($0.receivedAt.value) >= since.milliseconds }
            if wanted.isEmpty { return found }
            found += wanted.filter { stored in
                (device == nil || stored.commit.header.log.device == device)
                    && isDeed(stored) && graph.isLive(stored.commit.id)
            }
            guard found.count <= Limits.commitsOfUndo else { throw Sentence.History.undoTooMuch }
        }
    }
}

extension RecordOperation {
    /// Whether it is about the names of people or devices, or the space itself.
    fileprivate func isOfProgram(in space: SpaceID) -> Bool {
        Schema.isEverywhere(collection) || isTitle(of: space)
    }
}

extension Limits {
    /// Commits that are undone together, at most.
    static let commitsOfUndo = 10_000
}
