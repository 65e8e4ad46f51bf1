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

    /// Of commits in storing order those that a peer can take. A reader gets none of which a part is not here,
    /// and so nothing that builds on one, from a device that once only carried the space: others may
    /// have it whole. Any other device has such commits only when their content is lost, and passes them on.
    /// In logs that the peer asks for `again` it looks for a fork, which headers prove. A peer that was not
    /// restored has its own commits whole, and may not say so: it tells nothing to a device that it does
    /// not take for a member.
    func passable(
        _ commits: [UnverifiedCommit], of space: SpaceID, to peer: DeviceID, holding: Watermark,
        again: AskedAgain
    ) -> [UnverifiedCommit] {
        guard let view = self[space], !view.sealing.withheldFrom.isEmpty, mayRead(peer, space)
        else { return commits }
        let hasCarried = view.membership.carriers.contains(device)
        let inPart = again.headsInPart(knowing: view.watermark)
        var known = holding
        for (log, head) in inPart { known.advance(log, to: head) }
        return commits.filter { commit in
            let header = commit.header
            guard inPart[header.log] == nil else {
                return !commit.isWithheld && header.epoch == nil
            }
            let hasAllSeen = header.seen.allSatisfy { position in
                known.covers(position.log, position.head.sequence)
                    || view.forks.cuts(position.log, position.head.sequence)
            }
            let isPassable =
                !commit.isWithheld || !hasCarried || again.contains(header.log)
                || header.log.device == peer
            guard isPassable, known.covers(header.log, header.sequence - 1), hasAllSeen
            else { return false }
            known.advance(
                header.log, to: LogHead(sequence: header.sequence, commit: commit.id))
            return true
        }
    }

    /// The received commits that this device can store. A peer that sends partial ones that it
    /// cannot take does not know yet that it reads.
    func storable(
        _ commits: [UnverifiedCommit], of space: SpaceID, from peer: DeviceID
    ) -> [UnverifiedCommit] {
        guard mayRead(device, space), let here = self[space]?.watermark else { return commits }
        let fromReader = mayRead(peer, space)
        return Array(
            commits.prefix { $0.isTakeable(by: device, holding: here, fromReader: fromReader) })
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
