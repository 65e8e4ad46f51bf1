/// How much a device takes, in one space, from people who may not write there now: what they wrote after
/// their rights were taken, branches, and facts of readers. What is over is left for later, and is nobody's
/// fault. Each device has its own pace; what counts never depends on it.
package struct Pace: Sendable {
    /// What a commit takes of the room of its author.
    struct Share {
        let person: PersonID
        let log: LogID
        let bytes: Int
        let facts: Int
    }

    private struct Account {
        /// What was taken, less what went by with the time.
        var bytes = 0.0
        var facts = 0.0
        var at: Milliseconds
        /// Logs of which something was left.
        var left: Set<LogID> = []
    }

    private var accounts: [PersonID: Account] = [:]
    /// Logs beyond those that are taken of one device.
    private var surplus: Set<LogID> = []
    /// Ends of branches that are named by who took rights, in commits that wait for others.
    private(set) var pins: Set<BranchPlace> = []
    private var now = Milliseconds(0)

    package init() {}

    /// Gives back the room that came with the time since. A clock that goes back gives none.
    package mutating func advance(to now: Milliseconds) {
        self.now = now
        for (person, before) in accounts {
            var account = before
            let milliseconds = now.value > account.at.value ? now.value - account.at.value : 0
            let hours = Double(milliseconds) / 3_600_000
            account.bytes = max(0, account.bytes - hours * Double(Limits.pacedBytesPerHour))
            account.facts = max(0, account.facts - hours * Double(Limits.pacedFactsPerHour))
            account.at = now
            precondition(
                account.bytes <= before.bytes && account.facts <= before.facts,
                "time takes room from \(person)")
            let isEmpty = account.bytes == 0 && account.facts == 0 && account.left.isEmpty
            accounts[person] = isEmpty ? nil : account
        }
    }

    func hasRoom(for share: Share) -> Bool {
        guard let account = accounts[share.person] else { return true }
        return account.bytes + Double(share.bytes) <= Double(Limits.pacedBytes)
            && account.facts + Double(share.facts) <= Double(Limits.pacedFacts)
    }

    /// Whether something of a log was left: what follows has nothing to follow.
    func hasLeft(_ log: LogID) -> Bool { accounts.values.contains { $0.left.contains(log) } }

    mutating func spend(_ share: Share) {
        change(share.person) {
            $0.bytes += Double(share.bytes)
            $0.facts += Double(share.facts)
            $0.left.remove(share.log)
            precondition($0.bytes >= 0 && $0.facts >= 0, "less than nothing was sent")
        }
    }

    mutating func leave(_ log: LogID, of person: PersonID) {
        change(person) { account in
            if account.left.count < Limits.neededLogs { account.left.insert(log) }
            precondition(
                account.left.count <= Limits.neededLogs,
                "\(account.left.count) logs of \(person) are left")
        }
    }

    mutating func leaveSurplus(_ log: LogID) {
        if surplus.count < Limits.neededLogs { surplus.insert(log) }
        precondition(surplus.count <= Limits.neededLogs, "\(surplus.count) logs are left")
    }

    /// Where there are many, those go that are here.
    mutating func want(_ pin: BranchPlace, ifHere isHere: (BranchPlace) -> Bool) {
        if pins.count >= Limits.notedPins { pins = pins.filter { !isHere($0) } }
        if pins.count < Limits.notedPins { pins.insert(pin) }
        precondition(pins.count <= Limits.notedPins, "\(pins.count) pins are noted")
    }

    /// A log is taken after all.
    mutating func want(_ log: LogID) {
        surplus.remove(log)
        for person in accounts.keys { accounts[person]?.left.remove(log) }
        Invariants.check(
            !hasLeft(log) && !surplus.contains(log), "a log is left for later that is wanted")
    }

    /// Logs of which nothing more is taken now.
    func later(at now: Milliseconds) -> Set<LogID> {
        full(at: now).values.reduce(into: surplus) { $0.formUnion($1) }
    }

    /// People who have not the room of an hour and of whom something was left, with the logs of it.
    fileprivate func full(at now: Milliseconds) -> [PersonID: Set<LogID>] {
        var pace = self
        pace.advance(to: now)
        return pace.accounts.filter {
            !$0.value.left.isEmpty
                && ($0.value.bytes > Double(Limits.pacedBytes - Limits.pacedBytesPerHour)
                    || $0.value.facts > Double(Limits.pacedFacts - Limits.pacedFactsPerHour))
        }.mapValues(\.left)
    }

    private mutating func change(_ person: PersonID, _ change: (inout Account) -> Void) {
        var account = accounts[person] ?? Account(at: now)
        change(&account)
        accounts[person] = account
    }
}

