package import LocalAPI
internal import Store
internal import SyncCore

/// Changes that do not count: listing, recovering and dismissing them.
package struct OrphanService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    private var directory: SpaceDirectory { SpaceDirectory(replica) }

    package func list(_ scope: ScopeFilter) throws -> [OrphanView] {
        try directory.readable(named: scope.trip, as: .trip).flatMap { space in
            try views(of: replica.orphans.all(in: space.id).waiting, in: space)
        }
    }

    /// Answers with those of which this person is told no more, also on their other devices.
    package func dismiss(_ scope: ScopeFilter) async throws -> [OrphanView] {
        var dismissed: [OrphanView] = []
        for space in try directory.readable(named: scope.trip, as: .trip) {
            let untold = try replica.orphans.all(in: space.id).waiting.filter { !$0.isDismissed }
            dismissed += try views(of: untold, in: space)
            try await replica.orphans.dismiss(untold, in: space.id)
        }
        return dismissed
    }

    /// Rewrites them for everybody. Dismissed ones stay unless their device is named, and so do those of
    /// other devices beyond a gap: these devices may still have the missing changes.
    package func recover(_ draft: RecoverRequest) async throws -> RecoverReport {
        let places = try directory.readable(named: draft.trip, as: .trip)
        let device = try draft.device.map { try author($0, in: places) }
        // All are read first: they get one number, by which they are taken back together.
        let found = try places.map { ($0, try replica.orphans.all(in: $0.id, by: device)) }
        var done = Recovered()
        var meant: [Meant] = []
        for (place, orphans) in found {
            if device == nil { done.membershipChanges += orphans.membershipChanges }
            let waiting = orphans.waiting.filter {
                device != nil || !$0.isDismissed && !isForOthers($0)
            }
            guard !waiting.isEmpty else { continue }
            if draft.trip != nil { try SpaceWriter(replica).require(.write, in: place, .recover) }
            meant.append(Meant(space: place, orphans: orphans, waiting: waiting))
        }
        let records = try Dictionary(
            meant.map { ($0.space.id, try written(by: $0.waiting)) }, uniquingKeysWith: { $1 })
        try await Deeds(replica).together(writingTo: records) {
            for part in meant {
                try await recover(part.waiting, of: part.orphans, in: part.space, &done)
            }
        }
        return RecoverReport(
            recovered: done.changes, refused: done.refused, settled: done.settled,
            missing: LeftFiles(done.missing),
            membershipChanges: done.membershipChanges)
    }

    /// The orphans of one space that are to be recovered.
    private struct Meant {
        let space: ReadableSpace
        let orphans: Orphans
        let waiting: [Orphan]
    }

    private func written(by orphans: [Orphan]) throws -> Set<RecordID> {
        let found = try replica.orphans.readable(orphans)
        return Set(found.flatMap(\.content.commit.operations).map(\.record))
    }

    /// Whether another device wrote it, beyond a gap that is only here, or the rest of it may still come.
    private func isForOthers(_ orphan: Orphan) -> Bool {
        orphan.reason == .incomplete
            || orphan.reason == .gap && orphan.log.device != replica.local.device
    }

    /// Undoes the last recovery on this device: its changes no longer count.
    package func undoRecovery(_ scope: ScopeFilter) async throws -> RecoverUndoView {
        let places = try directory.readable(named: scope.trip, as: .trip)
        let last = try places.compactMap { try replica.store.orphans.lastRecovery(in: $0.id) }.max()
        var total = 0
        var refused: [Reference] = []
        for place in places {
            guard let last else { break }
            do {
                total += try await replica.undoRecovery(last, in: place.id)
            } catch StoreError.permissionRefused {
                // A contributor may not delete other people's records, even recovered ones.
                refused.append(place.reference)
            } catch StoreError.epochMissing {
                throw KeyErrors(replica).keyMissing(in: place)
            }
        }
        return RecoverUndoView(changes: total, refused: refused)
    }

    /// The results for the orphans of all spaces.
    private struct Recovered {
        var changes: [RecoveredChanges] = []
        var refused = 0
        /// Those that no longer wait.
        var settled = 0
        /// Names of missing files.
        var missing: [String] = []
        var membershipChanges = 0
    }

    private func recover(
        _ waiting: [Orphan], of orphans: Orphans, in space: ReadableSpace, _ done: inout Recovered
    ) async throws {
        var counts: [DeviceID: Int] = [:]
        var files = RecoveredFiles(replica, in: space.id)
        for orphan in waiting {
            do {
                if try await files.recover(orphan, of: orphans) {
                    counts[orphan.log.device, default: 0] += 1
                }
            } catch StoreError.permissionRefused, StoreError.commitTooLarge {
                // For example a deletion by a contributor: the others continue.
                done.refused += 1
            } catch StoreError.noLongerWaiting {
                done.settled += 1
            } catch StoreError.epochMissing {
                throw KeyErrors(replica).keyMissing(in: space)
            }
        }
        done.missing += files.missing
        done.changes += counts.sorted { $0.key < $1.key }.map { author, count in
            RecoveredChanges(
                trip: space.sharedReference, device: replica.reference(author),
                person: replica.author(with: author, in: space.id), changes: count)
        }
    }

    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    private func author(_ typed: String, in places: [ReadableSpace]) throws -> DeviceID {
        var devices: Set<DeviceID> = []
        for place in places {
            devices.formUnion(try replica.store.orphans.counts(in: place.id).map(\.device))
        }
        return try Lookup.device(typed, among: devices.sorted(), of: replica) { $0 }
    }

    /// The orphans of one space, grouped by device, reason and dismissal.
    private func views(of orphans: [Orphan], in space: ReadableSpace) throws -> [OrphanView] {
        guard !orphans.isEmpty, let schema = replica.schema(of: space.id) else { return [] }
        let reports = CommitReports(RecordReader(replica, space.id, schema))
        let mayWrite = replica.permissions(in: space.id).contains(.write)
        let found = try replica.orphans.readable(orphans)
        let groups = Dictionary(grouping: found) { OrphanGroup($0.orphan) }
        return try groups.sorted { $0.key < $1.key }.map { group, found in
            let orphans = found.map(\.orphan)
            let author = replica.author(with: group.device, in: space.id)
            let clocks = orphans.map(\.clock)
            return OrphanView(
                trip: space.sharedReference, author: author,
                isMine: author.id == replica.local.person.description,
                device: replica.reference(group.device), reason: group.reason,
                dismissed: group.isDismissed, count: orphans.count,
                first: Moment(clocks.min() ?? HybridTime(raw: 0)),
                last: Moment(clocks.max() ?? HybridTime(raw: 0)),
                changes: try reports.changes(of: found.map(\.content)),
                recoverable: mayWrite)
        }
    }
}

/// The orphans of one line.
private struct OrphanGroup: Hashable, Comparable {
    let device: DeviceID
    let reason: OrphanView.Reason
    let isDismissed: Bool

    init(_ orphan: Orphan) {
        (device, isDismissed) = (orphan.log.device, orphan.isDismissed)
        reason = OrphanView.Reason(orphan.reason)
    }

    static func < (first: OrphanGroup, second: OrphanGroup) -> Bool {
        let order = OrphanView.Reason.allCases
        func place(_ group: OrphanGroup) -> (Int, DeviceID, Int) {
            (group.isDismissed ? 1 : 0, group.device, order.firstIndex(of: group.reason) ?? 0)
        }
        return place(first) < place(second)
    }
}

extension OrphanView.Reason {
    init(_ reason: Orphan.Reason) {
        switch reason {
        case .noRight: self = .noRight
        case .branch: self = .branch
        case .gap: self = .gap
        case .incomplete: self = .incomplete
        }
    }
}
