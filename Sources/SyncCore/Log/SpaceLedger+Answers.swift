/// Answers to invitations, as far as acknowledgements and commits show them.
extension SpaceLedger {
    /// The devices that know a grant to them which counts today: they acknowledged it, or wrote a commit that had
    /// seen it. A member who left and was invited again knows only the earlier grant, and has not answered.
    package func answered(_ acks: [DeviceID: Watermark]) -> Set<DeviceID> {
        var answered: Set<DeviceID> = []
        for member in membership.members {
            let device = member.standing.card.device
            guard !answered.contains(device), let ack = acks[device],
                let origin = membership.facts.all[member.grant]?.origin
            else { continue }
            // Watermarks do not reach into what follows a fork.
            if origin.log.device == device || ack.covers(origin.log, origin.sequence)
                || forks.cuts(origin.log, origin.sequence) || hasSeen(origin, device)
            {
                answered.insert(device)
            }
        }
        return answered
    }

    /// Whether a device left the space with all that it has: it said so, or an elder or equal device of its person
    /// did; and who let the person in since did not know. Those of `lost` devices say nothing. A device that
    /// `mayStay` did not leave when it wrote something that had seen the leave. With `commits` only the leaves among
    /// them count.
    package func hasLeft(
        _ device: DeviceID, without lost: Set<DeviceID>, mayStay: Bool,
        among commits: Set<CommitID>? = nil
    ) -> Bool {
        Leaves(membership).areGivenUp(grantsOf: device) { leave in
            lost.contains(leave.log.device) || commits?.contains(leave.commit) == false
                || mayStay && leave.log.device != device && hasSeen(leave, device)
        }
    }

    private func hasSeen(_ origin: Membership.Origin, _ device: DeviceID) -> Bool {
        seenBy.contains { log, seen in
            log.device == device && (seen[origin.log] ?? 0) >= origin.sequence
        }
    }
}
