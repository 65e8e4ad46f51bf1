internal import LocalAPI
internal import Store
internal import SyncCore

/// Finds unusual arrivals, from the log alone. The cost depends on the commits since then, at most
/// ``Limits/commitsLookedBack``, and not on the size of the store.
struct ArrivalFinder {
    /// Commits that a device brought at one meeting.
    private struct Brought {
        let kind: ArrivalView.Kind
        let space: SpaceID
        let device: DeviceID
        let meeting: Meeting
    }

    private let replica: any Replica
    private let reading: ArrivalReading
    private let spaces: [SpaceID]
    private let since: Milliseconds
    private let place: (SpaceID) -> Int64
    /// Ignores commits up to this place.
    private let lowest: Int64

    /// Finds arrivals received at `since` or later, and stored after a place.
    init(
        _ replica: any Replica, in spaces: [SpaceID], since: Milliseconds,
        after place: @escaping (SpaceID) -> Int64
    ) throws {
        (self.replica, self.since, self.place) = (replica, since, place)
        reading = replica.store.arrivals
        let last = try replica.store.log.lastPlace()
        self.spaces = spaces.filter { place($0) < last }
        lowest = max(
            self.spaces.map(place).min() ?? last, last - Int64(Limits.commitsLookedBack))
    }

    /// The latest last.
    func arrivals() throws -> [Arrival] {
        guard !spaces.isEmpty else { return [] }
        let broughtLate = try late()
        var found = try broughtLate.filter { try !isOwnAbsence($0, among: broughtLate) }
            .map { (brought: $0, arrival: try arrival($0)) }.filter { $0.arrival.isOfNote }
        let undos = try ScopedUndos(replica).inEffect()
        found += try afterUndos(undos, besides: ids(found.map(\.brought)))
            .map { (brought: $0, arrival: try arrival($0)) }
        found += try deletions(besides: ids(found.map(\.brought)), undos)
            .map { (brought: $0, arrival: try arrival($0)) }
        guard !found.isEmpty else { return [] }
        // Arrivals that were undone here are left out.
        let graph = ReversalGraph(try replica.store.reversals.all())
        return found.filter { $0.brought.meeting.commits.contains { graph.isLive($0.id) } }
            .map(\.arrival).sorted { $0.received < $1.received }.suffix(Limits.arrivalsTold)
    }

    private func ids(_ brought: [Brought]) -> Set<CommitID> {
        Set(brought.flatMap { $0.meeting.commits.map(\.id) })
    }

    private func arrival(_ brought: Brought) throws -> Arrival {
        Arrival(
            brought.kind, of: brought.meeting, in: brought.space, by: brought.device,
            deletions: try deletedCount(brought), conflicts: try conflictCount(brought),
            now: replica.now)
    }

    // MARK: Late changes

    private func late() throws -> [Brought] {
        let devices = try reading.lateDevices(
            after: lowest, receivedFrom: since, by: Limits.lateMilliseconds)
        return try spaces.flatMap { space in
            let news = (devices[space] ?? [:]).filter {
                $0.value > place(space) && $0.key != replica.local.device
            }
            return try news.isEmpty ? [] : late(in: space, of: news.keys.sorted())
        }
    }

    private func late(in space: SpaceID, of devices: [DeviceID]) throws -> [Brought] {
        // Commits from before this device had the space are old for another reason.
        guard let beginning = try reading.beginning(of: space) else { return [] }
        return try devices.flatMap { device in
            let commits = try reading.commits(
                of: device, in: space, after: place(space), limit: Limits.commitsOfUndo
            ).filter { $0.clock.milliseconds >= beginning.value }
            let behind = try clockLag(of: device)
            return try meetings(commits, of: device, in: space)
                .compactMap { $0.late(clockBehind: behind) }
                .filter { $0.start >= since }
                .map { Brought(kind: .late, space: space, device: device, meeting: $0) }
        }
    }

    private func meetings(
        _ commits: [ArrivedCommit], of device: DeviceID, in space: SpaceID
    ) throws -> [Meeting] {
        guard let first = commits.first else { return [] }
        // Changes that were looked at, or too many to be looked at, may have come shortly before.
        let earlier = try reading.lastReceipt(of: device, in: space, upTo: first.place - 1)
        return Meeting.split(commits, after: earlier)
    }

    private func isOwnAbsence(_ brought: Brought, among late: [Brought]) throws -> Bool {
        let meeting = brought.meeting
        let end = meeting.start.value - min(Limits.wakingMilliseconds, meeting.start.value)
        let times = meeting.written...Milliseconds(max(end, meeting.written.value))
        return Witnesses(
            bringers: Set(late.filter { $0.meeting.isBeside(meeting) }.map(\.device)),
            writers: try reading.writers(
                before: meeting.commits[0].place, within: times, limit: Limits.commitsLookedBack),
            own: replica.local.device
        ).isOwnAbsence
    }

    private func conflictCount(_ brought: Brought) throws -> Int {
        let commits = Set(brought.meeting.commits.map(\.id))
        return try replica.store.records.conflicts(of: brought.space).prefix(
            Limits.arrivalConflicts
        )
        .filter { key in
            try replica.store.records.record(key, of: brought.space)?.contested
                .contains { commits.contains($0.commit) } ?? false
        }.count
    }

    // MARK: Changes that an undo was about

