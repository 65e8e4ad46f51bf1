internal import Store
package import SyncCore

/// How far the spaces of this device are synced, as far as it knows.
package struct SyncReader {
    let replica: any Replica

    var store: SyncStore { replica.store }

    /// The other devices that may have a space, their holdings, and the current traffic with those that answer.
    package func state(of space: SpaceID) throws -> SpaceSyncState {
        // Nobody exchanges a revoked space with this device.
        let membership = try replica.taken(space) == nil ? replica.membership(of: space) : nil
        let isReader = replica.permissions(in: space).contains(.read)
        let lost = try replica.losses.lostDevices()
        let others = ((isReader ? membership?.readers : membership?.holders) ?? [])
            .subtracting(lost)
        let vaults = isReader ? (membership?.vaults ?? []).subtracting(lost) : []
        let holdings = try store.statements.holdings(of: space).map(\.said)
        let activity = replica.activity(in: space)
        let acks = try replica.acks(of: space)
        let answered = activity.traffic.sharing.union(
            store.ledger(of: space)?.answered(acks) ?? [])
        return SpaceSyncState(
            others: others.subtracting([replica.local.device]),
            invited: invited(among: others.union(vaults), in: membership, answered: answered),
            vaults: vaults, acks: acks,
            holdings: holdings.reduce(into: [:]) { $0[$1.device] = $1 },
            fileCount: try store.files.counts(of: space).named,
            plainFiles: vaults.isEmpty ? [] : try store.files.plain(of: space),
            isReader: isReader,
            traffic: activity.traffic, going: activity.outgoing
        ).without(silent: replica.silentDevices)
    }

    /// Devices of people of whom none has answered. A device of this person, or of one who has answered,
    /// accepts the space automatically.
    private func invited(
        among devices: Set<DeviceID>, in membership: Membership?, answered: Set<DeviceID>
    ) -> Set<DeviceID> {
        let silent = devices.subtracting(answered)
        guard let membership, !silent.isEmpty else { return [] }
        let people = Set(answered.compactMap { membership.facts.card(of: $0)?.person })
            .union([replica.local.person])
        return silent.filter { device in
            membership.facts.card(of: device).map { !people.contains($0.person) } ?? false
        }
    }

    /// The facts about a space that is here.
    package func facts(of space: SpaceID) throws -> SpaceFacts {
        var facts = SpaceFacts(space, try state(of: space), watermark: replica.watermark(of: space))
        facts.isOwn = space == replica.local.homeSpace
        facts.isTrip =
            facts.isOwn || (replica.schema(of: space)?.name ?? "journal") == "journal"
        // Files of a deleted space are not fetched.
        facts.isDeleted = try !store.spaces.deletions(of: space).isEmpty
        let own = replica.permissions(in: space)
        // Nobody waits for a decision of this person that they may not make.
        if !facts.isDeleted, own.contains(.write) {
            facts.conflicts = try store.records.conflicts(of: space).count {
                own.isSuperset(of: requiredFlags(toDecide: $0, in: space))
            }
        }
        if own.contains(.read) {
            facts.unreadable.withheld = try store.sealed.withheldCount(in: space)
        }
        facts.ahead = try ahead(in: space)
        // In a deleted space nobody can bring changes back or leave them: they are told once it is restored.
        if !facts.isDeleted {
            try addUncounted(of: space, to: &facts)
            try addUnreadable(of: space, to: &facts)
            facts.requests = requests(in: space)
            facts.answers = try openAnswers(in: space, facts.sync.invited)
        }
        facts.taken = try replica.taken(space)
        facts.files.nextTry = facts.sync.traffic.retryMilliseconds.map {
            Milliseconds(replica.now.value + $0)
        }
        try addFiles(to: &facts)
        return facts
    }

    /// Files of a space that no device has any more, by their holdings.
    package func lostFiles(of space: SpaceID) throws -> Set<BlobID> {
        Set(try withoutHolder(of: space).needed.map(\.blob))
    }

    /// Those that nothing shown names: nobody waits for them.
    package func unneededFiles(of space: SpaceID) throws -> [NamedBlob] {
        try withoutHolder(of: space).unneeded
    }

    /// Those of the files which another device lacks that it does not wait for from here: they are not here, nothing
    /// shown names them, so that they may have been freed there, or they are not encrypted, and it is a vault. Those in
    /// `here` are not looked for again.
    package func unneeded(
        in lacking: Exchange.Lacking, of space: SpaceID, here: FilesSeenHere
    ) throws -> (listed: [NamedBlob], unlisted: Int) {
        let lacksPlain = lacking.isVault && lacking.unlisted > 0
        return (
            try lacking.listed.isEmpty ? [] : unneeded(lacking, of: space, here),
            try lacksPlain ? store.files.plain(of: space).count : 0
        )
    }

    private func unneeded(
        _ lacking: Exchange.Lacking, of space: SpaceID, _ here: FilesSeenHere
    ) throws -> [NamedBlob] {
        let deleted = try store.files.deleted(of: space)
        let known = here.known(in: space, ownWord: lacking.ownWord)
        let files = lacking.listed.filter { !known.contains($0) || deleted[$0] != nil }
        let named = try files.isEmpty ? [] : store.files.named(files, in: space)
        here.note(named.filter(\.isHeld).map(\.named.blob), in: space, ownWord: lacking.ownWord)
        // Of one that nothing names here the size is not known.
        let unknown = files.subtracting(named.map(\.named.blob))
        return named.filter { !$0.isHeld || deleted[$0.named.blob] != nil }.map(\.named)
            + unknown.map { NamedBlob(blob: $0, size: 0, kind: .original) }
    }

    private func withoutHolder(
        of space: SpaceID
    ) throws -> (needed: [NamedBlob], unneeded: [NamedBlob]) {
        let sync = try state(of: space)
        let lost = try store.files.missing(of: space).filter { sync.fate(of: $0.blob) == .lost }
        guard !lost.isEmpty else { return ([], []) }
        let deleted = Set(try store.files.deleted(of: space).keys)
        return (
            lost.filter { !deleted.contains($0.blob) }, lost.filter { deleted.contains($0.blob) }
        )
    }

    /// The cost depends on the files that others listed and on traffic, not on the size of the space.
    private func addFiles(to facts: inout SpaceFacts) throws {
        let counts = try store.files.counts(of: facts.space)
        facts.files.thumbnailCount = counts.thumbnails.count
        if !facts.isDeleted && facts.taken == nil && counts.missing > 0 {
            // Where more is still to come, nobody asks what was here.
            if counts.missing <= Limits.missingLookedAt {
                let gone = try store.files.gone(of: facts.space)
                facts.files.gone = Set(gone.filter { $0.kind != .thumbnail }.map(\.blob))
            }
            facts.files.freed = try store.freedFiles.wantedAgain(of: facts.space)
            let singledOut = facts.sync.singledOut.union(facts.files.freed.keys)
            if counts.missing <= singledOut.count {
                facts.files.missing = try store.files.missing(of: facts.space)
            } else {
                facts.files.missing = try store.files.named(singledOut, in: facts.space)
                    .filter { !$0.isHeld }.map(\.named)
                let listed = FileTotals(facts.files.missing)
                // Files may have arrived since the count.
                facts.files.missingOthers = FileTotals(
                    files: max(0, counts.originals.missing - listed.files),
                    bytes: counts.originals.missingBytes
                        - min(counts.originals.missingBytes, listed.bytes),
                    thumbnails: max(0, counts.thumbnails.missing - listed.thumbnails))
            }
        }
        facts.files.freedCount = counts.originals.freed
        try leaveOutUnneeded(of: &facts)
        guard facts.files.thumbnailCount > 0 else { return }
        for device in facts.sync.holders {
            guard let said = facts.sync.holdings[device], !said.missing.isEmpty else { continue }
            facts.files.lackedThumbnails.formUnion(try store.files.thumbnails(lackedBy: said))
        }
    }

    /// Files that some device lacks and that nothing shown names wait for nobody: they may have been freed there.
    /// Looks for them only where a device lacks files.
    private func leaveOutUnneeded(of facts: inout SpaceFacts) throws {
        guard !facts.isDeleted, facts.sync.holdings.values.contains(where: { !$0.missing.isEmpty })
        else { return }
        facts.files.unneeded = Set(try store.files.deleted(of: facts.space).keys)
        guard !facts.files.unneeded.isEmpty else { return }
        let (sync, unneeded) = (facts.sync, facts.files.unneeded)
        facts.files.missing.removeAll {
            unneeded.contains($0.blob) && sync.fate(of: $0.blob) == .lost
        }
    }

    private func addUncounted(of space: SpaceID, to facts: inout SpaceFacts) throws {
        facts.uncounted.orphans = try replica.orphans.untold(in: space)
        facts.uncounted.paced = store.ledger(of: space)?.pacedPeople(at: replica.now).sorted() ?? []
    }

    /// What of a space this device cannot read, and why. None of one that reads nothing: it waits for
    /// nothing.
    private func addUnreadable(of space: SpaceID, to facts: inout SpaceFacts) throws {
        guard let membership = replica.membership(of: space),
            !replica.permissions(in: space).onlyCarries
        else { return }
        facts.unreadable.obstacle = obstacle(of: space)
        facts.unreadable.newerParts = try store.log.newerParts(of: space)
        // Changes stay hidden from a member who came later, and no key comes to one who may not read any more.
        guard membership.isEncrypted, !membership.epochFacts.isFromNow(replica.local.device),
            try replica.taken(space) == nil
        else { return }
        let closed = try store.sealed.closedCounts(in: space)
        facts.unreadable.closed = closed.withoutKey
        facts.unreadable.newerParts.merge(closed.newer, uniquingKeysWith: +)
    }

    private func obstacle(of space: SpaceID) -> SchemaCache.Obstacle? {
        guard let pin = store.ledger(of: space)?.schema else { return nil }
        do {
            _ = try replica.schemas.schema(pin)
            return nil
        } catch {
            return error
        }
    }

    private func requests(in space: SpaceID) -> [PersonID: Permissions] {
        let own = replica.permissions(in: space)
        guard own.contains(.admin), let open = replica.membership(of: space)?.openRequests else {
            return [:]
        }
        return open.filter { $0.key != replica.local.person && own.isSuperset(of: $0.value) }
    }

    /// People who were given the space by this person and have not accepted it, and whether they declined.
    private func openAnswers(
        in space: SpaceID, _ invited: Set<DeviceID>
    ) throws -> [PersonID: SpaceFacts.OpenAnswer] {
        guard !invited.isEmpty, let membership = replica.membership(of: space) else { return [:] }
        let declined = try Declines(store).devices(of: space)
        return membership.members.reduce(into: [:]) { found, member in
            let card = member.standing.card
            guard invited.contains(card.device),
                GrantDescent(membership).giver(of: member.grant) == replica.local.person
            else { return }
            if declined.contains(card.device) {
                found[card.person] = .no
            } else if found[card.person] == nil {
                found[card.person] = .nothing
            }
        }
    }

    func ahead(in space: SpaceID) throws -> [AheadFacts] {
        let (now, membership) = (replica.now, replica.membership(of: space))
        return try store.log.changesAhead(in: space, now: now).map { device, changes in
            AheadFacts(
                device, count: changes.count,
                seconds: Int(clamping: (changes.latest.milliseconds - now.value) / 1000),
                isRedatable: membership?.mayRedate(device, from: replica.local.device) ?? false)
        }.sorted { $0.device < $1.device }
    }

    /// The facts about every space that is here.
    package func facts() throws -> [SpaceFacts] {
        try store.spaces.all().compactMap { stored in
            guard stored.standing == .active, store.ledger(of: stored.space) != nil else {
                return nil
            }
            return try facts(of: stored.space)
        }
    }
}

extension Replica {
    package var sync: SyncReader { SyncReader(replica: self) }
}

extension Limits {
    /// Missing files of a space among which those that were here are looked for, for each status.
    static let missingLookedAt = 1_000
}
