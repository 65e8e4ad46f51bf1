internal import LocalAPI
internal import Store
internal import SyncCore

/// The members of a space, as the local API shows them.
extension SpaceViews {
    /// Other devices of this person that keep a space when this device leaves it; nil for none.
    func devicesThatStay(in space: SpaceID) throws -> [Reference]? {
        guard let membership = replica.membership(of: space) else { return nil }
        let devices = Leaves(membership).staying(without: replica.local.device)
            .subtracting(try replica.losses.lostDevices())
        return devices.isEmpty ? nil : devices.sorted().map { replica.reference($0) }
    }

    func members(of space: SpaceID) throws -> [MemberView] {
        guard let membership = replica.membership(of: space) else { return [] }
        let acks = try replica.acks(of: space)
        let answered = replica.store.ledger(of: space)?.answered(acks) ?? []
        let open = membership.openRequests
        let lost = try replica.losses.lostDevices()
        let forgotten = Set(
            try replica.store.devices.all().filter { $0.forgottenAt != nil }.map(\.device))
        let declined = try Declines(replica.store).devices(of: space)
        let unkeyed = try replica.store.sealed.devicesWithoutKeys(in: space)
        var devices: [PersonID: [DeviceID]] = [:]
        var first: [(person: PersonID, grant: FactReference)] = []
        for member in membership.members {
            let card = member.standing.card
            if devices[card.person] == nil { first.append((card.person, member.grant)) }
            if !(devices[card.person] ?? []).contains(card.device) {
                devices[card.person, default: []].append(card.device)
            }
        }
        return first.compactMap { person, grant in
            let all = devices[person] ?? []
            let flags = membership.permissions(of: person)
            guard let role = LocalAPI.Role(flags) else { return nil }
            let isMine = person == replica.local.person
            let hasAnswered = !answered.isDisjoint(with: all)
            let unaware = all.filter { device in
                device != replica.local.device && !lost.contains(device)
                    && !membership.isHeard(by: acks[device] ?? Watermark())
            }
            var view = MemberView(
                person: replica.reference(person), role: role, rights: [Right](flags), me: isMine,
                founder: person == membership.founder,
                grantedBy: GrantDescent(membership).giver(of: grant).map { replica.reference($0) },
                accepted: isMine || hasAnswered,
                authority: all.contains { membership.hasAuthority($0) },
                devices: all.map { replica.reference($0) },
                unaware: unaware.map { replica.reference($0) },
                requested: open[person].map { [Right]($0) })
            view.keys = unkeyed.map { lacking in
                if all.contains(where: { lacking.contains($0) }) { return .missing }
                return all.contains { membership.epochFacts.isFromNow($0) } ? .fromNow : .all
            }
            let gone = all.filter { lost.contains($0) || forgotten.contains($0) }
                .map { LostMember(replica.reference($0), isForgotten: !lost.contains($0)) }
            view.lostDevices = gone.isEmpty ? nil : gone
            view.declined = !view.accepted && !declined.isDisjoint(with: all) ? true : nil
            return view
        }
    }
}
