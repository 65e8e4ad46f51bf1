internal import Store
package import SyncCore

/// A deed: one action of a person that takes several commits, such as an import or a data set. It is undone
/// as a whole.
package struct Deeds {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Runs `write`, which writes only to these records of a space, and records that its commits belong
    /// together, even if it fails. Throws what `write` throws.
    func together(
        in space: SpaceID, writingTo records: Set<RecordID>, _ write: () async throws -> Void
    ) async throws {
        try await together(writingTo: [space: records], write)
    }

    /// The same in several spaces, including writes to these records after a place, and together with `earlier`
    /// commits. `isAutomatic` says that no person asked for it.
    func together(
        writingTo records: [SpaceID: Set<RecordID>], after place: Int64? = nil,
        with earlier: Set<CommitID> = [], isAutomatic: Bool = false,
        _ write: () async throws -> Void
    ) async throws {
        let before = try place ?? replica.store.log.lastPlace()
        let result: Result<Void, any Error>
        do {
            result = .success(try await write())
        } catch {
            result = .failure(error)
        }
        var written: [SpaceID: [CommitID]] = [:]
        for (space, records) in records {
            let own = try self.commits(in: space, writingTo: records, after: before)
            if !own.isEmpty { written[space] = own }
        }
        let deed = written.mapValues { earlier.sorted() + $0 }
        if deed.values.reduce(0, { $0 + $1.count }) > 1 { try await note(.together, deed) }
        if isAutomatic, !written.isEmpty { try await note(.automatic, written) }
        try result.get()
    }

    /// Runs `write`, which redates changes of a device, and records that its commits belong together, even if it
    /// fails. Throws what `write` throws. An undo can be redone like every other one.
    func together(redating device: DeviceID, isUndo: Bool, _ write: () async throws -> Void)
        async throws
    {
        let before = try replica.store.log.lastPlace()
        let result: Result<Void, any Error>
        do {
            result = .success(try await write())
        } catch {
            result = .failure(error)
        }
        let deed = try redatings(of: device, after: before)
        if isUndo, !deed.isEmpty {
            // The undone changes are of any device, and none of them is a deed of this one any more.
            let by = deed.mapValues { (undone: [CommitID](), by: $0) }
            try await replica.store.offloaded { try $0.reversals.note(.undo, by) }
        } else if deed.values.reduce(0, { $0 + $1.count }) > 1 {
            try await note(.together, deed)
        }
        try result.get()
    }

    /// The commits of this device after a place that redate changes of a device, by space.
    func redatings(of device: DeviceID, after place: Int64) throws -> [SpaceID: [CommitID]] {
        let written = try replica.store.past.commits(
            by: replica.local.device, after: place, limit: Limits.commitsOfUndo
        ).filter { $0.redating?.device == device }
        return Dictionary(grouping: written, by: \.space).mapValues { $0.map(\.commit.id) }
    }

    private func note(
        _ kind: Reversal.Kind, _ commits: [SpaceID: [CommitID]]
    ) async throws {
        try await replica.store.offloaded {
            try $0.reversals.note(kind, commits.mapValues { (undone: $0, by: []) })
        }
    }

    /// The same for batches of records.
    func write(
        _ batches: RecordBatches, to space: ReadableSpace, with earlier: Set<CommitID> = [],
        isAutomatic: Bool = false
    ) async throws {
        try await together(
            writingTo: [space.id: batches.records], with: earlier, isAutomatic: isAutomatic
        ) {
            try await batches.write(to: space, by: SpaceWriter(replica))
        }
    }

    /// Writes one action in as many commits as needed, with this person's precedence.
    package func write(_ operations: [RecordOperation], to space: ReadableSpace) async throws {
        let precedence = replica.precedence(in: space.id)
        let all = operations + (try replica.touches(for: operations, in: space.id))
        try await write(RecordBatches(all.map { $0.raised(to: precedence) }), to: space)
    }

    /// The commits of this device after a place that write only to these records, but for touches, as other
    /// commits may have been written meanwhile.
    func commits(
        in space: SpaceID, writingTo records: Set<RecordID>, after place: Int64
    ) throws -> [CommitID] {
        try replica.store.past.commits(
            by: replica.local.device, after: place, limit: Limits.commitsOfUndo
        ).filter { stored in
            let written = stored.commit.operations.filter { !$0.isTouch }
            return stored.space == space && !written.isEmpty
                && written.allSatisfy { records.contains($0.record) }
        }.map(\.commit.id)
    }
}

extension StoredCommit {
    /// The redating that the commit is.
    var redating: Redating? {
        for case .redating(let redating) in commit.clear.facts { return redating }
        return nil
    }
}
