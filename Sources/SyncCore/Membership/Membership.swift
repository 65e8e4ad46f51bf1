/// Who may do what in one space: a pure function of the set of membership facts.
///
/// Grants are evaluated from the top rank down, siblings by index, so that arrival order never
/// matters and no two revocations can undo each other. Architecture section 6.
package struct Membership: Sendable {
    /// The commit that carried a fact: where it stands and under which grant it was written.
    package struct Origin: Sendable {
        var commit: CommitID
        package var log: LogID
        package var sequence: UInt64
        /// Nil for the genesis.
        package var grant: FactReference?
        /// What the commit had seen of other logs, where that matters: for grants, redatings and
        /// epochs.
        var seen: [LogID: UInt64] = [:]

        /// Whether the commit had seen a position, or stands there.
        func hasSeen(_ log: LogID, _ sequence: UInt64) -> Bool {
            sequence <= (log == self.log ? self.sequence : seen[log] ?? 0)
        }
    }

    package private(set) var facts = MembershipFacts()
    package private(set) var standings: [FactReference: GrantStanding] = [:] {
        didSet {
            today = standings.values.reduce(into: [:]) {
                $0[$1.card.device, default: []].formUnion($1.current)
            }
        }
    }
    /// The recovery keys of people who exchanged theirs.
    package private(set) var keys = ExchangedKeys()
    /// The places that devices with a standing have.
    package private(set) var places = DevicePlaces()
    /// What each device may do by its newest standing.
    private var today: [DeviceID: Permissions] = [:]
    /// Forked logs: from this sequence on nothing counts that is not pinned.
    package private(set) var forks: [LogID: UInt64] = [:]
    private(set) var branches = LogBranches()
    package private(set) var redatings = Redatings()
    /// What the operations are sealed under, and who can open them.
    package private(set) var epochFacts = EpochFacts()
    /// What was asked and given, for who is still waiting for an answer.
    var asking = RightsAsking()

    package init() {}

    private var forkChanges = 0

    /// How much went into this: of two states of one space the one with more is the later.
    package var revision: Int { facts.all.count + forkChanges }

    /// Adds the facts of one stored commit; returns whether any standing, epoch or key of a person
    /// changed: facts that their author had no right to write cost nobody a judgement of the whole log. `seen` is what
    /// the commit had seen of other logs; `isBranch` says that it stands at a fork or beyond.
    package mutating func add(
        _ commit: VerifiedCommit, seen: [LogID: UInt64] = [:], isBranch: Bool = false
    ) -> Bool {
        collect(commit, seen: seen)
        if isBranch {
            branches.insert(BranchLink(commit.commit), of: commit.header.log)
            // Somebody may have taken rights after this very commit.
            if facts.all.values.contains(where: { $0.fact.cuts(after: commit) }) {
                forkChanges += 1
                evaluate()
                return true
            }
        }
        guard commit.facts.contains(where: \.isJudged) else {
            Invariants.check(!isBranch || isJudged, "a branch commit changes who may do what")
            if commit.facts.contains(where: \.isRedating) { redatings = redatings.judged(in: self) }
            return commit.facts.contains(where: \.isEpoch) && judgeEpochs()
        }
        let (before, epochsBefore, keysBefore) = (standings, epochFacts.epochs, keys)
        evaluate()
        return before != standings || epochsBefore != epochFacts.epochs || keysBefore != keys
    }

    /// Adds the facts of one stored commit without judging anything, for who adds many:
    /// ``evaluate()`` has to follow.
    package mutating func collect(_ commit: VerifiedCommit, seen: [LogID: UInt64] = [:]) {
        let header = commit.header
        let origin = Origin(
            commit: commit.id, log: header.log, sequence: header.sequence,
            grant: header.isGenesis ? nil : header.grant, seen: commit.needsSeen ? seen : [:])
        facts.collect(commit, origin)
        for (index, fact) in commit.facts.enumerated() {
            let id = FactReference(commit: commit.id, index: UInt32(index))
            asking.note(fact, id: id, origin: origin, clock: header.clock)
            if case .epoch(let epoch) = fact { epochFacts.collect(epoch, id, origin) }
            if case .redating(let redating) = fact {
                redatings.collect(PlacedRedating(redating: redating, id: id, origin: origin))
            }
        }
    }

    /// Takes in that a log forked at a position, with all commits of it that stand there or beyond;
    /// returns whether any standing may have changed.
    package mutating func fork(
        _ log: LogID, at sequence: UInt64, branches: [BranchLink] = []
    ) -> Bool {
        guard collectFork(of: log, at: sequence, branches: branches) else { return false }
        evaluate()
        return true
    }

    /// The same without judging anything, as ``collect(_:)``; returns whether it was news.
    @discardableResult
    package mutating func collectFork(
        of log: LogID, at sequence: UInt64, branches all: [BranchLink] = []
    ) -> Bool {
        guard sequence < forks[log] ?? .max else { return false }
        precondition(sequence > 0, "\(log) has no position 0 at which it can fork")
        forks[log] = sequence
        branches.set(all, of: log)
        forkChanges += 1
        return true
    }

    /// By forked log, up to where a branch of it counts; of several the longest.
    package var pinnedHeads: [LogID: LogHead] { branches.pinnedHeads }

    /// The ends of branches that would count and are not here.
    package var missingPins: Set<BranchPlace> { branches.missingPins }

    /// Whether the holder of a grant gave a device these flags, in a log that counts there: what came of
    /// it, if anything, would come of a second one.
    package func hasGiven(
        _ flags: Permissions, to device: DeviceID, under parent: FactReference
    ) -> Bool {
        facts.all.values.contains { entry in
            guard case .grant(let grant) = entry.fact, grant.parent == parent,
                grant.card.device == device, entry.origin.grant == parent, grant.flags == flags
            else { return false }
            return entry.origin.counts(in: self)
        }
    }

    /// What a commit at this position may do under the grant it names: empty when the grant is
    /// not valid, not to this author, or the position lies beyond its cuts.
    package func permissions(
        under grant: FactReference, at log: LogID, _ sequence: UInt64
    ) -> Permissions {
        guard let standing = standings[grant], standing.card.device == log.device else {
            return []
        }
        if let fork = forks[log], sequence >= fork { return [] }
        return standing.permissions(at: log, sequence)
    }

    /// What a device may do today, by its newest standing: serving asks this on every message.
    package func permissions(of device: DeviceID) -> Permissions {
        today[device] ?? []
    }

    /// The grant a device writes under: of those that stand, the most able, then the one of highest
    /// precedence, the most senior, the smallest id.
    package func writingGrant(of device: DeviceID) -> FactReference? {
        standings.filter { $0.value.card.device == device && !$0.value.current.isEmpty }
            .min { one, other in
                let ability = (one.value.current.rawValue, one.value.precedence)
                let otherAbility = (other.value.current.rawValue, other.value.precedence)
                if ability != otherAbility { return ability > otherAbility }
                return (one.value.order, one.key) < (other.value.order, other.key)
            }?.key
    }

    /// The grant that a device would write under if the key of its person had said nothing: the most senior one
    /// that stands. Nil where it came in by that key alone, or others took what it had.
    package func grant(of device: DeviceID, withoutKeyOf person: PersonID) -> FactReference? {
        var evaluation = MembershipEvaluation(
            keys.counting(facts.all, withoutKeysOf: [person]), circumstances)
        return evaluation.run().filter {
            $0.value.card.device == device && !$0.value.current.isEmpty
        }.min { ($0.value.order, $0.key) < ($1.value.order, $1.key) }?.key
    }

    /// Whether a device that holds this much has heard all that is known here of rights. Of a forked
    /// log nothing counts but what comes before.
    package func isHeard(by watermark: Watermark) -> Bool {
        facts.logs.allSatisfy { log, written in
            watermark.covers(log, min(written.newest, forks[log].map { $0 - 1 } ?? .max))
        }
    }

    /// Other devices with a grant that one device wrote and that still allows something.
    package func letIn(by device: DeviceID) -> Set<DeviceID> {
        Set(
            standings.compactMap { id, standing in
                guard let entry = facts.all[id], entry.fact.isGrant,
                    entry.origin.log.device == device, standing.card.device != device,
                    !standing.current.isEmpty
                else { return nil }
                return standing.card.device
            })
    }

    /// What a device could do if a key gave it this.
    package func permissions(
        of device: DeviceID, given grant: Grant, by signed: StatementKey
    ) -> Permissions {
        guard let log = facts.genesisLog else { return [] }
        var other = self
        other.facts.suppose(.personGrant(grant, signed), in: log)
        other.evaluate()
        return other.permissions(of: device)
    }

    /// Devices that may read today.
    package var readers: Set<DeviceID> { devices { $0.contains(.read) } }

    /// Devices that may have the space today, to read it or to carry it.
    package var holders: Set<DeviceID> { devices(where: \.mayHold) }

    /// Devices that carry the space and cannot read it.
    package var vaults: Set<DeviceID> { devices { $0.contains(.vault) }.subtracting(readers) }

    /// Whether a device was given the space to carry it, and never to read it.
    package func hasOnlyCarried(_ device: DeviceID) -> Bool {
        let given = standings.values.filter { $0.card.device == device }
            .reduce(Permissions()) { $0.union($1.granted) }
        return given.mayHold && !given.contains(.read)
    }

    /// Devices that were ever given the space only to carry it.
    package var carriers: Set<DeviceID> {
        let given = standings.values.filter { $0.granted.mayHold && !$0.granted.contains(.read) }
        return Set(given.map(\.card.device))
    }

    private func devices(where may: (Permissions) -> Bool) -> Set<DeviceID> {
        Set(standings.values.filter { may($0.current) }.map(\.card.device))
    }

    /// Today's members: the cards of all grants that stand.
    package var members: [(grant: FactReference, standing: GrantStanding)] {
        standings.filter { !$0.value.current.isEmpty }
            .sorted { ($0.value.order, $0.key) < ($1.value.order, $1.key) }
            .map { ($0.key, $0.value) }
    }

    private var circumstances: MembershipEvaluation.Circumstances {
        .init(founderGrant: facts.founderGrant, forks: forks, branches: branches)
    }

    /// Judges all facts.
    package mutating func evaluate() {
        var judgement = KeyJudgement(facts.all, founder: founder, circumstances)
        keys = judgement.run()
        var evaluation = MembershipEvaluation(keys.counting(facts.all), circumstances)
        standings = evaluation.run()
        branches.pin(standings.values, missing: evaluation.missing)
        places = evaluation.places
        redatings = redatings.judged(in: self)
        _ = judgeEpochs()
        Invariants.check(
            standings.allSatisfy(isDerived), "a grant stands that nobody senior could give")
        Invariants.check(
            epochFacts.epochs.values.allSatisfy(\.isCoherent), "an epoch counts that was not meant")
    }

    /// A grant stands on a fact, and below one that stands, is senior to it and has as much precedence.
    private func isDerived(_ id: FactReference, _ standing: GrantStanding) -> Bool {
        guard facts.grant(id)?.card == standing.card,
            standing.granted.isSuperset(of: standing.current)
        else { return false }
        guard let parent = standing.parent else { return id == facts.founderGrant }
        guard let senior = standings[parent] else { return false }
        return senior.order < standing.order && senior.precedence >= standing.precedence
    }

    private mutating func judgeEpochs() -> Bool {
        var facts = epochFacts
        let isNews = facts.judge(in: self)
        epochFacts = facts
        return isNews
    }
}