    private func afterUndos(
        _ undos: [ScopedUndo], besides known: Set<CommitID>
    ) throws -> [Brought] {
        let ofDevices = undos.filter { !$0.onlyDeletions }
        guard !ofDevices.isEmpty else { return [] }
        let all = try replica.knownDevices().map(\.card.device).sorted()
        return try spaces.flatMap { space -> [Brought] in
            let meant = try self.undos(ofDevices, about: space)
            let devices = all.filter { device in meant.contains { $0.isOf(device) } }
            return try devices.flatMap { device in
                let behind = try clockLag(of: device)
                let commits = try reading.commits(
                    of: device, in: space, after: max(place(space), lowest),
                    limit: Limits.commitsOfUndo)
                return try meetings(commits, of: device, in: space).compactMap { meeting in
                    meeting.part { commit in
                        meant.contains { $0.covers(commit, of: device, clockBehind: behind) }
                    }
                }.filter { part in
                    part.start >= since && !part.commits.contains { known.contains($0.id) }
                }.map { Brought(kind: .afterUndo, space: space, device: device, meeting: $0) }
            }
        }
    }

    private func undos(_ undos: [ScopedUndo], about space: SpaceID) throws -> [ScopedUndo] {
        guard !undos.isEmpty, let beginning = try reading.beginning(of: space) else { return [] }
        return undos.filter { $0.isAbout(space, begun: beginning) }
    }

    private func clockLag(of device: DeviceID) throws -> UInt64 {
        min(try replica.store.devices.notedSkew(of: device) ?? 0, 0).magnitude
    }

    // MARK: Deletions

    private func deletions(
        besides known: Set<CommitID>, _ undos: [ScopedUndo]
    ) throws -> [Brought] {
        // Mostly the whole space does not have so many.
        let counts = try reading.deletedCounts()
        let ofDeletions = undos.filter(\.onlyDeletions)
        return try spaces.flatMap { space -> [Brought] in
            let meant = try self.undos(ofDeletions, about: space)
            guard counts[space] ?? 0 >= Limits.manyDeletions || !meant.isEmpty else { return [] }
            return try deletions(in: space, besides: known, meant)
        }
    }

    private func deletions(
        in space: SpaceID, besides known: Set<CommitID>, _ undos: [ScopedUndo]
    ) throws -> [Brought] {
        guard let beginning = try reading.beginning(of: space) else { return [] }
        var found: [DeviceID: [ArrivedCommit]] = [:]
        var records: [CommitID: Set<RecordID>] = [:]
        var looked = 0
        try read(space, after: max(place(space), lowest), before: nil) { stored in
            looked += 1
            let isOld = stored.clock.milliseconds < beginning.value || stored.shownAt < since
            if !isOld, !known.contains(stored.commit.id) {
                let deleted = deleted(by: stored)
                records[stored.commit.id] = deleted
                if !deleted.isEmpty {
                    found[stored.commit.header.log.device, default: []]
                        .append(ArrivedCommit(stored))
                }
            }
            return looked < Limits.deletionsLookedBack
        }
        return try found.flatMap { device, commits in
            let behind = undos.isEmpty ? 0 : try clockLag(of: device)
            let ordered = commits.sorted { $0.place < $1.place }
            return try meetings(ordered, of: device, in: space).compactMap { meeting in
                let all = meeting.commits.reduce(into: Set<RecordID>()) {
                    $0.formUnion(records[$1.id] ?? [])
                }
                guard all.count < Limits.manyDeletions else { return meeting }
                return meeting.part { commit in
                    undos.contains { $0.covers(commit, of: device, clockBehind: behind) }
                }
            }.map { Brought(kind: .deletions, space: space, device: device, meeting: $0) }
        }
    }

    private func deletedCount(_ brought: Brought) throws -> Int {
        let commits = brought.meeting.commits
        let places = commits.map(\.place)
        guard let first = places.min(), let last = places.max() else { return 0 }
        var deleted: Set<RecordID> = []
        try read(brought.space, after: first - 1, before: last + 1) { stored in
            if stored.commit.header.log.device == brought.device {
                deleted.formUnion(self.deleted(by: stored))
            }
            return true
        }
        return deleted.count
    }

    /// Without the space itself, and names of people and devices.
    private func deleted(by stored: StoredCommit) -> Set<RecordID> {
        guard let schema = replica.schema(of: stored.space) else { return [] }
        let operations = stored.commit.operations.filter {
            $0.writes.contains(where: \.isDeletion)
        }.map { schema.current($0) }
        return Set(
            operations.filter {
                !Schema.isEverywhere($0.collection) && !$0.isTitle(of: stored.space)
            }.map(\.record))
    }

    /// The commits of others, from the newest back, while `body` returns true.
    private func read(
        _ space: SpaceID, after: Int64, before: Int64?, _ body: (StoredCommit) throws -> Bool
    ) throws {
        var before = before
        while true {
            let page = try replica.store.log.storedCommits(
                of: space, after: after, before: before, exceptOf: replica.local.device,
                limit: Limits.changePage)
            guard let last = page.last else { return }
            for stored in page {
                guard try body(stored) else { return }
            }
            before = last.place
        }
    }
}

extension RecordState {
    /// Writes that conflict with others.
    fileprivate var contested: [WriteID] {
        let registers = Array(fields.values) + sets.values.flatMap(\.values)
        let deletions = hiddenEdits.isEmpty ? [] : fields[Write.existence]?.writes ?? []
        return registers.filter { $0.writes.count > 1 }.flatMap { $0.writes.map(\.id) }
            + hiddenEdits + deletions.map(\.id)
    }
}
