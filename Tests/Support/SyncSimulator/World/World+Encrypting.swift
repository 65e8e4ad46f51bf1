import Encryption
import Node
import Store
import SyncCore

/// Encrypted spaces: people encrypt them and change their keys, agents pass keys on.
extension World {
    /// Encrypts a space, or gives an encrypted one a new key.
    func encrypt(_ replica: Replica) {
        guard let space = random.pick(activeSpaces(of: replica, with: [.read, .admin])) else {
            return
        }
        if replica.ledger(of: space)?.membership.isEncrypted == true {
            counts.deeds.insert(.rotation)
        }
        write(by: replica) { try $0.epochs.make(in: space) }
    }

    /// As an agent does before it writes.
    func readyEpoch(of space: SpaceID, _ replica: Replica) {
        write(by: replica) { try $0.epochs.ready(in: space) }
    }

    func write(by replica: Replica, _ body: (EngineWork) throws -> EngineWork.Done) {
        guard let work = replica.work else { return }
        do {
            finish(try body(work), replica, isLate: true)
        } catch StoreError.permissionRefused {
            // It was revoked meanwhile.
        } catch {
            couldNotWrite("makes no keys", error, replica)
        }
    }

    /// Nobody writes under a key whose holders include a device that may not read, as far as the
    /// author and that device know.
    func checkKey(of commit: UnverifiedCommit, by author: Replica, in space: SpaceID) {
        guard var epoch = commit.header.epoch,
            let membership = author.ledger(of: space)?.membership
        else { return }
        if schedule.canary == .reusedEpoch { epoch = membership.epochs.values.min()?.id ?? epoch }
        let readers = membership.readers
        counts.deeds.insert(.sealedWrite)
        for other in replicas where isRemoved(other, in: space, readers) {
            counts.deeds.insert(.removedReader)
        }
        for other in replicas where other.epochKeys?.holds(epoch, in: space) == true {
            let own = other.ledger(of: space)?.membership
            if !readers.contains(other.device), own?.readers.contains(other.device) != true,
                knows(author, ofLettingIn: other.device, membership, in: space)
            {
                fail(
                    "keys",
                    "\(author.index) writes \(commit.summary) under a key that \(other.index) has, "
                        + "who was removed")
            }
        }
    }

    /// Whether the author has the grant that let a device in, effective or not: an author restored
    /// from an earlier copy does not know of it.
    private func knows(
        _ author: Replica, ofLettingIn device: DeviceID, _ membership: Membership, in space: SpaceID
    ) -> Bool {
        membership.standings.values.contains {
            $0.card.device == device && $0.granted.contains(.read)
        }
            || (granted[space]?[device] ?? []).contains {
                ((try? author.store?.log.commit($0)) ?? nil) != nil
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
