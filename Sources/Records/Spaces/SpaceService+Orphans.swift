package import LocalAPI
internal import Store
internal import SyncCore

/// Changes that do not count, because who wrote them had no right to.
extension SpaceService {
    package func orphans(_ scope: ScopeFilter) throws -> [OrphanView] {
        try directory.readable(scope: scope.trip, as: .trip).flatMap { try orphans(in: $0) }
    }

    /// Answers with those of which this person is told no more.
    package func dismissOrphans(_ scope: ScopeFilter) throws -> [OrphanView] {
        let places = try directory.readable(scope: scope.trip, as: .trip)
        let views = try places.flatMap { try orphans(in: $0) }
        let last = try replica.store.lastPlace()
        for place in places {
            try replica.store.setSetting(OrphanMark.key(place.id), to: "\(last)")
        }
        return views
    }

    /// Takes back what was rescued of them on this device: they are without effect again.
    package func takeBackRescued(_ scope: ScopeFilter) async throws -> RescueUndoView {
        var total = 0
        var refused: [Reference] = []
        for place in try directory.readable(scope: scope.trip, as: .trip) {
            do {
                total += try await replica.takeBackRescued(in: place.id)
            } catch ReplicaError.notPermitted {
                // A contributor may not delete what somebody else made, also not again.
                refused.append(place.reference)
            } catch ReplicaError.epochMissing {
                throw keyMissing(in: place)
            }
        }
        return RescueUndoView(changes: total, refused: refused)
    }

    private func orphans(in space: ReadableSpace) throws -> [OrphanView] {
        let found = try replica.store.orphans(in: space.id)
        guard !found.isEmpty, let schema = replica.schema(of: space.id) else { return [] }
        let reports = CommitReports(RecordReader(replica, space.id, schema))
        let mayWrite = replica.permissions(in: space.id).contains(.write)
        return try found.sorted { $0.key < $1.key }.map { device, commits in
            let author = replica.author(with: device, in: space.id)
            let clocks = commits.map(\.clock)
            return OrphanView(
                trip: space.sharedReference, author: author,
                isMine: author.id == replica.local.person.description,
                device: replica.reference(device), count: commits.count,
                first: Moment(clocks.min() ?? HybridTime(raw: 0)),
                last: Moment(clocks.max() ?? HybridTime(raw: 0)),
                changes: try reports.changes(of: commits), rescuable: mayWrite)
        }
    }
}

/// Up to where, in storing order, this person does not want to be told of a space's orphans.
enum OrphanMark {
    static func key(_ space: SpaceID) -> String { "orphans.\(space)" }
}

extension Replica {
    /// Orphans of which this person is to be told: their own, and of a space that they manage all.
    func untoldOrphans(in space: SpaceID) throws -> Int {
        let mark = try store.setting(OrphanMark.key(space)).flatMap { Int64($0) } ?? 0
        // A store that was made anew counts from the start.
        let after = try mark <= store.lastPlace() ? mark : 0
        let counts = try store.orphanCounts(in: space, after: after)
        guard !counts.isEmpty, let membership = membership(of: space) else { return 0 }
        let isAdmin = permissions(in: space).contains(.admin)
        return counts.filter { device, _ in
            isAdmin || membership.card(of: device)?.person == local.person
        }.values.reduce(0, +)
    }
}