extension SpaceLedger {
    /// What a commit takes of its author's room; nil where there is no limit: the author may write, there
    /// or now, or others had seen it and may.
    func share(of commit: VerifiedCommit) -> Pace.Share? {
        let header = commit.header
        let isBranch = forks.cuts(header.log, header.sequence)
        guard let grant = membership.facts.grant(header.grant),
            !membership.permissions(of: header.log.device).contains(.write),
            isBranch
                || !membership.permissions(under: header.grant, at: header.log, header.sequence)
                    .contains(.write),
            header.sequence > needed[header.log] ?? 0
        else { return nil }
        return Pace.Share(
            person: grant.card.person, log: header.log, bytes: commit.encoded.byteCount,
            facts: commit.facts.count)
    }

    /// People without the right to write who sent so much that the rest is left for later.
    package func pacedPeople(at now: Milliseconds) -> Set<PersonID> {
        Set(
            pace.full(at: now).filter { _, logs in
                logs.contains { !membership.permissions(of: $0.device).contains(.write) }
            }.keys)
    }

    /// Whether a commit is left for later; one that goes on from what was left is, too.
    func isLeft(_ commit: VerifiedCommit, followsKnown: Bool) -> Bool {
        guard let share = share(of: commit) else { return false }
        return !pace.hasRoom(for: share) || !followsKnown && pace.hasLeft(share.log)
    }

    /// Of this device's own log all is kept.
    package mutating func needAll(of log: LogID) { needed[log] = Limits.sequence }

    /// What comes of a commit that was not stored: what others need of its past is taken from now on, and
    /// of what was left no more is taken now. Returns why it was not stored, as that is said.
    package mutating func noteRefusal(_ reason: Refusal, of commit: VerifiedCommit) -> Refusal {
        let log = commit.header.log
        if reason == .causalPastMissing { notePins(of: commit) }
        switch reason {
        case .causalPastMissing where need(pastOf: commit): return .causalPastNeeded
        case .paced: share(of: commit).map { pace.leave(log, of: $0.person) }
        case .surplus where forks[log] == nil: pace.leaveSurplus(log)
        default: break
        }
        return reason
    }

    /// A removal may wait for what was written by grants in the very branch that it pins: where its author may
    /// remove people, that branch is wanted before the removal is here.
    private mutating func notePins(of commit: VerifiedCommit) {
        let header = commit.header
        guard !forks.isEmpty, let author = membership.facts.grant(header.grant)?.card.person,
            membership.permissions(under: header.grant, at: header.log, header.sequence)
                .contains(.admin)
        else { return }
        for fact in commit.facts {
            guard case .revocation(let taking) = fact else { continue }
            for (log, head) in taking.cut.heads
            where forks.cuts(log, head.sequence)
                && membership.facts.card(of: log.device)?.person != author
            {
                pace.want(
                    BranchPlace(log: log, sequence: head.sequence, commit: head.commit)
                ) { membership.branches.holds($0) }
            }
        }
    }
}

extension Limits {
    /// Bytes of commits of one person, in one space, that are taken at once while the person may not write
    /// there: some thousand edits that were made before their author heard of it.
    package static let pacedBytes = 4 << 20
    /// The same with each hour that goes by.
    package static let pacedBytesPerHour = 1 << 20
    /// Facts of such a person.
    package static let pacedFacts = 1024
    package static let pacedFactsPerHour = 256
    /// Ends of branches that are noted before the removals are here which pin them.
    package static let notedPins = 64
}
