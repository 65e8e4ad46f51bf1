import Store
import SyncCore

/// Whether all holders of a space have the same data.
struct Convergence {
    let world: World

    /// Replicas that must agree on a space, in groups that can reach each other: honest, running,
    /// having it, and readers in everybody's eyes.
    func groups(of space: SpaceID, among chosen: Set<Int>? = nil) -> [[Replica]] {
        var members = world.replicas.filter { replica in
            replica.isHonest && chosen?.contains(replica.index) ?? true
                && reads(replica, space, by: replica.ledger(of: space))
                && replica.store?.spaces.standing(of: space) == .active
        }
        members = members.filter { replica in
            !members.contains { shutsOut($0, replica, of: space) }
        }
        var groups: [[Replica]] = []
        for replica in members {
            let near = groups.filter { group in
                group.contains { world.network.mayConnect($0, replica) }
            }
            groups.removeAll { group in group.contains { world.network.mayConnect($0, replica) } }
            groups.append(near.flatMap { $0 } + [replica])
        }
        return groups
    }

    private func reads(_ replica: Replica, _ space: SpaceID, by ledger: SpaceLedger?) -> Bool {
        ledger?.membership.permissions(of: replica.device).contains(.read) ?? false
    }

    /// Whether one replica knows the grant of another, and that it no longer counts.
    func shutsOut(_ other: Replica, _ replica: Replica, of space: SpaceID) -> Bool {
        guard let membership = other.ledger(of: space)?.membership,
            !membership.permissions(of: replica.device).contains(.read)
        else { return false }
        if membership.standings.values.contains(where: { $0.card.device == replica.device }) {
            return true
        }
        let grant = replica.ledger(of: space)?.membership.writingGrant(of: replica.device)
        return grant.flatMap { world.observer.histories[space]?.numbers[$0.commit] }
            .map { other.seen.held[space]?.contains($0) ?? false } ?? false
    }

    /// The unfinished work, in words; empty if nothing is left to do.
    func unfinished() -> [String] {
        LossTrial(world: world).unfinished()
            + world.observer.spaces.flatMap { space in
                groups(of: space).flatMap { unfinished(in: space, $0) }
            }
    }

    /// The same of some replicas alone, as far as nobody else is needed for it.
    func unfinished(among chosen: Set<Int>) -> [String] {
        world.observer.spaces.flatMap { space in
            groups(of: space, among: chosen).flatMap { group -> [String] in
                guard let ledger = group.first?.ledger(of: space) else { return [] }
                let problems =
                    unequal(in: space, group, ledger)
                    + newcomers(to: space, group, ledger, among: chosen)
                guard problems.isEmpty else { return problems }
                do {
                    return try missingFiles(in: space, group) + missingAcks(in: space, group)
                } catch {
                    return ["a store does not answer: \(error)"]
                }
            }
        }
    }

    private func unfinished(in space: SpaceID, _ group: [Replica]) -> [String] {
        guard let first = group.first, let ledger = first.ledger(of: space) else { return [] }
        var problems = unequal(in: space, group, ledger)
        problems += newcomers(to: space, group, ledger)
        problems += NameTrial(world: world).unfinished(in: space, group, ledger)
        problems += world.vaultCheck.missingParts(of: space, group)
        guard problems.isEmpty else { return problems }
        do {
            problems += try world.keyCheck.missingKeys(in: space, group)
            problems += try missingFiles(in: space, group)
            problems += try missingAcks(in: space, group)
            problems += try world.vaultCheck.missingOnVaults(in: space, group)
            problems += world.keyCheck.keysOwed(in: space, group)
        } catch {
            problems.append("a store does not answer: \(error)")
        }
        return problems
    }

    /// The members of a group that have other commits of a space than its first one, whose ledger this is.
    private func unequal(
        in space: SpaceID, _ group: [Replica], _ ledger: SpaceLedger
    ) -> [String] {
        guard let first = group.first else { return [] }
        var problems: [String] = []
        for replica in group.dropFirst() where !isSame(replica, first, in: space) {
            problems.append(
                "\(short(space)): \(first.index) has \(ledger.watermark.summary), "
                    + "\(replica.index) has \(replica.watermark(of: space).summary)")
        }
        for replica in group.dropFirst()
        where replica.ledger(of: space)?.forks.points != ledger.forks.points {
            problems.append(
                "\(first.index) and \(replica.index) differ in what forked of \(short(space))")
        }
        return problems
    }

    /// Whether two replicas have the same commits; of people of whom one of them takes no more now, each its own.
    func isSame(_ one: Replica, _ other: Replica, in space: SpaceID) -> Bool {
        let both = [one, other]
        let paced = both.reduce(into: Set<PersonID>()) { paced, replica in
            paced.formUnion(
                replica.ledger(of: space)?.pacedPeople(at: replica.clock.wall) ?? [])
        }
        let marks = both.map { replica in
            replica.watermark(of: space).heads.filter { log, _ in
                world.replica(of: log.device).map { !paced.contains($0.member.person) } ?? true
            }
        }
        return marks[0] == marks[1]
    }

