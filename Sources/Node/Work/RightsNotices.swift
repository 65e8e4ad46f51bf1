internal import Identity
internal import Records
internal import Store
internal import SyncCore
internal import Wire

/// Spaces that were taken from this device, by what those who took them let it know.
struct RightsNotices {
    let work: EngineWork

    private var kept: RevocationNotices { work.store.revocationNotices }

    /// What this device may do in a space, as far as it knows.
    func permissions(in space: SpaceID) throws -> Permissions {
        let own = work.store.ledger(of: space)?.membership.permissions(of: work.device) ?? []
        return try own.isEmpty || !isTaken(space) ? own : []
    }

    func isTaken(_ space: SpaceID) throws -> Bool { try kept.notice(of: space) != nil }

    /// Whether this device may have a space by the commits that are here.
    func isHere(_ space: SpaceID) -> Bool {
        work.store.ledger(of: space)?.membership.permissions(of: work.device).mayHold == true
    }

    /// Believed when it proves itself: with these commits this device could not have the space. Whether
    /// that is news.
    func hear(taken commits: [UnverifiedCommit], of space: SpaceID) throws -> Bool {
        guard let notice = judge(commits, of: space), try notice != kept.notice(of: space)
        else { return false }
        let said = MessageCodec().encode(.taken(space, commits))
        try keep(notice, by: commits, saying: said, of: space)
        return true
    }

    /// Looks again once more of the rights is known: those who took it may have had no right to. Whether it is
    /// taken then; nil where nobody said so.
    func judgeNotice(of space: SpaceID) throws -> Bool? {
        guard let said = try kept.words(of: space),
            case .taken(_, let commits) = try MessageCodec().decode(said)
        else { return nil }
        let notice = judge(commits, of: space)
        if try notice != kept.notice(of: space) {
            try keep(notice, by: commits, saying: said, of: space)
        }
        return notice != nil
    }

    /// Also for the list of changes, which has no commit of it.
    private func keep(
        _ notice: RevocationNotice?, by commits: [UnverifiedCommit], saying said: [UInt8],
        of space: SpaceID
    ) throws {
        try kept.keep(notice, saying: said, of: space)
        guard let notice, let commit = commits.first(where: { $0.id == notice.commit }) else {
            return
        }
        try Answers(work.store).keep(
            revocation: notice.commit, by: commit.header.log.device, in: space,
            at: work.clock.wall)
    }

    /// Whether another person took by these commits what this device gave up.
    func isTaken(by commits: [UnverifiedCommit], in space: SpaceID) -> Bool {
        guard let ledger = work.store.ledger(of: space),
            let news = verified(commits, unknownTo: ledger)
        else { return false }
        var membership = ledger.membership
        for commit in news { membership.collect(commit) }
        membership.evaluate()
        return Leaves(membership).isTaken(from: work.device)
    }

    /// Those that prove themselves and of which this device has no fact yet; nil if one is of another space.
    private func verified(
        _ commits: [UnverifiedCommit], unknownTo ledger: SpaceLedger
    ) -> [VerifiedCommit]? {
        guard commits.allSatisfy({ $0.space == ledger.space }) else { return nil }
        return work.verifier.verify(commits, keys: work.store.keys).commits
            .filter { !ledger.membership.facts.containsAny(of: $0.id) }
    }

    private func judge(_ commits: [UnverifiedCommit], of space: SpaceID) -> RevocationNotice? {
        guard isHere(space), let ledger = work.store.ledger(of: space),
            let news = verified(commits, unknownTo: ledger)
        else { return nil }
        var membership = ledger.membership
        for commit in news {
            membership.collect(commit)
            membership.evaluate()
            guard !membership.permissions(of: work.device).mayHold else { continue }
            let author = membership.facts.card(of: commit.header.log.device)?.person ?? .zero
            return RevocationNotice(
                commit: commit.id, person: author,
                written: Milliseconds(commit.header.clock.milliseconds),
                isWholePerson: !membership.isMember(work.person))
        }
        return nil
    }
}
