/// What was asked in a space, and what was given since.
struct RightsAsking: Sendable {
    private struct Placed {
        let id: FactReference
        let clock: HybridTime
        let origin: Membership.Origin
        let request: RightsRequest
    }

    private var requests: [Placed] = []
    private var given: [(id: FactReference, clock: HybridTime, grant: Grant)] = []

    mutating func note(
        _ fact: MembershipFact, id: FactReference, origin: Membership.Origin, clock: HybridTime
    ) {
        if case .request(let request) = fact {
            requests.append(Placed(id: id, clock: clock, origin: origin, request: request))
        } else if let grant = fact.grant {
            given.append((id, clock, grant))
        }
    }

    /// By person, their last request that is not answered. It takes some right in the space to ask, and
    /// admin to refuse.
    func open(in membership: Membership) -> [PersonID: Permissions] {
        var last: [PersonID: Placed] = [:]
        for placed in requests where isHeard(placed, in: membership) {
            let known = last[placed.request.person]
            if known.map({ ($0.clock, $0.id) < (placed.clock, placed.id) }) ?? true {
                last[placed.request.person] = placed
            }
        }
        return last.compactMapValues { placed in
            let (person, flags) = (placed.request.person, placed.request.flags)
            let isAnswered = given.contains { entry in
                entry.clock > placed.clock && entry.grant.card.person == person
                    && entry.grant.flags.isSuperset(of: flags)
                    && membership.standings[entry.id] != nil
            }
            let missing = flags.subtracting(membership.permissions(of: person))
            return isAnswered || missing.isEmpty ? nil : missing
        }
    }

    private func isHeard(_ placed: Placed, in membership: Membership) -> Bool {
        guard let grant = placed.origin.grant, let standing = membership.standings[grant] else {
            return false
        }
        let allowed = membership.permissions(
            under: grant, at: placed.origin.log, placed.origin.sequence)
        guard !allowed.isEmpty else { return false }
        return standing.card.person == placed.request.person
            || placed.request.flags.isEmpty && allowed.contains(.admin)
    }
}

extension Membership {
    /// By person, the rights they asked for and do not have; a later grant, theirs or an admin's word
    /// ends it.
    package var openRequests: [PersonID: Permissions] { asking.open(in: self) }

    /// What any device of a person may do today.
    package func permissions(of person: PersonID) -> Permissions {
        standings.values.filter { $0.card.person == person }
            .reduce(into: []) { $0.formUnion($1.current) }
    }
}
