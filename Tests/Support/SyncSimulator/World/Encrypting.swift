import Node
import Store
import SyncCore

/// Encrypted spaces: people encrypt them and change their keys, agents pass keys on.
struct Encrypting {
    let world: World

    /// Encrypts a space, or gives an encrypted one a new key.
    func encrypt(_ replica: Replica) {
        guard
            let space = world.random.pick(
                world.observer.activeSpaces(of: replica, with: [.read, .admin]))
        else {
            return
        }
        if replica.ledger(of: space)?.membership.isEncrypted == true {
            world.report.counts.deeds.insert(.rotation)
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
            world.engines.finish(try body(work), replica, isLate: true)
        } catch StoreError.permissionRefused {
            // It was revoked meanwhile.
        } catch {
            world.machines.couldNotWrite("makes no keys", error, replica)
        }
    }

    /// Makes another person's device a vault for a space, usually an encrypted one.
    func carry(_ replica: Replica, on other: Replica) {
        guard let work = replica.work, replica.connections.trusted.contains(other.device),
            other.member.person != replica.member.person,
            let space = world.random.pick(
                world.observer.activeSpaces(of: replica, with: .admin).filter { space in
                    guard let membership = replica.ledger(of: space)?.membership else {
                        return false
                    }
                    return membership.isEncrypted && !membership.readers.contains(other.device)
                })
        else { return }
        do {
            world.engines.finish(
                try work.members.grant(space, to: [other.member.card], flags: .vault), replica,
                isLate: true)
            world.nodes.tell(.rightsWritten(space), replica)
            world.report.counts.deeds.insert(.vault)
        } catch StoreError.permissionRefused {
            // It was revoked meanwhile.
        } catch {
            world.machines.couldNotWrite("does not grant", error, replica)
        }
    }
}

extension World {
    var encrypting: Encrypting { Encrypting(world: self) }
}
