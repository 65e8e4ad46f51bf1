package import LocalAPI
internal import Store
package import SyncCore

/// The verdict on one space on this device.
package struct SpaceVerdict: Sendable {
    package let state: SyncState
    package let problems: [StatusProblem]
    /// Items that this device lacks, and will get.
    package let missing: WaitingCount

    /// `full` are devices whose disk is full: data for them is not on its way.
    package init(_ facts: SpaceFacts, present: Set<DeviceID>, full: Set<DeviceID> = []) {
        self.init(SpaceBalance(facts), present: present, full: full)
    }

    init(_ balance: SpaceBalance, present: Set<DeviceID>, full: Set<DeviceID>) {
        let facts = balance.facts
        func files(_ fate: SpaceSyncState.Fate) -> Int { balance.fates[fate]?.files ?? 0 }
        let (space, unreadable) = (facts.space, facts.unreadable)
        let awaited = balance.awaited
        missing = WaitingCount(
            changes: facts.sync.changesElsewhere(beyond: facts.watermark),
            files: awaited.files, bytes: Int64(clamping: awaited.bytes))
        var found: [StatusProblem] = []
        if let taken = facts.taken { found.append(.taken(space, taken)) }
        if let obstacle = unreadable.obstacle { found.append(.schemaObstacle(space, obstacle)) }
        let freed = balance.freed
        if freed.files > 0 { found.append(.freedFiles(space, freed.files, at: freed.at)) }
        let lost = files(.lost) - freed.files
        if lost > 0 { found.append(.lostFiles(space, lost)) }
        let gone = facts.files.gone.count { facts.sync.fate(of: $0) != .lost }
        if gone > 0 { found.append(.goneFiles(space, gone)) }
        let failed = files(.givenUp)
        if failed > 0 {
            found.append(.givenUpFiles(space, failed, nextTry: facts.files.nextTry))
        }
        let unfit = files(.noRoom)
        if unfit > 0 { found.append(.noRoom(space, unfit)) }
        found += facts.ahead.map { .changesAhead($0) }
        for reason in [OrphanView.Reason.gap, .branch, .noRight, .incomplete] {
            // While more is known to come, it is just not finished.
            guard reason != .incomplete || missing.changes == 0 else { continue }
            guard let changes = facts.uncounted.orphans[reason], changes > 0 else { continue }
            found.append(.orphans(space, reason, changes))
        }
        found += facts.uncounted.paced.map { .tooMuch(space, $0) }
        if facts.conflicts > 0 { found.append(.conflicts(space, facts.conflicts)) }
        if facts.incomplete > 0 { found.append(.incomplete(space, facts.incomplete)) }
        found += unreadable.problems(in: space)
        problems = found
        guard !found.contains(where: \.isUrgent) else {
            state = .error
            return
        }
        guard facts.taken == nil else {
            state = .offline
            return
        }
        let moves = SpaceVerdict.movement(balance, present, full)
        state = moves == .synced && !found.isEmpty ? .pending : moves
    }

    /// Devices that never acknowledged the space have not accepted it: nothing waits for them, unless there
    /// are no others.
    private static func movement(
        _ balance: SpaceBalance, _ present: Set<DeviceID>, _ full: Set<DeviceID>
    ) -> SyncState {
        let facts = balance.facts
        let sync = facts.sync
        if sync.others.isEmpty { return facts.isOwn || facts.isDeleted ? .synced : .localOnly }
        let holding = sync.others.filter { sync.acks[$0] != nil }
        if holding.isEmpty { return .pending }
        let differing = holding.filter { !balance.isEqual(to: $0) }
        if differing.isEmpty && balance.awaited.isEmpty { return .synced }
        let reachable = holding.intersection(present)
        if reachable.isEmpty { return .offline }
        let isMoving =
            balance.fates[.coming] != nil || balance.fates[.soon] != nil
            || differing.intersection(reachable).subtracting(full).contains { device in
                let owed = balance.owed(to: device)
                return owed.toSend != .nothing || owed.fromOthers == .nothing
            }
        return isMoving ? .syncing : .pending
    }
}

extension SyncReader {
    func verdict(of space: SpaceID) throws -> SpaceVerdict {
        var facts = try facts(of: space)
        if !facts.ahead.isEmpty {
            let devices = try replica.knownDevices().filter { $0.loss == nil }
            // As many devices as status counts.
            let ahead = try replica.store.ledgers.keys.flatMap { try self.ahead(in: $0) }
            ClockVerdict(
                devices.map { ($0.card.device, $0.clockSkewMilliseconds) }, ahead: ahead
            ).judge(&facts)
        }
        return SpaceVerdict(
            facts, present: replica.devicesInReach, full: replica.devicesWithFullDisk)
    }
}

extension UnreadableFacts {
    /// Changes that are here and cannot be shown.
    fileprivate func problems(in space: SpaceID) -> [StatusProblem] {
        var found: [StatusProblem] = []
        if closed > 0 { found.append(.closed(space, closed)) }
        if withheld > 0 { found.append(.withoutContent(space, withheld)) }
        if !newerParts.isEmpty {
            found.append(
                .newerParts(
                    space, by: newerParts.keys.sorted(), newerParts.values.reduce(0, +)))
        }
        return found
    }
}
