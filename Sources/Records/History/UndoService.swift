package import LocalAPI
internal import Store
internal import SyncCore

/// Undoes writes: a person's last deed here, one commit, or everything that a device wrote or deleted since
/// a time. Undoing is an ordinary write, and can be undone.
package struct UndoService: Sendable {
    private let replica: any Replica
    private let limit: Int

    /// `limit` is the most commits of a device, or of deletions, since a time.
    package init(_ replica: any Replica, limit: Int = Limits.commitsOfUndo) {
        (self.replica, self.limit) = (replica, limit)
    }

    /// With `preview`, only reports the changes. Throws ``APIError``, also when there is nothing to undo.
    package func undo(_ draft: UndoDraft) async throws -> UndoView {
        let place = try draft.since.map { _ in try replica.store.log.lastPlace() }
        let choice = try UndoChoice(replica, limit: limit)
        if let meant = try choice.named(by: draft) {
            if draft.commit != nil { try requireNoSpace(madeOrDeletedBy: meant, choice) }
            let undone = try await carryOut(.undo, try plan(meant, choice.graph, draft), draft)
            if let place, undone.done { try await note(draft, after: place) }
            return undone
        }
        let (plan, next) = try lastDeed(choice, draft)
        guard draft.preview || !plan.isEmpty else {
            throw UndoErrors.allKept(plan.plans, next: next)
        }
        return try await carryOut(.undo, plan, draft)
    }

    /// Notes an undo since a time, for changes that it covers and that arrive later.
    private func note(_ draft: UndoDraft, after place: Int64) async throws {
        let graph = ReversalGraph(try replica.store.reversals.all())
        guard let commit = graph.lastUndo?.min() else { return }
        let until = draft.until.map { UInt64(clamping: $0.milliseconds) } ?? .max
        try await ScopedUndos(replica).add(
            ScopedUndo(
                of: try draft.device.map { try Lookup.anyDevice($0, of: replica) },
                in: try draft.space.map { try SpaceDirectory(replica).readable($0).id },
                onlyDeletions: draft.deletions, after: place,
                before: Milliseconds(min(until, replica.now.value)), by: commit))
    }

    /// What becomes of the last deed.
    private enum LastDeed {
        /// Some of it is undone, or stays for a reason that is known.
        case undone(UndoWork)
        /// It only wrote the present values again: it goes together with the deed right before it.
        case confirms
        case created(ReadableSpace?)
        /// Nothing is left to undo: somebody deleted the record, or it does not count.
        case spent
    }

    /// The last deed, with those right after it that only confirm its values; also an earlier deed, if all of it
    /// stays. Throws ``APIError`` if nothing of it is left to undo: the earlier deed is only named.
    private func lastDeed(
        _ choice: UndoChoice, _ draft: UndoDraft
    ) throws -> (plan: UndoWork, next: String?) {
        let space = try draft.space.map { try SpaceDirectory(replica).readable($0).id }
        var last: LastDeed?
        var confirming: [[StoredCommit]] = []
        var deeds = 0
        let next = try choice.deed(in: space) { deed in
            deeds += 1
            if last == nil {
                let found = try self.last(deed, after: confirming, choice, draft)
                switch found {
                case .undone(let work):
                    last = found
                    return !work.isEmpty
                case .confirms where deeds < Limits.deedsLookedAt:
                    confirming.append(deed)
                    return false
                case .created(let space):
                    // In one space, nothing comes before its creation.
                    if space != nil, draft.space == nil { last = found }
                    return false
                case .confirms, .spent:
                    last = .spent
                    if confirming.isEmpty { return false }
                }
            }
            return try choice.isNamed(deed)
                && (deeds > Limits.deedsLookedAt || isLeft(deed, choice, draft))
        }
        let before = next.map { ShortIDs.alone($0.description) }
        switch last {
        case .undone(let work): return (work, work.isEmpty ? before : nil)
        case .created(let space?):
            throw UndoErrors.created(space.name, isTrip: space.isTrip, next: before)
        case .spent: throw UndoErrors.spent(next: before)
        case .confirms, .created(nil), nil:
            throw confirming.isEmpty ? UndoErrors.nothingToUndo : UndoErrors.spent(next: nil)
        }
    }

    /// `confirming` are the deeds after it, which only confirm values.
    private func last(
        _ deed: [StoredCommit], after confirming: [[StoredCommit]], _ choice: UndoChoice,
        _ draft: UndoDraft
    ) throws -> LastDeed {
        if confirming.isEmpty {
            if let (space, change) = try SpaceChange.of(deed, replica) {
                throw UndoErrors.last(change, of: space)
            }
            if try choice.isCreation(deed) { return .created(try created(by: deed)) }
        }
        let records = Set(
            deed.flatMap(\.commit.operations).filter { !$0.isTouch }.map(\.record))
        let isConfirmed = confirming.allSatisfy { later in
            later.contains { $0.commit.operations.contains { records.contains($0.record) } }
        }
        guard try isConfirmed && (confirming.isEmpty || choice.isNamed(deed)) else {
            return .spent
        }
        let work = try plan(confirming.flatMap(\.self) + deed, choice.graph, draft)
        guard work.isEmpty, work.kept.isEmpty else { return .undone(work) }
        return work.isConfirming ? .confirms : .spent
    }

    /// Whether undoing this deed alone would change something, or tell why not.
    private func isLeft(
        _ deed: [StoredCommit], _ choice: UndoChoice, _ draft: UndoDraft
    ) throws -> Bool {
        do {
            let work = try plan(deed, choice.graph, draft)
            return !work.isEmpty || !work.kept.isEmpty
        } catch is APIError {
            // With its id, a person gets the reason.
            return true
        }
    }

    /// The space that a deed created; nil for the person's own, and for one that is no longer here.
    private func created(by deed: [StoredCommit]) throws -> ReadableSpace? {
        try SpaceDirectory(replica).readable().first { space in
            space.known != nil && deed.contains { $0.space == space.id }
        }
    }

    /// Throws when the deed that a person named created, deleted or restored a space, or made one from another
    /// space or an archive.
    private func requireNoSpace(
        madeOrDeletedBy deed: [StoredCommit], _ choice: UndoChoice
    ) throws {
        if let (space, change) = try SpaceChange.of(deed, replica) {
            throw UndoErrors.named(change, of: space)
        }
        guard let first = deed.first, deed.count == 1,
            try choice.isCreation(deed) || first.commit.clear.genesis != nil
        else { return }
        guard let space = try created(by: deed) else { throw UndoErrors.nothingToUndo }
        throw UndoErrors.namedCreation(of: space.reference, isTrip: space.isTrip)
    }

    /// Reverts the last undo on this device, unless something else was done here since.
    package func redo(_ draft: UndoDraft) async throws -> UndoView {
        let choice = try UndoChoice(replica)
        guard let meant = try choice.lastUndo() else {
            throw APIError(
                code: .conflict, sentence: "There is no undo that could be taken back.",
                hint: "Once something else was changed on this device, an undo stays.")
        }
        return try await carryOut(.redo, try plan(meant, choice.graph, draft), draft)
    }

    private func plan(
        _ meant: [StoredCommit], _ graph: ReversalGraph, _ draft: UndoDraft
    ) throws -> UndoWork {
        let left = graph.leftOut(undoing: Set(meant.map(\.commit.id)))
        let change =
            meant.count == 1 ? meant.first.map { ShortIDs.alone($0.commit.id.description) } : nil
        if let redating = try RedateReversal(replica, meant, leavingOut: left) {
            return UndoWork(
                plans: [], redating: redating, commits: meant.count, change: change)
        }
        let spaces = Dictionary(grouping: meant, by: \.space).sorted { $0.key < $1.key }
        var plans = try replica.snapshot {
            try spaces.compactMap { space, commits in
                try UndoPlan(
                    replica, space, commits, leavingOut: left, over: draft.over,
                    onlyDeletions: draft.deletions)
            }
        }
        // Otherwise moved records would be in neither space.
        if draft.since == nil, spaces.count > 1,
            plans.count < spaces.count || plans.contains(where: \.lacksRight)
        {
            throw APIError(
                code: .conflict,
                sentence:
                    "It was done in several trips, and in one of them you may not take it back now.",
                hint: "Each part on its own: peersync memory delete, peersync bin restore")
        }
        // Restores come first, for the same reason: after a stop in between there are two copies.
        plans = plans.filter { !$0.onlyRemoves } + plans.filter(\.onlyRemoves)
        return UndoWork(plans: plans, redating: nil, commits: meant.count, change: change)
    }

    private func carryOut(
        _ kind: Reversal.Kind, _ work: UndoWork, _ draft: UndoDraft
    ) async throws -> UndoView {
        var view = UndoView(
            done: !draft.preview, redo: kind == .redo, commits: work.commits, change: work.change,
            records: work.plans.flatMap(\.undone), kept: work.kept)
        view.redated = work.redating.map {
            UndoView.Redated(device: replica.reference($0.device), changes: $0.changes)
        }
        guard !draft.preview else { return view }
        guard !work.isEmpty else {
            throw work.kept.isEmpty
                ? UndoErrors.nothingToUndo : UndoErrors.allKept(work.plans, next: nil)
        }
        if let redating = work.redating {
            try await carryOut(kind, redating)
            return view
        }
        var reversals: [SpaceID: (undone: [CommitID], by: [CommitID])] = [:]
        var failure: (any Error)?
        for plan in work.plans where !plan.operations.isEmpty && failure == nil {
            let before = try replica.store.log.lastPlace()
            do {
                try await RecordBatches(plan.operations + touches(of: plan)).write(
                    to: plan.space, by: SpaceWriter(replica))
            } catch {
                failure = error
            }
            // The commits before a failure are recorded as undone all the same.
            let by = try Deeds(replica).commits(
                in: plan.space.id, writingTo: Set(plan.operations.map(\.record)), after: before)
            if !by.isEmpty { reversals[plan.space.id] = (plan.commits.sorted(), by) }
        }
        let noted = reversals
        try await replica.store.offloaded { try $0.reversals.note(kind, noted) }
        if let failure { throw failure }
        return view
    }

    /// The touches of a plan's operations, beside the touches of others: an undo supersedes none of theirs.
    private func touches(of plan: UndoPlan) throws -> [RecordOperation] {
        var touch = Write.touch
        touch.replaces = []
        return try replica.touches(for: plan.operations, in: plan.space.id).map {
            RecordOperation(collection: $0.collection, record: $0.record, writes: [touch])
        }
    }

    private func carryOut(_ kind: Reversal.Kind, _ reversal: RedateReversal) async throws {
        var reversals: [SpaceID: (undone: [CommitID], by: [CommitID])] = [:]
        var failure: (any Error)?
        for part in reversal.parts where failure == nil {
            let before = try replica.store.log.lastPlace()
            do {
                for redating in part.redatings {
                    try await replica.redate(redating, in: part.space.id)
                }
            } catch {
                failure = error
            }
            // The commits before a failure are recorded as undone all the same.
            let by = try Deeds(replica).redatings(of: reversal.device, after: before)
            if let by = by[part.space.id] { reversals[part.space.id] = (part.reverted, by) }
        }
        let noted = reversals
        try await replica.store.offloaded { try $0.reversals.note(kind, noted) }
        if let failure { throw failure }
    }
}

/// The plans for an undo, space by space.
private struct UndoWork {
    let plans: [UndoPlan]
    /// Present where redatings are reverted; then there are no plans.
    let redating: RedateReversal?
    let commits: Int
    /// The id of the only one.
    let change: String?

    var isEmpty: Bool {
        plans.allSatisfy(\.operations.isEmpty) && redating?.parts.isEmpty ?? true
    }
    var isConfirming: Bool { plans.contains(where: \.isConfirming) }
    var kept: [UndoView.Kept] { plans.flatMap(\.kept) }
}
