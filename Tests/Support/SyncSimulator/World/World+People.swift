import Node
import Store
import SyncCore
import Wire

/// People's actions with their devices.
extension World {
    /// Spaces that this device has and can read, in the order of their founding.
    func activeSpaces(of replica: Replica, with flags: Permissions = .read) -> [SpaceID] {
        guard let store = replica.store else { return [] }
        return spaces.filter { space in
            guard let ledger = store.ledger(of: space),
                ledger.membership.permissions(of: replica.device).isSuperset(of: flags)
            else { return false }
            return store.spaces.standing(of: space) == .active
        }
    }

    func found(_ replica: Replica) {
        found(spaces.isEmpty || random.chance(70) ? .shared : .home, by: replica)
    }

    func found(_ role: SpaceRole, by replica: Replica) {
        found(role, following: nil, by: replica) { space in
            RecordOperation(
                collection: "trip", record: recordID("trip", 0, in: space),
                writes: [Write(field: "name", value: .text("trip \(spaces.count)"))])
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
            spaces.append(space)
            histories[space] = SpaceHistory(founder: replica.index)
            granted[space] = [replica.device: []]
            guard let bytes = try replica.store?.log.commit(CommitID(space.value)) else {
                return fail("durability", "the genesis of \(short(space)) is not there")
            }
            record(try codec.decode(bytes), by: replica, in: space)
            finish(done, replica, isLate: true)
            append(
                CommitDraft(clear: ClearPart(), operations: [first(space)]), to: space,
                replica)
            carryOut(.siblings, replica)
        } catch {
            couldNotWrite("founds nothing", error, replica)
        }
    }

    /// Writes a commit, as the local service does: nothing happens if the role does not allow it.
    func append(_ draft: CommitDraft, to space: SpaceID, _ replica: Replica) {
        readyEpoch(of: space, replica)
        do {
            guard let done = try replica.work?.append(to: space, { _ in draft }) else { return }
            counts.operations += 1
            finish(done, replica, isLate: true)
        } catch StoreError.permissionRefused {
            // A refusal is a valid answer, too.
        } catch {
            couldNotWrite("does not write", error, replica)
        }
    }

    func grant(_ replica: Replica, to other: Replica) {
        guard replica.trusted.contains(other.device),
            let space = random.pick(
                activeSpaces(of: replica, with: .admin).filter { isTrip($0, replica) })
        else { return }
        let flags = random.pick([Permissions.all, .all, .editor, .editor, .contributor, .read])
        let cards = replicas.filter { known in
            known.member.person == other.member.person && replica.trusted.contains(known.device)
        }.map(\.member.card)
        grant(space, to: cards, flags ?? .read, by: replica)
    }

    func grant(_ space: SpaceID, to cards: [Card], _ flags: Permissions, by replica: Replica) {
        guard let work = replica.work else { return }
        do {
            finish(try work.members.grant(space, to: cards, flags: flags), replica, isLate: true)
            tell(.rightsWritten(space), replica)
        } catch StoreError.permissionRefused {
            // It was revoked meanwhile.
        } catch {
            couldNotWrite("does not grant", error, replica)
        }
    }

    private func isTrip(_ space: SpaceID, _ replica: Replica) -> Bool {
        replica.ledger(of: space)?.role == .shared
    }

    /// Revokes some or all rights of a member.
    func revoke(_ replica: Replica, _ other: Replica) {
        guard let ledger = random.pick(activeSpaces(of: replica)).flatMap(replica.ledger) else {
            return
        }
        let members = ledger.membership.members.filter {
            $0.standing.card.device == other.device
        }
        guard let member = random.pick(members) else { return }
        let revocation = Revocation(
            grant: member.grant, remaining: random.chance(25) ? [.read] : [],
            cut: ledger.watermark, scope: random.chance(30) ? .person : .device,
            cascade: random.pick([.none, .samePerson, .all]) ?? .none)
        append(
            CommitDraft(clear: ClearPart(facts: [.revocation(revocation)]), operations: []),
            to: ledger.space, replica)
        tell(.rightsWritten(ledger.space), replica)
    }

    func leave(_ replica: Replica) {
        guard let space = random.pick(activeSpaces(of: replica)) else { return }
        leave(space, replica)
    }

    private func leave(_ space: SpaceID, _ replica: Replica) {
        do {
            guard let done = try replica.work?.members.leave(space) else { return }
            finish(done, replica, isLate: true)
            tell(.rightsWritten(space), replica)
        } catch StoreError.permissionRefused {
            // It is not a member any more.
        } catch {
            couldNotWrite("does not leave", error, replica)
        }
    }

    // MARK: Offers

    func scheduleAnswer(_ space: SpaceID, _ replica: Replica) {
        guard replica.answering.insert(space).inserted else { return }
        after(
            random.below(3_000), .answer(replica.index, boot: replica.boot, space))
    }

    /// Most offers are accepted.
    func answerOffer(_ space: SpaceID, _ replica: Replica) {
        replica.answering.remove(space)
        guard let store = replica.store, let work = replica.work else { return }
        do {
            guard try store.spaces.space(space)?.standing == .offered else { return }
            finish(
                try schedule.takesAllOffers || random.chance(94)
                    ? work.offers.accept(space) : work.offers.decline(space),
                replica)
            tell(.rightsWritten(space), replica)
        } catch {
            couldNotWrite("answers no offer", error, replica)
        }
    }
}
