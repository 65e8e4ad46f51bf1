import Encryption
import Node
import Store
import SyncCore

/// The keys of encrypted spaces: all readers get them, nobody else does.
struct KeyCheck {
    let world: World

    /// Nobody writes under a key whose holders include a device that may not read, as far as the
    /// author and that device know.
    func checkKey(of commit: UnverifiedCommit, by author: Replica, in space: SpaceID) {
        guard var epoch = commit.header.epoch,
            let membership = author.ledger(of: space)?.membership
        else { return }
        if world.schedule.canary == .reusedEpoch {
            epoch = membership.epochs.values.min()?.id ?? epoch
        }
        let readers = membership.readers
        world.report.counts.deeds.insert(.sealedWrite)
        for other in world.replicas where isRemoved(other, in: space, readers) {
            world.report.counts.deeds.insert(.removedReader)
        }
        for other in world.replicas where other.epochKeys?.holds(epoch, in: space) == true {
            let own = other.ledger(of: space)?.membership
            if !readers.contains(other.device), own?.readers.contains(other.device) != true,
                knows(author, ofLettingIn: other.device, membership, in: space)
            {
                world.report.fail(
                    "keys",
                    "\(author.index) writes \(commit.summary) under a key that \(other.index) has, "
                        + "who was removed")
            }
        }
    }

    /// Whether the author has a grant with which a device may read, effective or not: an author restored
    /// from an earlier copy does not know of it, and may know of one to carry the space alone.
    private func knows(
        _ author: Replica, ofLettingIn device: DeviceID, _ membership: Membership, in space: SpaceID
    ) -> Bool {
        membership.standings.values.contains {
            $0.card.device == device && $0.granted.contains(.read)
        }
            || (world.observer.granted[space]?[device] ?? []).contains { id in
                guard ((try? author.store?.log.commit(id)) ?? nil) != nil,
                    let history = world.observer.histories[space],
                    let number = history.numbers[id]
                else { return false }
                return history.entries[number].commit.clear.facts.contains { fact in
                    guard case .grant(let grant) = fact else { return false }
                    return grant.card.links.last?.content.device == device
                        && grant.flags.contains(.read)
                }
            }
    }

    /// Whether a device once had keys of a space and may not read it any more.
    private func isRemoved(
        _ other: Replica, in space: SpaceID, _ readers: Set<DeviceID>
    ) -> Bool {
        !readers.contains(other.device)
            && other.epochKeys?.secrets(of: space).identities.isEmpty == false
    }

    /// Readers that lack keys which another one has.
    func missingKeys(in space: SpaceID, _ group: [Replica]) throws -> [String] {
        let closed = try group.map { try $0.store?.sealed.closedCommits(in: space) ?? [] }
        guard let least = closed.map(\.count).min() else { return [] }
        return zip(group, closed).filter { $0.1.count > least }.map { replica, closed in
            "\(replica.index) has no key of \(closed.count) commits of \(short(space))"
        }
    }

    /// Devices that could make a missing key to write under, or pass one on, and have not done so.
    func keysOwed(in space: SpaceID, _ group: [Replica]) -> [String] {
        group.filter { $0.work?.epochs.duty(in: space) != nil }
            .map { "\($0.index) owes others a key of \(short(space))" }
    }
}

extension World {
    var keyCheck: KeyCheck { KeyCheck(world: self) }
}
