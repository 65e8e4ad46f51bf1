/// People who gave a space up.
package struct Leaves {
    let membership: Membership

    package init(_ membership: Membership) { self.membership = membership }

    /// By grant that its person gave up, what they left of it with the last revocation that they wrote: of those
    /// who had let others in or put them out, and from whom nobody else has taken it since. A person who leaves
    /// could write that on two branches of a log and choose afterwards which of their decisions stand;
    /// repeating it in a later commit pins one branch.
    package var toRepeat: [FactReference: Watermark] {
        let standings = membership.standings
        let gone = standings.filter { $0.value.current.isEmpty }
        guard !gone.isEmpty else { return [:] }
        var said: [FactReference: (cut: Watermark, origin: Membership.Origin)] = [:]
        var settled: Set<FactReference> = []
        var decided: Set<DeviceID> = []
        for (id, entry) in membership.facts.all {
            let writer = entry.origin.grant.flatMap { standings[$0] }
            switch entry.fact {
            case .grant where standings[id] != nil && writer != nil:
                decided.insert(entry.origin.log.device)
            case .revocation(let revocation):
                guard let writer, let taken = membership.facts.grant(revocation.grant),
                    isAllowed(entry.origin, under: writer)
                else { continue }
                guard writer.card.person == taken.card.person else {
                    decided.insert(entry.origin.log.device)
                    settled.insert(revocation.grant)
                    continue
                }
                guard revocation.remaining.isEmpty, gone[revocation.grant] != nil else { continue }
                let known = said[revocation.grant]?.origin
                if known.map({ isLater(entry.origin, $0) }) ?? true {
                    said[revocation.grant] = (cut(of: revocation, in: entry.origin), entry.origin)
                }
            default: continue
            }
        }
        return said.filter { id, _ in
            !settled.contains(id) && gone[id].map { decided.contains($0.card.device) } ?? false
        }.mapValues(\.cut)
    }

    /// Whether a device may say it again: one that may take the grant and is not the person's own. What the person's
    /// other devices say of it can change like what the person said, so it would be said again without end.
    package func canRepeat(_ grant: FactReference, from device: DeviceID) -> Bool {
        guard let taken = membership.standings[grant]?.card.person,
            let own = membership.writingGrant(of: device).flatMap({ membership.standings[$0] })
        else { return false }
        return own.card.person != taken && membership.canRestrict(grant, from: device)
    }

    /// Whether somebody only says again that a person left, as they had said it themselves.
    package func isRepeated(_ revocation: Revocation, by author: PersonID?) -> Bool {
        guard let taken = membership.facts.grant(revocation.grant)?.card.person, author != taken
        else {
            return false
        }
        return membership.facts.all.values.contains { entry in
            guard case .revocation(let own) = entry.fact, own.grant == revocation.grant,
                let grant = entry.origin.grant
            else { return false }
            return cut(of: own, in: entry.origin) == revocation.cut
                && membership.facts.grant(grant)?.card.person == taken
        }
    }

    /// Whether the next commit of a log gives up another grant of its device: each takes a commit of its own.
    package func goesOn(after header: CommitHeader) -> Bool {
        membership.facts.all.values.contains { entry in
            guard entry.origin.log == header.log, entry.origin.sequence == header.sequence + 1,
                case .revocation(let next) = entry.fact, next.remaining.isEmpty
            else { return false }
            return membership.facts.grant(next.grant)?.card.device == header.log.device
        }
    }

    /// Up to the commit that says so, which does not know its own id.
    private func cut(of revocation: Revocation, in origin: Membership.Origin) -> Watermark {
        var heads = revocation.cut.heads
        if heads[origin.log]?.sequence == origin.sequence {
            heads[origin.log] = LogHead(sequence: origin.sequence, commit: origin.commit)
        }
        return Watermark(heads)
    }

    func isAllowed(_ origin: Membership.Origin, under standing: GrantStanding) -> Bool {
        standing.card.device == origin.log.device && origin.counts(in: membership)
            && !standing.permissions(at: origin.log, origin.sequence).isEmpty
    }

    private func isLater(_ one: Membership.Origin, _ other: Membership.Origin) -> Bool {
        (one.sequence, one.log) > (other.sequence, other.log)
    }
}
