internal import LocalAPI
internal import Store
internal import SyncCore

/// Selects the commits to undo.
struct UndoChoice {
    private let replica: any Replica
    /// The most commits of a device, or of deletions, since a time.
    private let limit: Int
    let graph: ReversalGraph

    init(_ replica: any Replica, limit: Int = Limits.commitsOfUndo) throws {
        (self.replica, self.limit) = (replica, limit)
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
        guard
            try isUndoable(first) || isCreation([first]) || first.commit.clear.genesis != nil
                || isRedating([first])
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
            let isOne =
                try all.contains { $0.redating != nil }
                ? isRedating(all) : deed.count > 1 || isDeed(stored) || isCreation([stored])
            return try isOne && fits(all)
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

    /// Whether a deed is a redating by which changes are still dated. `device redate --undo` takes it back, too.
    private func isRedating(_ deed: [StoredCommit]) throws -> Bool {
        try deed.contains { stored in
            guard let redating = stored.redating, redating.offsetMilliseconds != 0,
                !graph.reversers.contains(stored.commit.id)
            else { return false }
            return try replica.store.log.datedCommits(of: redating.device, in: stored.space)
                .contains { $0.clock != $0.raw && redating.span.contains($0.raw.milliseconds) }
        }
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

    /// The commits of the last undo; nil when there is none, or a person did something else since.
    func lastUndo() throws -> [StoredCommit]? {
        guard let wanted = graph.lastUndo else { return nil }
        var commits: [StoredCommit] = []
        _ = try newestOwn { stored in
            if wanted.contains(stored.commit.id) { commits.append(stored) }
            if commits.count == wanted.count { return true }
            guard !graph.automatic.contains(stored.commit.id) else { return false }
            return try isDeed(stored) || isCreation([stored]) || isRedating([stored])
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
                guard !operation.isTouch else { return false }
                return operation.isTitle(of: stored.space)
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
        // By the order of arrival here, not by the author's clock.
        try replica.store.log.eachShown(in: space, since: since) { stored in
            let isMeant =
                try (device == nil || stored.commit.header.log.device == device)
                && Int64(stored.shownAt.value) < until?.milliseconds ?? .max
                && isDeed(stored) && !stored.deletesSpace && graph.isLive(stored.commit.id)
            if isMeant { found.append(stored) }
            guard found.count <= limit else {
                throw APIError(
                    code: .tooLarge, sentence: "That is too much to be undone at once.",
                    hint: "Take a later time, or one trip with --space.")
            }
            return true
        }
        return found
    }
}

extension Limits {
    /// The most commits to undo together.
    package static let commitsOfUndo = 10_000
    /// Deeds to examine for one that can be undone, before one is named unexamined.
    static let deedsLookedAt = 100
}
