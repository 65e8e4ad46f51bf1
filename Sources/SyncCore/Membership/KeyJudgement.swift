/// Which exchanges of recovery keys count in a space: each is judged without what the old key said.
struct KeyJudgement {
    typealias Facts = MembershipEvaluation.Facts

    private let facts: Facts
    private let founder: PersonID?
    private let circumstances: MembershipEvaluation.Circumstances
    private var keys = ExchangedKeys()

    init(
        _ facts: Facts, founder: PersonID?, _ circumstances: MembershipEvaluation.Circumstances
    ) {
        (self.facts, self.founder, self.circumstances) = (facts, founder, circumstances)
    }

    /// The founder's first, as their key may take anybody's rights; then those of all others.
    mutating func run() -> ExchangedKeys {
        let exchanges = facts.compactMap { id, entry -> Candidate? in
            guard case .keyExchange(let said) = entry.fact else { return nil }
            return Candidate(said: said, origin: entry.origin, index: id.index)
        }
        guard !exchanges.isEmpty else { return keys }
        let people = Set(exchanges.map(\.said.person))
        let first = people.filter { $0 == founder }
        judge(exchanges.filter { first.contains($0.said.person) }, leavingOut: people)
        let others = people.subtracting(first)
        judge(exchanges.filter { others.contains($0.said.person) }, leavingOut: others)
        return keys
    }

    private struct Candidate {
        let said: KeyExchange
        let origin: Membership.Origin
        let index: UInt32

        /// Its place in its log.
        var place: (UInt64, UInt32) { (origin.sequence, index) }
    }

    /// Until nobody exchanges the key that they have by then.
    private mutating func judge(_ exchanges: [Candidate], leavingOut people: Set<PersonID>) {
        var (isMore, count) = (true, 0)
        while isMore {
            isMore = false
            let open = exchanges.filter { keys.mayFollow($0.said) }
            guard !open.isEmpty else { return }
            var evaluation = MembershipEvaluation(
                keys.counting(facts, withoutKeysOf: people), circumstances)
            let standings = evaluation.run()
            for (_, own) in Dictionary(grouping: open, by: \.said.person) {
                let standing = own.compactMap { candidate in
                    order(of: candidate, standings, evaluation).map { (candidate, $0) }
                }
                guard let said = chosen(standing) else { continue }
                keys.add(said)
                count += 1
                precondition(
                    count <= exchanges.count, "more keys are exchanged than was said")
                isMore = true
            }
        }
    }

    /// How senior the grant is that it was written under; nil where that allows nothing.
    private func order(
        of candidate: Candidate, _ standings: [FactReference: GrantStanding],
        _ evaluation: MembershipEvaluation
    ) -> GrantStanding.Order? {
        guard let grant = candidate.origin.grant, let standing = standings[grant],
            standing.card.person == candidate.said.person,
            !evaluation.effectivePermissions(candidate.origin, under: standing).isEmpty
        else { return nil }
        return standing.order
    }

    /// What the most senior say who agree; of one log the first.
    private func chosen(
        _ all: [(candidate: Candidate, order: GrantStanding.Order)]
    ) -> KeyExchange? {
        for (_, equals) in Dictionary(grouping: all, by: \.order).sorted(by: { $0.key < $1.key }) {
            var first: [LogID: Candidate] = [:]
            for (candidate, _) in equals {
                let log = candidate.origin.log
                if let known = first[log], known.place < candidate.place { continue }
                first[log] = candidate
            }
            let said = Set(first.values.map(\.said))
            if said.count == 1 { return said.first }
        }
        return nil
    }
}

extension ExchangedKeys {
    /// Facts without what keys said that people do not have any more, or do not have yet; of some people also
    /// without what their present key said.
    func counting(
        _ facts: MembershipEvaluation.Facts, withoutKeysOf people: Set<PersonID> = []
    ) -> MembershipEvaluation.Facts {
        func counts(_ fact: MembershipFact) -> Bool {
            guard let signed = fact.signed else { return true }
            return allows(signed) && !(people.contains(signed.person) && isOfCurrent(signed))
        }
        let areAll = facts.values.allSatisfy { counts($0.fact) }
        return areAll ? facts : facts.filter { counts($0.value.fact) }
    }
}
