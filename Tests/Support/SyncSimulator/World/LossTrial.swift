import Node
import Store
import SyncCore

/// Lost and found devices.
struct LossTrial {
    let world: World

    func lose(_ other: Replica, by replica: Replica) {
        say(replica, about: other) { try $0.lost(other.member.card, keeping: []) }
    }

    func find(_ other: Replica, by replica: Replica) {
        say(replica, about: other) { try $0.found(other.device) }
    }

    private func say(
        _ replica: Replica, about other: Replica,
        _ body: (LossSaying) throws -> [UnverifiedLossStatement]
    ) {
        guard let work = replica.work, replica.index != other.index,
            let saying = LossSaying(work, about: other.member.person)
        else { return }
        do {
            let said = try body(saying)
            guard !said.isEmpty else { return }
            world.report.counts.deeds.insert(.loss)
            world.report.trace.note(
                "loss", UInt64(replica.index), UInt64(other.index), text: "\(said.count)")
            world.nodes.tell(.lossSaid(said), replica)
        } catch {
            world.machines.couldNotWrite("calls nobody lost", error, replica)
        }
    }

    /// Unfinished statements and revocations about lost devices.
    func unfinished() -> [String] {
        let honest = world.replicas.filter { $0.isHonest && $0.isUp }
        do {
            return try honest.flatMap { try rightsOfLost($0) }
                + honest.compactMap { try world.keyTrial.unfinished($0) }
                + honest.flatMap { one in
                    try honest.filter { $0.index > one.index && world.network.mayConnect(one, $0) }
                        .compactMap { try difference(one, $0) }
                }
        } catch {
            return ["a store does not answer: \(error)"]
        }
    }

    /// Two devices that talk to each other know the same about their people.
    private func difference(_ one: Replica, _ other: Replica) throws -> String? {
        let people = [one.member.person, other.member.person]
        let (here, there) = (try one.work?.losses.all(), try other.work?.losses.all())
        let isSame = people.allSatisfy { person in
            here?[person]?.statements.map(\.id) ?? [] == there?[person]?.statements.map(\.id) ?? []
        }
        return isSame ? nil : "\(one.index) and \(other.index) know other lost devices"
    }

    private func rightsOfLost(_ replica: Replica) throws -> [String] {
        guard let losses = replica.work?.losses,
            try !losses.lostDevices().contains(replica.device)
        else { return [] }
        let pages = try losses.all()
        let lost = pages.values.flatMap { page in
            page.lost.losses.filter { $0.value.isBySenior && $0.key != replica.device }.keys
        }
        return world.observer.spaces.compactMap { space in
            // A leave that was answered and lost with the database counts here, not in the ledger.
            guard replica.store?.spaces.standing(of: space) == .active,
                let membership = replica.ledger(of: space)?.membership
            else { return nil }
            let grants = membership.grants(of: Set(lost))
            return grants.contains { membership.canRestrict($0, from: replica.device) }
                ? "\(replica.index) has not taken \(short(space)) from a lost device" : nil
        }
    }

    /// No device trusts one that it knows to be lost.
    func check() {
        for replica in world.replicas where replica.isHonest && replica.isUp {
            do {
                let lost = try replica.work?.losses.lostDevices() ?? []
                if !replica.connections.trusted.isDisjoint(with: lost) {
                    world.report.fail("losses", "\(replica.index) trusts a lost device")
                }
            } catch {
                world.report.fail("losses", "a store does not answer: \(error)")
            }
        }
    }
}
