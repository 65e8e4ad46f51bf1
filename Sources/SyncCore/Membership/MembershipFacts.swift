/// All facts of one space with where they stand, whether or not they count.
package struct MembershipFacts: Sendable {
    private(set) var all: MembershipEvaluation.Facts = [:]
    private(set) var logs: [LogID: LogFacts] = [:]
    private(set) var founderGrant: FactReference?
    /// The header of the genesis: who has it was given the space once, whatever its id.
    private(set) var genesisHeader: [UInt8] = []

    /// Adds those of a stored commit.
    mutating func collect(_ commit: VerifiedCommit, _ origin: Membership.Origin) {
        if commit.header.isGenesis {
            founderGrant = FactReference(commit: commit.id, index: 0)
            genesisHeader = commit.encoded.header
        }
        guard !commit.facts.isEmpty else { return }
        var written = logs[origin.log] ?? LogFacts()
        written.bytes += commit.encoded.clear.count
        for (index, fact) in commit.facts.enumerated() {
            all[FactReference(commit: commit.id, index: UInt32(index))] = (fact, origin)
            written.note(fact, at: origin.sequence)
        }
        logs[origin.log] = written
    }

    /// Adds one that no commit carries, to see what would follow from it.
    mutating func suppose(_ fact: MembershipFact, in log: LogID) {
        let origin = Membership.Origin(commit: .zero, log: log, sequence: 0, grant: nil)
        // No commit has this id.
        all[FactReference(commit: .zero, index: 0)] = (fact, origin)
    }

    /// How many of them stand in one log, and how many bytes their commits have for what is not sealed.
    package func size(in log: LogID) -> (count: Int, bytes: Int) {
        logs[log].map { ($0.count, $0.bytes) } ?? (0, 0)
    }

    /// The log that the space began in.
    package var genesisLog: LogID? { founderGrant.flatMap { all[$0]?.origin.log } }

    /// The card of who made the space.
    var genesisCard: Card? { founderGrant.flatMap { all[$0]?.fact.grant?.card } }

    /// Whether a grant to this device is known, be it valid or not.
    package func isKnown(_ device: DeviceID) -> Bool { card(of: device) != nil }

    /// The card of a device that was ever granted the space.
    package func card(of device: DeviceID) -> Card? {
        for entry in all.values {
            switch entry.fact {
            case .grant(let grant) where grant.card.device == device: return grant.card
            case .personGrant(let grant, _) where grant.card.device == device: return grant.card
            default: continue
            }
        }
        return nil
    }

    /// How many grants to a device are known, whether or not they count.
    package func grantCount(to device: DeviceID) -> GrantCount {
        GrantCount(UInt32(clamping: all.values.count { $0.fact.grant?.card.device == device }))
    }

    /// Every device that anybody ever gave a grant, valid or not.
    var devicesEverLetIn: Set<DeviceID> {
        Set(all.values.compactMap { $0.fact.grant?.card.device })
    }

    /// The grant fact under this id, whether or not it is valid.
    package func grant(_ id: FactReference) -> Grant? { all[id]?.fact.grant }

    /// Whether a commit had seen the grant that it names. A statement counts whatever becomes of the
    /// commits that carry it, so it need not be seen in any of them.
    func hasSeen(_ id: FactReference, _ header: CommitHeader, seen: [LogID: UInt64]) -> Bool {
        guard let entry = all[id] else { return false }
        if case .personGrant = entry.fact { return true }
        let (log, sequence) = (entry.origin.log, entry.origin.sequence)
        if log == header.log { return sequence < header.sequence }
        let latest = header.seen.first { $0.log == log }?.head.sequence
        return latest ?? seen[log] ?? 0 >= sequence
    }

    /// What the commit of a fact had seen of other logs, where it was noted.
    package func seen(by commit: CommitID) -> [LogID: UInt64]? {
        all[FactReference(commit: commit, index: 0)].map(\.origin.seen)
    }

    /// Exchanges of keys that anybody wrote down, whether or not they count.
    package var exchanges: [(said: KeyExchange, author: DeviceID)] {
        all.values.compactMap { entry in
            guard case .keyExchange(let said) = entry.fact else { return nil }
            return (said, entry.origin.log.device)
        }
    }

    /// What the keys of people said, with the device that it is about, and whether it gives.
    package var statements: [(signed: StatementKey, device: DeviceID, gives: Bool)] {
        all.values.compactMap { entry in
            switch entry.fact {
            case .personGrant(let grant, let signed): (signed, grant.card.device, true)
            case .personRevocation(let taking, let signed):
                (signed, grant(taking.grant)?.card.device ?? .zero, false)
            default: nil
            }
        }
    }

    /// The commits that take rights from grants to a device or its person, whether or not they count,
    /// with the device that wrote each; in the order of their ids.
    package func takings(from device: DeviceID) -> [(commit: CommitID, author: DeviceID)] {
        guard let person = card(of: device)?.person else { return [] }
        var found: [CommitID: DeviceID] = [:]
        for (id, entry) in all {
            let revocation: Revocation
            switch entry.fact {
            case .revocation(let written): revocation = written
            case .personRevocation(let signed, _): revocation = signed
            default: continue
            }
            guard all[revocation.grant]?.fact.grant?.card.person == person else { continue }
            found[id.commit] = entry.origin.log.device
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether some of them are of a commit.
    package func containsAny(of commit: CommitID) -> Bool {
        all.keys.contains { $0.commit == commit }
    }
}

/// What one log has of facts.
struct LogFacts {
    var count = 0
    /// Of the clear parts that they are in.
    var bytes = 0
    /// The last position that says something of rights; 0 for none.
    private(set) var newest: UInt64 = 0

    mutating func note(_ fact: MembershipFact, at sequence: UInt64) {
        count += 1
        if fact.isJudged { newest = max(newest, sequence) }
    }
}
