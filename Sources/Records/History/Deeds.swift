internal import Store
package import SyncCore

/// What a person does with one gesture, though it takes several commits: an import, a data set. It is undone as one.
package struct Deeds {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Carries out `write`, which writes to these records of a space and to no others, and notes that its
    /// commits belong together; also when it fails on the way. Throws what `write` throws.
    func together(
        in space: SpaceID, writingTo records: Set<RecordID>, _ write: () async throws -> Void
    ) async throws {
        try await together(writingTo: [space: records], write)
    }

    /// The same in several spaces, and with what was written to these records after a place.
    func together(
        writingTo records: [SpaceID: Set<RecordID>], after place: Int64? = nil,
        _ write: () async throws -> Void
    ) async throws {
        let before = try place ?? replica.store.lastPlace()
        let result: Result<Void, any Error>
        do {
            result = .success(try await write())
        } catch {
            result = .failure(error)
        }
        var commits: [SpaceID: (undone: [CommitID], by: [CommitID])] = [:]
        for (space, records) in records {
            let own = try self.commits(in: space, writingTo: records, after: before)
            if !own.isEmpty { commits[space] = (own, []) }
        }
        if commits.values.reduce(0, { $0 + $1.undone.count }) > 1 {
            let noted = commits
            try await replica.store.offloaded {
                try Reversals(of: $0).note(.together, noted)
            }
        }
        try result.get()
    }

    /// The same of records on their way into commits.
    func write(_ batches: RecordBatches, to space: ReadableSpace) async throws {
        try await together(in: space.id, writingTo: batches.records) {
            try await batches.write(to: space, by: SpaceService(replica))
        }
    }

    /// Writes what one gesture comes to, in as many commits as that takes, as this person's word.
    package func write(_ operations: [RecordOperation], to space: ReadableSpace) async throws {
        let precedence = replica.precedence(in: space.id)
        try await write(RecordBatches(operations.map { $0.raised(to: precedence) }), to: space)
    }

    /// The commits of this device after a place that write to these records alone: others may have been
    /// written here meanwhile.
    func commits(
        in space: SpaceID, writingTo records: Set<RecordID>, after place: Int64
    ) throws -> [CommitID] {
        try PastReading(of: replica.store).commits(
            by: replica.local.device, after: place, limit: Limits.commitsOfUndo
        ).filter { stored in
            stored.space == space && !stored.commit.operations.isEmpty
                && stored.commit.operations.allSatisfy { records.contains($0.record) }
        }.map(\.commit.id)
    }
}
