import Node
import Store
import SyncCore
import Wire

/// People's actions with their devices.
struct People {
    let world: World

    func found(_ replica: Replica) {
        found(
            world.observer.spaces.isEmpty || world.random.chance(70) ? .shared : .home, by: replica)
    }

    func found(_ role: SpaceRole, by replica: Replica) {
        found(role, following: nil, by: replica) { space in
            RecordOperation(
                collection: "trip", record: world.recordID("trip", 0, in: space),
                writes: [Write(field: "name", value: .text("Trip \(world.observer.spaces.count)"))])
        }
    }

    /// Founds a space with a first record; it is a trip unless another schema is named.
    func found(
        _ role: SpaceRole, following schema: SchemaPin?, by replica: Replica,
        first: (SpaceID) -> RecordOperation
    ) {
        guard let work = replica.work else { return }
        do {
            let (space, done) = try work.found(role, replica.member.chain, following: schema)
            world.observer.begin(space, by: replica)
            guard let bytes = try replica.store?.log.commit(CommitID(space.value)) else {
                return world.report.fail(
                    "durability", "the genesis of \(short(space)) is not there")
            }
            world.observer.record(try CommitCodec().decode(bytes), by: replica, in: space)
            world.engines.finish(done, replica, isLate: true)
            append(
                CommitDraft(clear: ClearPart(), operations: [first(space)]), to: space,
                replica)
            world.nodes.carryOut(.siblings, replica)
        } catch {
            world.machines.couldNotWrite("founds nothing", error, replica)
        }
    }

    /// Writes a commit, as the local service does: nothing happens if the role does not allow it.
    func append(_ draft: CommitDraft, to space: SpaceID, _ replica: Replica) {
        world.encrypting.readyEpoch(of: space, replica)
        do {
            let parts = draft.parts()
            guard
                let done = try replica.work?.append(
                    to: space, count: parts.count, { parts[$1] })
            else { return }
            world.report.counts.operations += 1
            world.engines.finish(done, replica, isLate: true)
        } catch StoreError.permissionRefused {
            // A refusal is a valid answer, too.
        } catch {
            world.machines.couldNotWrite("does not write", error, replica)
        }
    }

    func grant(_ replica: Replica, to other: Replica) {
        guard replica.connections.trusted.contains(other.device),
            let space = world.random.pick(
                world.observer.activeSpaces(of: replica, with: .admin).filter {
                    isTrip($0, replica)
                })
        else { return }
        let flags = world.random.pick([
            Permissions.all, .all, .editor, .editor, .contributor, .read,
        ])
        let cards = world.replicas.filter { known in
            known.member.person == other.member.person
                && replica.connections.trusted.contains(known.device)
        }.map(\.member.card)
        grant(space, to: cards, flags ?? .read, by: replica)
    }

    func grant(_ space: SpaceID, to cards: [Card], _ flags: Permissions, by replica: Replica) {
        guard let work = replica.work else { return }
        do {
            world.engines.finish(
                try work.members.grant(space, to: cards, flags: flags), replica, isLate: true)
            world.nodes.tell(.rightsWritten(space), replica)
        } catch StoreError.permissionRefused {
            // It was revoked meanwhile.
        } catch {
            world.machines.couldNotWrite("does not grant", error, replica)
        }
    }

    private func isTrip(_ space: SpaceID, _ replica: Replica) -> Bool {
        replica.ledger(of: space)?.role == .shared
    }

    /// Revokes some or all rights of a member.
    func revoke(_ replica: Replica, _ other: Replica) {
        guard
            let ledger = world.random.pick(world.observer.activeSpaces(of: replica)).flatMap(
                replica.ledger)
        else {
            return
        }
        let members = ledger.membership.members.filter {
            $0.standing.card.device == other.device
        }
        guard let member = world.random.pick(members) else { return }
        let revocation = Revocation(
            grant: member.grant, remaining: world.random.chance(25) ? [.read] : [],
            cut: ledger.watermark, scope: world.random.chance(30) ? .person : .device,
            cascade: world.random.pick([.none, .samePerson, .all]) ?? .none)
        append(
            CommitDraft(clear: ClearPart(facts: [.revocation(revocation)]), operations: []),
            to: ledger.space, replica)
        world.nodes.tell(.rightsWritten(ledger.space), replica)
    }

    func leave(_ replica: Replica) {
        guard let space = world.random.pick(world.observer.activeSpaces(of: replica)) else {
            return
        }
        leave(space, replica)
    }

    private func leave(_ space: SpaceID, _ replica: Replica) {
        do {
            guard let done = try replica.work?.members.leave(space) else { return }
            world.engines.finish(done, replica, isLate: true)
            world.nodes.tell(.rightsWritten(space), replica)
        } catch StoreError.permissionRefused {
            // It is not a member any more.
        } catch {
            world.machines.couldNotWrite("does not leave", error, replica)
        }
    }

    // MARK: Offers

    /// Nobody is asked about a space that a device of their own gives to this one.
    func scheduleAnswer(_ space: SpaceID, offeredBy device: DeviceID, _ replica: Replica) {
        if world.replica(of: device)?.member.person == replica.member.person {
            world.report.fail(
                "peace", "\(replica.index) is asked about \(short(space)), which its person has")
        }
        scheduleAnswer(space, replica)
    }

    func scheduleAnswer(_ space: SpaceID, _ replica: Replica) {
        guard replica.answering.insert(space).inserted else { return }
        world.timeline.after(
            world.random.below(3_000), .answer(replica.index, boot: replica.boot, space))
    }

    /// Most offers are accepted, and some of those that were declined after all.
    func answerOffer(_ space: SpaceID, _ replica: Replica) {
        replica.answering.remove(space)
        guard let store = replica.store, let work = replica.work else { return }
        do {
            let standing = try store.spaces.space(space)?.standing
            if standing == .left, store.ledger(of: space) == nil {
                return world.engines.finish(try work.offers.accept(space), replica)
            }
            guard standing == .offered else { return }
            // Events that wait may close it.
            if replica.loop.inbox.isEmpty, replica.loop.engine.spaces[space] != nil {
                world.report.fail(
                    "permission",
                    "\(replica.index) takes part in \(short(space)) before its person answers")
            }
            let isAccepted = world.schedule.takesAllOffers || world.random.chance(94)
            world.engines.finish(
                try isAccepted ? work.offers.accept(space) : work.offers.decline(space), replica)
            if !isAccepted, world.random.chance(50) { scheduleAnswer(space, replica) }
            world.nodes.tell(.rightsWritten(space), replica)
        } catch {
            world.machines.couldNotWrite("answers no offer", error, replica)
        }
    }
}

extension World {
    var people: People { People(world: self) }
}
