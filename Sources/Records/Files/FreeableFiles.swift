internal import Store
package import SyncCore

/// The files of deleted records, each with what decides whether it may go from this device. Read for one
/// request. Throws what the store throws.
package final class FreeableFiles {
    package struct File: Sendable {
        package let blob: BlobID
        /// Bytes.
        package let size: UInt64
        fileprivate let isThumbnail: Bool
        /// For how many files it stands in counts: thumbnails are left out, as people do not know these files.
        package var count: Int { isThumbnail ? 0 : 1 }
        /// When it was freed; nil for one that was not.
        package let freedAt: Milliseconds?
        package let release: FileRelease
    }

    /// Those of one space, in the order of their ids.
    private struct Files {
        var all: [File] = []
        /// By the deleted records that named them: places in `all`.
        var named: [RecordKey: [Int]] = [:]
    }

    private let replica: any Replica
    private var files: [SpaceID: Files] = [:]
    private var unfinished: [SpaceID: Set<BlobID>] = [:]
    private var states: [SpaceID: SpaceSyncState] = [:]
    private var arrivals: [CommitID: CommitArrival?] = [:]
    private var keys: [SpaceID: [CommitID: Milliseconds?]] = [:]

    package init(_ replica: any Replica) { self.replica = replica }

    /// Those of a space.
    package func all(in space: SpaceID) throws -> [File] { try files(of: space).all }

    /// Those of a space that any of these deleted records named.
    package func named(by keys: Set<RecordKey>, in space: SpaceID) throws -> [File] {
        let files = try files(of: space)
        return Set(keys.flatMap { files.named[$0] ?? [] }).sorted().map { files.all[$0] }
    }

    /// Those of these files that nobody waits for.
    package func unneeded(among blobs: Set<BlobID>) throws -> [BlobID] {
        try blobs.sorted().filter { try file($0, isThumbnail: false)?.release.isUnneeded == true }
    }

    private func files(of space: SpaceID) throws -> Files {
        if let known = files[space] { return known }
        var found = Files()
        let all = try deletedFiles(of: space)
        let thumbnails = try Set(
            replica.store.files.named(Set(all.keys), in: space)
                .filter { $0.named.kind == .thumbnail }.map(\.named.blob))
        for (blob, deleted) in all.sorted(by: { $0.key < $1.key }) {
            guard let file = try file(blob, isThumbnail: thumbnails.contains(blob)) else {
                continue
            }
            for key in deleted.records { found.named[key, default: []].append(found.all.count) }
            found.all.append(file)
        }
        files[space] = found
        return found
    }

    private func file(_ blob: BlobID, isThumbnail: Bool) throws -> File? {
        let store = replica.store
        guard let stored = try store.files.blob(blob) else { return nil }
        let naming = try store.files.spaces(naming: blob)
        let held = try store.files.spaces(holding: blob)
        var release = FileRelease()
        release.isHere = stored.isPresent
        release.verifiedAt = stored.verifiedAt
        release.isBeingAdded =
            try !held.isSubset(of: naming)
            || store.ledgers.keys.contains { try unfinishedFiles(of: $0).contains(blob) }
        release.uses = try naming.map { try use(of: blob, in: $0) }
        return File(
            blob: blob, size: stored.size, isThumbnail: isThumbnail, freedAt: stored.freedAt,
            release: release)
    }

    private func use(of blob: BlobID, in space: SpaceID) throws -> FileRelease.Use {
        // A vault, or somebody who left, does not know what is deleted.
        guard replica.store.spaces.standing(of: space) == .active,
            replica.permissions(in: space).contains(.read),
            let file = try deletedFiles(of: space)[blob]
        else { return .kept }
        return .deleted(try file.deletions.map { try deletion($0, in: space) })
    }

    private func deletion(
        _ write: SurvivingWrite, in space: SpaceID
    ) throws -> FileRelease.Deletion {
        let state = try syncState(of: space)
        let own = replica.watermark(of: space)
        let arrival = try arrival(of: write.id.commit)
        // Of a group the deletion counts nowhere before its last commit is there.
        let sequence = max(write.sequence, arrival?.sequence ?? 0)
        let unheard = state.others.filter { device in
            guard let ack = state.acks[device] else { return true }
            return !ack.covers(write.log, sequence) || !own.covers(ack)
        }
        return FileRelease.Deletion(
            written: Milliseconds(UInt64(clamping: write.clock.milliseconds)),
            // A commit of which nothing is known keeps the file for good.
            received: try arrival.map { try reading(of: $0, in: space) } ?? Milliseconds(.max),
            unheard: unheard)
    }

    /// When this device could read a commit: a sealed one shows nothing before its key came.
    private func reading(
        of arrival: CommitArrival, in space: SpaceID
    ) throws -> Milliseconds {
        guard let epoch = arrival.epoch, let key = try key(of: epoch, in: space) else {
            return arrival.receivedAt
        }
        return max(arrival.receivedAt, key)
    }

    /// When the key of an epoch came, by the commits that may have brought it; nil if none of them is here.
    private func key(of epoch: CommitID, in space: SpaceID) throws -> Milliseconds? {
        if let known = keys[space]?[epoch] { return known }
        let giving = replica.store.ledger(of: space)?.membership.epochFacts
            .commits(giving: epoch, to: replica.local.device)
        let came = try giving?.compactMap { try self.arrival(of: $0)?.receivedAt }.min()
        keys[space, default: [:]].updateValue(came, forKey: epoch)
        return came
    }

    private func deletedFiles(of space: SpaceID) throws -> [BlobID: DeletedFile] {
        try replica.store.files.deleted(of: space)
    }

    private func unfinishedFiles(of space: SpaceID) throws -> Set<BlobID> {
        if let known = unfinished[space] { return known }
        let found = try replica.store.unfinished.all(in: space).values
            .reduce(into: Set<BlobID>()) { $0.formUnion($1.blobs) }
        unfinished[space] = found
        return found
    }

    private func syncState(of space: SpaceID) throws -> SpaceSyncState {
        if let known = states[space] { return known }
        let state = try replica.sync.state(of: space)
        states[space] = state
        return state
    }

    private func arrival(of commit: CommitID) throws -> CommitArrival? {
        if let known = arrivals[commit] { return known }
        let arrival = try replica.store.log.arrival(of: commit)
        arrivals.updateValue(arrival, forKey: commit)
        return arrival
    }
}
