/// Between devices that read a space and such that only carry it: who carries it has of what is not
/// sealed the headers alone.
extension LocalSpaces {
    /// Commits as a peer may have them.
    func outgoing(
        _ commits: [UnverifiedCommit], of space: SpaceID, to peer: DeviceID
    ) -> [UnverifiedCommit] {
        guard let view = self[space], !mayRead(peer, space) else { return commits }
        return commits.map { commit in
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            return commit.withheld(isBeforeEpochs: view.sealing.isBeforeEpochs(log, sequence))
        }
    }

    /// Of commits in storing order those that a peer can take: who reads the space takes none of which
    /// a part is not here, and so nothing that builds on one. In logs that it asks for `again` it looks for
    /// a fork, which headers prove. A peer that was not restored has its own commits
    /// whole, and may not say so: it tells nothing to a device that it does not take for a member.
    func passable(
        _ commits: [UnverifiedCommit], of space: SpaceID, to peer: DeviceID, holding: Watermark,
        again: Set<LogID>
    ) -> [UnverifiedCommit] {
        guard let view = self[space], !view.sealing.withheldFrom.isEmpty, mayRead(peer, space)
        else { return commits }
        var known = holding
        return commits.filter { commit in
            let header = commit.header
            let hasAllSeen = header.seen.allSatisfy { position in
                known.covers(position.log, position.head.sequence)
                    || view.forks.cuts(position.log, position.head.sequence)
            }
            guard !commit.isWithheld || again.contains(header.log) || header.log.device == peer,
                known.covers(header.log, header.sequence - 1), hasAllSeen
            else { return false }
            known.advance(
                header.log, to: LogHead(sequence: header.sequence, commit: commit.id))
            return true
        }
    }

    /// The received commits that this device can store: where it reads the space, partial ones only if
    /// they may prove a fork. A peer that sends other partial ones does not know yet that it reads.
    func takeable(_ commits: [UnverifiedCommit], of space: SpaceID) -> [UnverifiedCommit] {
        guard mayRead(device, space), let here = self[space]?.watermark else { return commits }
        return Array(commits.prefix { $0.isTakeable(byReaderHolding: here) })
    }

    /// The logs of which parts are missing here that a peer may have, each with the first commit that is
    /// not whole: both may read the space by now.
    func parts(of space: SpaceID, lackingFrom peer: DeviceID) -> [LogID: UInt64] {
        guard let withheld = self[space]?.sealing.withheldFrom, !withheld.isEmpty,
            mayRead(device, space), mayRead(peer, space)
        else { return [:] }
        return withheld
    }
}
