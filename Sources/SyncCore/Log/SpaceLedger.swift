/// What one space's log amounts to without its records: how far each log is known, what each
/// author had seen, and who is a member. Decides what may be stored and what is effective.
package struct SpaceLedger: Sendable {
    package let space: SpaceID
    package private(set) var role: SpaceRole
    package private(set) var schema: SchemaPin
    package internal(set) var watermark = Watermark()
    package internal(set) var membership = Membership()
    /// Logs that forked. Their entry in the watermark ends before the fork.
    package internal(set) var forks: [LogID: ForkedLog] = [:]
    /// By author log: the watermark its latest commit had seen, its own log left out.
    var seenBy: [LogID: [LogID: UInt64]] = [:]
    package private(set) var sealing = LogSealing()
    /// Of each log that ends within a group: that group.
    package internal(set) var openGroups = OpenGroups()
    /// Up to where logs are taken however many their device has, and however much they hold: so far
    /// commits of others had seen them which could not be stored without.
    var needed: [LogID: UInt64] = [:]
    /// What is taken of people who may not write.
    package var pace = Pace()

    package init(space: SpaceID, role: SpaceRole, schema: SchemaPin) {
        (self.space, self.role, self.schema) = (space, role, schema)
    }

    /// A ledger as it was, from what a store kept of it; `seen` by author log, then by target log.
    package init(
        restored space: SpaceID, role: SpaceRole, schema: SchemaPin, watermark: Watermark,
        membership: Membership, forks: [LogID: ForkedLog] = [:], seen: [LogID: [LogID: UInt64]],
        sealing: LogSealing = LogSealing(), openGroups: OpenGroups = OpenGroups()
    ) {
        (self.space, self.role, self.schema) = (space, role, schema)
        (self.watermark, self.membership, self.forks) = (watermark, membership, forks)
        (self.seenBy, self.sealing, self.openGroups) = (seen, sealing, openGroups)
        Invariants.check(
            forks.mapValues(\.sequence) == membership.forks,
            "the members of \(space) are judged by other forks than its log")
        Invariants.check(
            openGroups.fit(watermark), "a log of \(space) does not end within its group")
    }

    /// Why a commit is not stored.
    package enum Refusal: Error, Hashable, Sendable {
        /// It was stored before.
        case known
        /// Something it has seen, or its log's previous commit, is not here yet: pull.
        case causalPastMissing
        /// The same; what is missing was refused before, and is taken from now on.
        case causalPastNeeded
        /// Another commit stands at its position: both prove a fork.
        case forked(CommitID)
        /// What it names of this log, at this position, is not what stands here: the log may have
        /// forked.
        case suspected(LogID, UInt64)
        /// Its log forked before it: it is a commit of a branch.
        case beyondFork
        /// A branch of which no more is kept, or a log of a device that has too many, which nobody needs.
        case surplus
        /// Its author may not write, and sent much already: the rest is taken later.
        case paced
        /// It contradicts what is known: the sender misbehaves.
        case misbehaved(SpaceLedger.Misbehaviour)

        /// Whether an honest sender cannot have sent it. Honest devices do pass on a log that forked, or
        /// commits that continue a branch that is not here.
        package var isMisbehaviour: Bool {
            switch self {
            case .known, .causalPastMissing, .causalPastNeeded, .forked, .suspected, .beyondFork,
                .surplus, .paced:
                false
            case .misbehaved: true
            }
        }
    }

    package enum Misbehaviour: String, Hashable, Sendable {
        case wrongSpace
        case brokenChain
        case falseSeen
        case grantUnknown
        case tooManyFacts
        /// Its grant can never cover what it does, or leaves no room for what it carries.
        case beyondGrant
        case secondGenesis
        /// It does not go on with the group that its log is in, or holds what no group may.
        case brokenGroup
    }

    /// Checks chain, `seen` and grant of a commit. `commitAt` looks up the commit stored at a
    /// position, nil when none is.
    package func check(
        _ commit: VerifiedCommit, commitAt: (LogID, UInt64) throws -> CommitID?
    ) throws -> Refusal? {
        let header = commit.header
        guard commit.space == space else { return .misbehaved(.wrongSpace) }
        if forks.cuts(header.log, header.sequence) { return .beyondFork }
        let head = watermark.heads[header.log]
        if header.sequence == 1, !header.isGenesis, header.log == membership.facts.genesisLog {
            return .misbehaved(.secondGenesis)
        }
        if header.sequence <= (head?.sequence ?? 0) {
            guard let stored = try commitAt(header.log, header.sequence) else { return .known }
            return stored == commit.id ? .known : .forked(stored)
        }
        if header.isGenesis { return watermark.isEmpty ? nil : .misbehaved(.secondGenesis) }
        if head == nil, !hasRoom(for: header.log) { return .surplus }
        let isNext = header.sequence == (head?.sequence ?? 0) + 1
        if isLeft(commit, followsKnown: isNext) { return .paced }
        guard isNext else { return .causalPastMissing }
        if header.sequence == 1 {
            guard header.previous == .zero else { return .misbehaved(.brokenChain) }
        } else if head?.commit != header.previous {
            // A branch that goes on from a commit that is not ours.
            return .suspected(header.log, header.sequence - 1)
        }
        if withholdsTooMuch(commit.commit) { return .causalPastMissing }
        // At the same commit for everybody: what counts is the log alone, and where it forked nothing
        // comes to it that stands before its branches.
        guard hasRoomForFacts(of: commit) else { return .misbehaved(.tooManyFacts) }
        guard openGroups.accepts(commit) else { return .misbehaved(.brokenGroup) }
        return try checkSeen(header, commitAt: commitAt) ?? checkGrant(of: commit)
    }

    /// Whether to accept a log that is not here. A peer that passes on more than so many of one device is
    /// not at fault, and devices that were shown other logs must still understand this one.
    private func hasRoom(for log: LogID) -> Bool {
        needed[log] != nil
            || watermark.heads.keys.count { $0.device == log.device } < Limits.logsPerDevice
    }

    /// Notes up to where logs are needed of which something was not taken: what a commit had seen whose
    /// author may write it and is another person. Returns whether that was news.
    mutating func need(pastOf commit: VerifiedCommit) -> Bool {
        let header = commit.header
        guard !membership.permissions(under: header.grant, at: header.log, header.sequence).isEmpty,
            let author = membership.facts.grant(header.grant)?.card.person
        else { return false }
        var isNews = false
        for position in header.seen {
            let (log, sequence) = (position.log, position.head.sequence)
            guard !watermark.covers(log, sequence), sequence > needed[log] ?? 0,
                pace.hasLeft(log)
                    || watermark.heads[log] == nil && forks[log] == nil && !hasRoom(for: log),
                membership.facts.card(of: log.device)?.person != author,
                needed[log] != nil || needed.count < Limits.neededLogs
            else { continue }
            needed[log] = sequence
            pace.want(log)
            isNews = true
        }
        return isNews
    }

    /// The last facts of a log are kept for who may do what, so that nothing else is in the way of taking
    /// rights from somebody.
    package func hasRoomForFacts(of commit: VerifiedCommit) -> Bool {
        let facts = membership.facts.size(in: commit.header.log).count + commit.facts.count
        let isOfRights = commit.facts.allSatisfy(\.isJudged)
        return facts <= Limits.factsPerLog - (isOfRights ? 0 : Limits.factsForRights)
    }

    private func checkSeen(
        _ header: CommitHeader, commitAt: (LogID, UInt64) throws -> CommitID?
    ) throws -> Refusal? {
        guard Set(header.seen.map(\.log)).count == header.seen.count else {
            return .misbehaved(.falseSeen)
        }
        for position in header.seen {
            guard position.log != header.log else { return .misbehaved(.falseSeen) }
            let before = seenBy[header.log]?[position.log] ?? 0
            guard position.head.sequence > before else { return .misbehaved(.falseSeen) }
            if let fork = forks[position.log], position.head.sequence >= fork.sequence {
                // Whichever branch it was: of this log nothing counts but what comes before.
                guard watermark.covers(position.log, fork.sequence - 1) else {
                    return .causalPastMissing
                }
                continue
            }
            let known = watermark.heads[position.log]
            guard let known, known.sequence >= position.head.sequence else {
                return .causalPastMissing
            }
            let there =
                known.sequence == position.head.sequence
                ? known.commit : try commitAt(position.log, position.head.sequence)
            guard there == position.head.commit else {
                return .suspected(position.log, position.head.sequence)
            }
        }
        return nil
    }

    private func checkGrant(of commit: VerifiedCommit) -> Refusal? {
        let header = commit.header
        guard let grant = membership.facts.grant(header.grant) else {
            // A branch that is not here yet may hold it.
            return forks.isEmpty ? .misbehaved(.grantUnknown) : .causalPastMissing
        }
        let seen = seenBy[header.log] ?? [:]
        guard grant.card.device == header.log.device,
            membership.facts.hasSeen(header.grant, header, seen: seen)
        else { return .misbehaved(.grantUnknown) }
        let written = membership.facts.size(in: header.log).bytes
        return grant.hasRoom(
            for: commit, claiming: visibleClaim(of: commit.commit), after: written)
            ? nil : .misbehaved(.beyondGrant)
    }

    /// Takes a checked commit in; returns whether membership changed.
    package mutating func record(_ commit: VerifiedCommit) -> Bool {
        let header = commit.header
        precondition(
            header.sequence == watermark.sequence(of: header.log) + 1,
            "\(header.sequence) does not follow \(watermark.sequence(of: header.log)) in \(header.log)"
        )
        precondition(
            !forks.cuts(header.log, header.sequence),
            "\(header.log) forked before \(header.sequence)")
        precondition(
            header.isGenesis == watermark.isEmpty, "a space begins with its genesis, and has one")
        if let share = share(of: commit) { pace.spend(share) }
        openGroups.note(header, after: watermark.heads[header.log])
        watermark.advance(header.log, to: LogHead(sequence: header.sequence, commit: commit.id))
        for position in header.seen {
            precondition(position.log != header.log, "\(header.log) names itself as seen")
            precondition(
                position.head.sequence > seenBy[header.log]?[position.log] ?? 0,
                "\(header.log) sees less of \(position.log) than before")
            precondition(
                watermark.covers(position.log, position.head.sequence)
                    || forks.cuts(position.log, position.head.sequence),
                "what \(header.log) had seen of \(position.log) is not here")
            seenBy[header.log, default: [:]][position.log] = position.head.sequence
        }
        let seen = seenBy[header.log] ?? [:]
        let hasChanged = membership.add(commit, seen: seen)
        if membership.isEncrypted, sealing.sealedFrom[header.log] == nil,
            membership.epochFacts.hasSeenEpoch(at: header.log, header.sequence, seen: seen)
        {
            sealing.sealedFrom[header.log] = header.sequence
        }
        if commit.commit.isWithheld, sealing.withheldFrom[header.log] == nil {
            sealing.withheldFrom[header.log] = header.sequence
        }
        return hasChanged
    }

    /// Takes over what ``EpochFacts/sealedFrom(_:firstSeen:)`` found, after epochs changed.
    package mutating func setSealed(from first: [LogID: UInt64]) { sealing.sealedFrom = first }

    /// Takes over the facts of a commit that was recorded without them. Returns whether membership changed.
    package mutating func completed(_ commit: VerifiedCommit, seen: [LogID: UInt64]) -> Bool {
        Invariants.check(
            watermark.covers(commit.header.log, commit.header.sequence),
            "a commit became whole that was never recorded")
        return membership.add(commit, seen: seen)
    }

    /// Takes over in which logs parts of commits are not here, after some came.
    package mutating func setWithheld(from first: [LogID: UInt64]) { sealing.withheldFrom = first }

    /// Follows a schema from now on. Which one is a function of all effective commits that pin one, the
    /// genesis among them, so that no arrival order matters: the highest version, and of equal
    /// versions that of the greatest commit id.
    package mutating func follow(_ pin: SchemaPin) {
        schema = pin
    }

    /// Whether a stored commit counts: its grant is valid there and covers all that it does.
    package func isEffective(_ commit: VerifiedCommit) -> Bool {
        isEffective(claim(of: commit.commit))
    }

    /// Whether a stored commit with this claim counts: it is allowed, and its group is here.
    package func isEffective(_ claim: CommitClaim) -> Bool {
        isAllowed(claim)
            && (claim.groupEnd == claim.sequence || watermark.covers(claim.log, claim.groupEnd))
    }

    /// Whether a commit with this claim counts, or would count if it were stored and its group were here.
    package func isAllowed(_ claim: CommitClaim) -> Bool {
        if claim.isGenesis { return true }
        guard sealing.permits(claim) else { return false }
        let allowed = membership.permissions(under: claim.grant, at: claim.log, claim.groupEnd)
        guard !allowed.isEmpty, allowed.isSuperset(of: claim.required) else { return false }
        return claim.precedence <= (membership.standings[claim.grant]?.precedence ?? 0)
    }

    /// What merging needs of a recorded commit. Only right for the latest commit of its log.
    /// The commits of a group had seen the same.
    package func applied(_ commit: UnverifiedCommit) -> AppliedCommit {
        AppliedCommit(
            id: commit.id, header: commit.header, clock: clock(of: commit.header),
            seen: seenBy[commit.header.log] ?? [:])
    }

    /// When a commit counts as written.
    package func clock(of header: CommitHeader) -> HybridTime {
        membership.redatings.clock(at: header.log, header.sequence, raw: header.clock)
    }

    /// The header fields of this device's next commit, ready for its clock and hashes.
    package func nextPosition(in log: LogID) -> (sequence: UInt64, previous: CommitID) {
        let head = watermark.heads[log]
        return ((head?.sequence ?? 0) + 1, head?.commit ?? .zero)
    }

    /// What was heard since the log's last commit: the `seen` of its next one. It ends before groups that are
    /// not whole here: nobody writes over what is not shown to them.
    package func unseen(by log: LogID) -> [LogPosition] {
        let before = seenBy[log] ?? [:]
        return heard.positions.compactMap { position in
            let isEnded = forks.cuts(position.log, position.head.sequence + 1)
            let group = isEnded ? nil : openGroups[position.log]
            let head = group.map(\.before) ?? position.head
            guard position.log != log, let head, head.sequence > before[position.log] ?? 0 else {
                return nil
            }
            return LogPosition(log: position.log, head: head)
        }
    }

    /// The header of the next commit of a log, without the hashes of its parts; so many of its group follow.
    package func nextHeader(
        in log: LogID, under grant: FactReference, clock: HybridTime, following: UInt32 = 0
    ) -> CommitHeader {
        let (sequence, previous) = nextPosition(in: log)
        return CommitHeader(
            space: space, log: log, sequence: sequence, previous: previous, clock: clock,
            seen: openGroups[log] == nil ? unseen(by: log) : [], grant: grant,
            schema: schema.schema, schemaVersion: schema.version, following: following,
            clearHash: .zero, operationsHash: .zero)
    }
}
