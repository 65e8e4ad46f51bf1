import SyncCore

/// A second evaluation of people's recovery keys in a space: in rounds, each with an evaluation of
/// the whole space without the statements of exchanged keys.
struct ReferenceKeys {
    private struct Found {
        let said: KeyExchange
        let id: FactReference
    }

    /// For each person, the effective exchanges, in order.
    private var won: [PersonID: [KeyExchange]] = [:]
    private let naive: ReferenceMembership.Naive?

    init(
        _ commits: [VerifiedCommit], forks: [LogID: UInt64], naive: ReferenceMembership.Naive?
    ) {
        self.naive = naive
        let found = commits.flatMap { commit in
            commit.facts.enumerated().compactMap { index, fact -> Found? in
                guard case .keyExchange(let said) = fact else { return nil }
                return Found(
                    said: said, id: FactReference(commit: commit.id, index: UInt32(index)))
            }
        }
        let people = Set(found.map(\.said.person))
        let founder = commits.first(where: \.header.isGenesis)
            .flatMap {
                if case .grant(let grant) = $0.facts.first { grant.card.person } else { nil }
            }
        for stage in [people.filter { $0 == founder }, people.filter { $0 != founder }]
        where !stage.isEmpty {
            let isFounders = founder.map { stage.contains($0) } ?? false
            let leftOut = isFounders ? people : stage
            while takeRound(of: stage, found, commits, forks, leavingOut: leftOut) {}
        }
    }

    /// Whether a statement counts.
    func counts(_ signed: StatementKey) -> Bool {
        guard let all = won[signed.person], let last = all.last else { return signed.key == nil }
        return signed.key == last.newKey || naive == .oldKeyCounts
            || all.contains { $0.upholds.contains(signed.statement) }
    }

    /// Returns whether any person has another key now.
    private mutating func takeRound(
        of stage: Set<PersonID>, _ found: [Found], _ commits: [VerifiedCommit],
        _ forks: [LogID: UInt64], leavingOut people: Set<PersonID>
    ) -> Bool {
        let before = self
        let open = found.filter { stage.contains($0.said.person) && before.mayFollow($0.said) }
        guard !open.isEmpty else { return false }
        let membership = ReferenceMembership(commits, forks: forks, naive: naive) { signed in
            let isOfPresentKey = signed.key == before.won[signed.person]?.last?.newKey
            let isJudged = isOfPresentKey && people.contains(signed.person)
            return before.counts(signed) && (!isJudged || naive == .keyJudgesItself)
        }
        for person in stage {
            let own = open.filter { $0.said.person == person }
            if let said = ReferenceKeys.first(among: own, in: membership) {
                won[person, default: []].append(said)
            }
        }
        return won != before.won
    }

    private func mayFollow(_ said: KeyExchange) -> Bool {
        let all = won[said.person] ?? []
        let present = all.last?.newKey ?? said.personKey
        return said.oldKey == present
            && !(all.map(\.oldKey) + [said.oldKey]).contains(said.newKey)
    }

    /// The statement at the most senior place at which all agree.
    private static func first(
        among own: [Found], in membership: ReferenceMembership
    ) -> KeyExchange? {
        var byPlace:
            [(place: ReferenceMembership.Place, said: [LogID: (UInt64, UInt32, KeyExchange)])] = []
        for found in own {
            guard let entry = membership.entries[found.id], let grant = entry.grant,
                membership.grants[grant]?.card.person == found.said.person,
                !membership.rights(under: grant, in: entry).isEmpty,
                let place = membership.place(of: grant)
            else { continue }
            let own = (entry.sequence, found.id.index, found.said)
            if let known = byPlace.firstIndex(where: { $0.place == place }) {
                let other = byPlace[known].said[entry.log]
                if other.map({ (own.0, own.1) < ($0.0, $0.1) }) ?? true {
                    byPlace[known].said[entry.log] = own
                }
            } else {
                byPlace.append((place, [entry.log: own]))
            }
        }
        for (_, said) in byPlace.sorted(by: { $0.place < $1.place }) {
            let all = Set(said.values.map(\.2))
            if all.count == 1 { return all.first }
        }
        return nil
    }
}
