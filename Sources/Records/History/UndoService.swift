package import LocalAPI
internal import Store
internal import SyncCore

/// Undoes writes: a person's last deed here, one commit, or everything that a device wrote or deleted since
/// a time. Undoing is an ordinary write, and can be undone.
package struct UndoService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// With `preview`, only reports the changes. Throws ``APIError``, also when there is nothing to undo.
    package func undo(_ draft: UndoDraft) async throws -> UndoView {
        let choice = try UndoChoice(replica)
        if let meant = try choice.named(by: draft) {
            if draft.commit != nil { try requireNoSpace(madeOrDeletedBy: meant, choice) }
            return try await carryOut(.undo, try plan(meant, choice.graph, draft), draft)
        }
        let (plan, next) = try lastDeed(choice, draft)
        guard draft.preview || !plan.isEmpty else {
            throw UndoErrors.allKept(plan.plans, next: next)
        }
        return try await carryOut(.undo, plan, draft)
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
        let records = Set(deed.flatMap(\.commit.operations).map(\.record))
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
        return UndoWork(
            plans: plans, commits: meant.count,
            change: meant.count == 1
                ? meant.first.map { ShortIDs.alone($0.commit.id.description) } : nil)
    }

    private func carryOut(
        _ kind: Reversal.Kind, _ work: UndoWork, _ draft: UndoDraft
    ) async throws -> UndoView {
        let view = UndoView(
            done: !draft.preview, redo: kind == .redo, commits: work.commits, change: work.change,
            records: work.plans.flatMap(\.undone), kept: work.kept)
        guard !draft.preview else { return view }
        guard !work.isEmpty else {
            throw work.kept.isEmpty
                ? UndoErrors.nothingToUndo : UndoErrors.allKept(work.plans, next: nil)
        }
        var reversals: [SpaceID: (undone: [CommitID], by: [CommitID])] = [:]
        var failure: (any Error)?
        for plan in work.plans where !plan.operations.isEmpty && failure == nil {
            let before = try replica.store.log.lastPlace()
            do {
                try await RecordBatches(plan.operations).write(
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
}

/// The plans for an undo, space by space.
private struct UndoWork {
    let plans: [UndoPlan]
    let commits: Int
    /// The id of the only one.
    let change: String?

    var isEmpty: Bool { plans.allSatisfy(\.operations.isEmpty) }
    var isConfirming: Bool { plans.contains(where: \.isConfirming) }
    var kept: [UndoView.Kept] { plans.flatMap(\.kept) }
}

/// Selects the commits to undo.
private struct UndoChoice {
    private let replica: any Replica
    let graph: ReversalGraph

    init(_ replica: any Replica) throws {
        self.replica = replica
        graph = ReversalGraph(try replica.store.reversals.all())
    }

    /// The commits that the draft names; nil for the last deed.
    func named(by draft: UndoDraft) throws -> [StoredCommit]? {
        if let typed = draft.commit {
            guard draft.device == nil, draft.since == nil, draft.until == nil, !draft.deletions
            else {
                throw APIError(
                    code: .badInput,
                    sentence: "Name either one change, or a device or deletions and a time.",
                    hint: "For example: peersync undo --device phone --since yesterday")
            }
            return try whole(try commit(typed))
        }
        guard draft.device != nil || draft.deletions else {
            guard draft.since == nil, draft.until == nil else {
                throw APIError(
                    code: .badInput, sentence: "What is to be undone since then?",
                    hint: "Name a device (--device phone), or what was deleted (--deletions).")
            }
            return nil
        }
        guard let since = draft.since else {
            throw APIError(
                code: .badInput, sentence: "From when on?",
                hint: "For example: --since \"yesterday 18:00\"")
        }
        let space = try draft.space.map { try SpaceDirectory(replica).readable($0) }
        let found = try commits(
            from: since, to: draft.until,
            by: draft.device.map { try Lookup.anyDevice($0, of: replica) }, in: space?.id)
        guard draft.deletions else { return found }
        return found.filter { stored in
            stored.commit.operations.contains { $0.writes.contains(where: \.isDeletion) }
        }
    }

    private func commit(_ typed: String) throws -> StoredCommit {
        let digits = typed.lowercased()
        let found =
            digits.utf8.count < Lookup.leastIDCharacters
            ? [] : try replica.store.past.commits(beginning: digits)
        guard let first = found.first, found.count == 1 else {
            throw found.isEmpty
                ? APIError(
                    code: .notFound,
                    sentence: "No change has the id \(Sentence.name(ShownText.line(typed))).",
                    hint: "The ids of changes: peersync history RECORD")
                : APIError(
                    code: .ambiguous,
                    sentence: """
                        Several changes have an id that begins with \
                        \(Sentence.name(ShownText.line(typed))).
                        """,
                    hint: "Type more of it.")
        }
        guard try isUndoable(first) || isCreation([first]) || first.commit.clear.genesis != nil
        else {
            throw UndoErrors.nothingToUndo
        }
        return first
    }

    /// The commits of a deed: those of one group are always one, also where nobody noted that they belong together.
    private func deed(of stored: StoredCommit) throws -> Set<CommitID> {
        try graph.deed(of: stored.commit.id).union(replica.store.past.others(inGroupOf: stored))
    }

    /// With all commits of its deed.
    private func whole(_ stored: StoredCommit) throws -> [StoredCommit] {
        let others = try deed(of: stored).subtracting([stored.commit.id])
        return try [stored]
            + others.sorted().flatMap {
                try replica.store.past.commits(beginning: $0.description)
            }.filter { graph.isLive($0.commit.id) }
    }

    /// The last deed here that was not undone and fits, with all its commits; nil for none.
    func deed(
        in space: SpaceID?, where fits: ([StoredCommit]) throws -> Bool
    ) throws -> CommitID? {
        var gathered: [Set<CommitID>: [StoredCommit]] = [:]
        return try newestOwn { stored in
            guard graph.isLive(stored.commit.id) else { return false }
            let deed = try deed(of: stored).filter { graph.isLive($0) }
            gathered[deed, default: []].append(stored)
            guard let all = gathered[deed], all.count == deed.count,
                space == nil || all.contains(where: { $0.space == space })
            else { return false }
            return try (deed.count > 1 || isDeed(stored) || isCreation([stored])) && fits(all)
        }?.commit.id
    }

    /// Whether a deed of the device that founded a space only gave it its first name. A member may give it its
    /// first name that counts.
    func isCreation(_ deed: [StoredCommit]) throws -> Bool {
        guard let stored = deed.first, deed.count == 1, try !isUndoable(stored),
            replica.membership(of: stored.space)?.facts.genesisLog?.device
                == stored.commit.header.log.device
        else { return false }
        return stored.commit.operations.contains { $0.isTitle(of: stored.space) }
    }

    /// Whether `undo` with the id of one of its commits undoes a deed.
    func isNamed(_ deed: [StoredCommit]) throws -> Bool {
        try !isCreation(deed)
            && !deed.contains { $0.deletesSpace || $0.restoresSpace || $0.endsCopying }
    }

    /// Whether a person did it here, and it is not an undo.
    private func isDeed(_ stored: StoredCommit) throws -> Bool {
        try !graph.reversers.contains(stored.commit.id) && isUndoable(stored)
    }

    /// The commits of the last undo; nil when there is none, or something else was done since.
    func lastUndo() throws -> [StoredCommit]? {
        guard let wanted = graph.lastUndo else { return nil }
        var commits: [StoredCommit] = []
        _ = try newestOwn { stored in
            if wanted.contains(stored.commit.id) { commits.append(stored) }
            return try isDeed(stored) || isCreation([stored]) || commits.count == wanted.count
        }
        return commits.count == wanted.count ? commits : nil
    }

    private func newestOwn(
        where isMeant: (StoredCommit) throws -> Bool
    ) throws -> StoredCommit? {
        var before: Int64?
        // Most often the first is meant, and each may hold a thousand records.
        var limit = 1
        while true {
            let page = try replica.store.past.commits(
                by: replica.local.device, before: before, limit: limit)
            guard let last = page.last else { return nil }
            if let found = try page.first(where: isMeant) { return found }
            before = last.place
            limit = min(2 * limit, Limits.changePage)
        }
    }

    /// Whether a person wrote it: excludes names of people and devices, and commits that made a space.
    private func isUndoable(_ stored: StoredCommit) throws -> Bool {
        try stored.commit.clear.genesis == nil
            && stored.commit.operations.contains { operation in
                operation.isTitle(of: stored.space)
                    ? try !isMaker(stored, of: operation)
                    : Schema.isUndone(operation.collection) && !operation.beginsReset
            }
    }

    /// Whether a commit gave its space the first name.
    private func isMaker(_ stored: StoredCommit, of title: RecordOperation) throws -> Bool {
        let key = RecordKey(collection: title.collection, record: title.record)
        let maker = try replica.store.records.makers(of: [key], in: stored.space)[key]
        return maker.map { $0 == stored.place } ?? true
    }

    private func commits(
        from since: Moment, to until: Moment?, by device: DeviceID?, in space: SpaceID?
    ) throws -> [StoredCommit] {
        var found: [StoredCommit] = []
        var before: Int64?
        while true {
            let page = try replica.store.log.storedCommits(
                of: space, after: 0, before: before, exceptOf: nil, limit: Limits.changePage)
            guard let last = page.last else { return found }
            before = last.place
            // By the order of arrival here, not by the author's clock.
            let wanted = page.filter { Int64($0.receivedAt.value) >= since.milliseconds }
            if wanted.isEmpty { return found }
            found += try wanted.filter { stored in
                try (device == nil || stored.commit.header.log.device == device)
                    && Int64(stored.receivedAt.value) < until?.milliseconds ?? .max
                    && isDeed(stored) && !stored.deletesSpace && graph.isLive(stored.commit.id)
            }
            guard found.count <= Limits.commitsOfUndo else {
                throw APIError(
                    code: .tooLarge, sentence: "That is too much to be undone at once.",
                    hint: "Take a later time, or one trip with --space.")
            }
        }
    }
}

extension Limits {
    /// The most commits to undo together.
    static let commitsOfUndo = 10_000
    /// Deeds to examine for one that can be undone, before one is named unexamined.
    static let deedsLookedAt = 100
}