    /// Who was granted the space and could hear of it must have been offered it.
    private func newcomers(
        to space: SpaceID, _ group: [Replica], _ ledger: SpaceLedger, among chosen: Set<Int>? = nil
    ) -> [String] {
        world.replicas.filter { replica in
            replica.isHonest && chosen?.contains(replica.index) ?? true
                && reads(replica, space, by: ledger)
                && !group.contains { $0.index == replica.index }
                && group.contains {
                    world.network.mayConnect($0, replica)
                        // Others may be needed for commits that a vault kept in part.
                        && (chosen == nil || holdsWhole($0, space))
                }
                // As far as it knows, the members who gave it the space were removed.
                && !group.contains { shutsOut(replica, $0, of: space) }
        }.compactMap { replica in
            switch replica.store?.spaces.standing(of: space) {
            case nil, .offered: "\(replica.index) has not got \(short(space))"
            // Its own ledger may be older than its removal or its return.
            case .active where replica.ledger(of: space) == nil:
                "\(replica.index) has nothing of \(short(space))"
            case .active where !reads(replica, space, by: replica.ledger(of: space)):
                "\(replica.index) does not know that it may read \(short(space))"
            default: nil
            }
        }
    }

    /// Whether no part of a commit is missing there.
    private func holdsWhole(_ replica: Replica, _ space: SpaceID) -> Bool {
        replica.ledger(of: space)?.sealing.withheldFrom.isEmpty == true
    }

    private func missingFiles(in space: SpaceID, _ group: [Replica]) throws -> [String] {
        var problems: [String] = []
        for replica in group {
            for need in try replica.store?.files.missing(of: space) ?? [] {
                let holder = try group.first {
                    try $0.store?.files.spaces(holding: need.blob).contains(space) == true
                }
                if let holder {
                    problems.append(
                        "\(replica.index) lacks the file \(short(need.blob)) that "
                            + "\(holder.index) has")
                }
            }
        }
        return problems
    }

    /// In the end every replica must know what every other one has.
    private func missingAcks(in space: SpaceID, _ group: [Replica]) throws -> [String] {
        var problems: [String] = []
        for replica in group {
            let acks = try replica.store?.statements.acks(of: space) ?? []
            for other in group where other.index != replica.index {
                var known =
                    acks.first { $0.said.device == other.device }?.said.watermark ?? Watermark()
                for (log, head) in other.watermark(of: space).heads
                where log.device == other.device {
                    known.advance(log, to: head)
                }
                if !known.covers(other.watermark(of: space)) {
                    problems.append(
                        "\(replica.index) does not know what \(other.index) has of "
                            + short(space))
                }
            }
        }
        return problems
    }

    /// After healing: equal digests of shown records, equal members, equal judgements of commits.
    func checkConvergence() {
        for space in world.observer.spaces {
            for group in groups(of: space) {
                do {
                    try compare(group, in: space)
                } catch {
                    world.report.fail("convergence", "a store does not answer: \(error)")
                }
            }
        }
    }

    /// The same of some replicas, where they have the keys and programs that they need for it.
    func checkConvergence(among chosen: Set<Int>) {
        guard !chosen.contains(where: { world.replicas[$0].conduct.isOutdated }) else { return }
        for space in world.observer.spaces {
            for group in groups(of: space, among: chosen)
            where world.vaultCheck.missingParts(of: space, group).isEmpty {
                do {
                    if try world.keyCheck.missingKeys(in: space, group).isEmpty {
                        try compare(group, in: space)
                    }
                } catch {
                    world.report.fail("convergence", "a store does not answer: \(error)")
                }
            }
        }
    }

    private func compare(_ group: [Replica], in space: SpaceID) throws {
        guard let first = group.first, let store = first.store else { return }
        let schema = store.spaces.schema(of: space) ?? world.journal
        let digest = try store.records.digest(of: space, under: schema)
        let effective = try effectiveCommits(of: space, store)
        let members = first.ledger(of: space)?.membership.members.map(\.grant)
        world.report.trace.note(bytes: digest.bytes)
        for other in group.dropFirst() {
            guard let there = other.store else { continue }
            if try there.records.digest(of: space, under: schema) != digest {
                world.report.fail(
                    "convergence",
                    "\(first.index) and \(other.index) show another \(short(space))")
            }
            if other.ledger(of: space)?.membership.members.map(\.grant) != members {
                world.report.fail(
                    "convergence",
                    "\(first.index) and \(other.index) know other members of \(short(space))")
            }
            if try effectiveCommits(of: space, there) != effective {
                world.report.fail(
                    "convergence",
                    "\(first.index) and \(other.index) let other commits of \(short(space)) count")
            }
        }
    }

    /// The commits that count and can be read.
    func effectiveCommits(of space: SpaceID, _ store: SyncStore) throws -> Set<CommitID> {
        try judgedCommits(of: space, store).subtracting(store.sealed.closedCommits(in: space))
            .subtracting(world.observer.histories[space]?.partial(in: store, space) ?? [])
    }

    /// The commits that count, as far as the device can know.
    func judgedCommits(of space: SpaceID, _ store: SyncStore) throws -> Set<CommitID> {
        Set(try store.log.history(of: space, limit: .max).filter(\.isEffective).map(\.id))
    }
}

extension SpaceHistory {
    /// Commits of which only a vault has kept a part: their whole copies were lost when holders
    /// went back to earlier states.
    func partial(in store: SyncStore, _ space: SpaceID) throws -> Set<CommitID> {
        guard store.ledger(of: space)?.sealing.withheldFrom.isEmpty == false else { return [] }
        return Set(
            try entries.map(\.commit).filter { whole in
                guard let stored = try store.log.commit(whole.id) else { return false }
                return stored.operations != whole.encoded.operations
            }.map(\.id))
    }
}

extension World {
    var convergence: Convergence { Convergence(world: self) }
}
