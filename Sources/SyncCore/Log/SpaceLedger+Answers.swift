/// Answers to invitations, as far as acknowledgements and commits show them.
extension SpaceLedger {
    /// The devices that know a grant to them: they acknowledged it, or wrote a commit that had seen it. After others
    /// took it, a new grant needs no new answer. A member who left and was invited again has to know the new one.
    package func answered(_ acks: [DeviceID: Watermark]) -> Set<DeviceID> {
        func knows(_ origin: Membership.Origin, _ device: DeviceID) -> Bool {
            guard let ack = acks[device] else { return false }
            // Watermarks do not reach into what follows a fork.
            return origin.log.device == device || ack.covers(origin.log, origin.sequence)
                || forks.cuts(origin.log, origin.sequence) || hasSeen(origin, device)
        }
        var answered: Set<DeviceID> = []
        var silent: Set<DeviceID> = []
        for member in membership.members {
            let device = member.standing.card.device
            guard let origin = membership.facts.all[member.grant]?.origin else { continue }
            if !answered.contains(device), knows(origin, device) { answered.insert(device) }
            if acks[device] != nil { silent.insert(device) }
        }
        silent.subtract(answered)
        guard !silent.isEmpty else { return answered }
        silent.subtract(Leaves(membership).devicesThatGaveUp)
        for entry in membership.facts.all.values {
            guard let device = entry.fact.grant?.card.device, silent.contains(device),
                knows(entry.origin, device)
            else { continue }
            answered.insert(device)
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
