package import Device
internal import Glibc
package import Logging
package import Media
import Node
package import Store
package import SyncCore

/// Handles blobs that counted as present and are damaged or gone.
package struct LostBlobs: Sendable {
    let store: SyncStore
    let loop: EngineLoop
    private let files: BlobFiles
    private let hold: FreeingHold

    package init(
        store: SyncStore, loop: EngineLoop, files: BlobFiles, hold: FreeingHold = FreeingHold()
    ) {
        (self.store, self.loop, self.files, self.hold) = (store, loop, files, hold)
    }

    /// Whether an error means a loss, and not only that the disk is unreadable for now, or not readable for this user.
    static func isLoss(_ error: any Error) -> Bool {
        switch error {
        case BlobFilesError.corrupt, BlobFilesError.notFound, BlobFilesError.noSuchChunk,
            BlobFilesError.notRegularFile:
            true
        case BlobFilesError.system(_, let number): number == EIO || number == ELOOP
        default: false
        }
    }

    /// Marks blobs missing, tells other devices, and fetches them again. A damaged file stays where it is
    /// until a good copy replaces it. Nothing is reported while the folder of all files is not there: they are not
    /// lost, and fetching them would fill another disk.
    package func report(_ blobs: Set<BlobID>) throws {
        guard files.access.isThere else { return }
        let noted = try blobs.filter { try store.files.blob($0)?.isPresent == true }.sorted()
        guard !noted.isEmpty else { return }
        try store.files.markMissing(noted)
        try loop.fetch(blobs, inSpacesOf: noted, missingIn: store.files)
    }

    /// Misses files that are gone or cut off, among those with one of these first bytes, and counts those again that
    /// are back. Returns the largest of those, which are not read yet.
    func compare(beginning bytes: Set<UInt8>, now: Milliseconds) async throws -> Set<BlobID> {
        let gone = try await store.offloaded { [files] store in
            try store.files.present()
                .filter { bytes.contains($0.blob.bytes[0]) }
                .filter { files.access.isGone($0.blob, bytes: $0.size) }
                .map(\.blob)
        }
        try report(Set(gone))
        return try await findAgain(beginning: bytes, now: now)
    }

    /// Has files count again that count as missing or freed and lie whole on the disk, among those with one of these
    /// first bytes. Somebody put them back, or this user may read them again. Returns the largest, which are not read
    /// yet.
    func findAgain(
        beginning bytes: Set<UInt8> = Set(UInt8.min...UInt8.max), now: Milliseconds
    ) async throws -> Set<BlobID> {
        let absent = try await absent().filter { bytes.contains($0.bytes[0]) }
        var soon: [BlobID] = []
        var room = Limits.bytesFoundAtOnce
        for (blob, size) in absent.map({ ($0, files.length(of: $0) ?? 0) }) where size <= room {
            room -= size
            soon.append(blob)
        }
        try await findAgain(soon, now: now)
        return Set(absent).subtracting(soon)
    }

    /// The same for all; returns once all are read.
    func findAll(now: Milliseconds) async throws { try await findAgain(absent(), now: now) }

    /// The same for these blobs; returns those found.
    @discardableResult
    package func findAgain(_ blobs: [BlobID], now: Milliseconds) async throws -> [BlobID] {
        let device = loop.inspect { $0.device }
        var found: [BlobID] = []
        for blob in try await here(among: blobs) where !Task.isCancelled {
            let list: ChunkList
            do throws(BlobFilesError) {
                list = try await files.verify(blob)
            } catch {
                // Damaged or unreadable: another copy will replace it.
                continue
            }
            try await files.discardPartial(blob)
            try store.files.markFound([(blob, list)], namedBy: device, now: now)
            loop.post(.blobFinished(blob, in: try store.files.spaces(holding: blob)))
            found.append(blob)
        }
        return found
    }

    /// The blobs that count as missing, or were freed: somebody may have put those back, too, or they were not removed
    /// in time.
    private func absent() async throws -> [BlobID] {
        try await store.offloaded { store in
            let missing = try store.ledgers.keys.flatMap { try store.files.missing(of: $0) }
            return try Set(missing.map(\.blob) + store.freedFiles.all()).sorted()
        }
    }

    /// Those of these blobs that do not count as present and have a file on the disk that nobody is noting or removing
    /// just now.
    private func here(among blobs: [BlobID]) async throws -> [BlobID] {
        let settling = loop.inspect { $0.settlingBlobs }
        return try await store.offloaded { [files, hold] store in
            let here = try blobs.compactMap { blob -> (BlobID, Bool)? in
                let stored = try store.files.blob(blob)
                let isHere = !settling.contains(blob) && files.length(of: blob) != nil
                return isHere && stored?.isPresent != true ? (blob, stored?.isFreed == true) : nil
            }
            // Asked last: if nothing is being freed, files that were read as freed before are removed by now.
            let isFreeing = hold.isFreeing
            return here.filter { !$1 || !isFreeing }.map(\.0)
        }
    }

    /// Compares what is noted with the names and sizes of the files, as somebody may have touched them:
    /// what is gone is fetched again, and what was put back counts. With a pause so many files are asked
    /// for at a time. An end midway loses no finding.
    package func compare(
        clock: AgentClock, logger: Logger, pausing pause: Duration = .zero
    ) async throws {
        guard files.access.isThere else {
            logger.note(.warning, .files, "the folder of the files is not there")
            return
        }
        try await missGone(logger, pausing: pause)
        for blob in try await findAgain(absent(), now: clock.wall) {
            logger.note(.info, .files, "file is back", record: blob.logged)
        }
    }

    private func missGone(_ logger: Logger, pausing pause: Duration) async throws {
        let present = try await store.offloaded { try $0.files.present() }
        var count = 0
        // Also after an end midway.
        defer {
            if count > 0 {
                logger.note(
                    .warning, .files, "files gone or cut off", details: ["files": "\(count)"])
            }
        }
        for start in stride(from: 0, to: present.count, by: Limits.filesComparedAtOnce) {
            let part = present[start..<min(start + Limits.filesComparedAtOnce, present.count)]
            let gone = try await store.offloaded { [files] _ in
                part.filter { files.access.isGone($0.blob, bytes: $0.size) }.map(\.blob)
            }
            if !gone.isEmpty {
                try report(Set(gone))
                count += gone.count
            }
            if pause > .zero { try await Task.sleep(for: pause) }
        }
    }
}

extension EngineLoop {
    /// Has the engine fetch those of some blobs that are missing, in each space that names one of `named`.
    func fetch(
        _ blobs: Set<BlobID>, inSpacesOf named: some Sequence<BlobID>, missingIn files: StoredFiles
    ) throws {
        for space in Set(try named.flatMap { try files.spaces(naming: $0) }).sorted() {
            let missing = try files.missing(of: space).filter { blobs.contains($0.blob) }
            post(.blobsNeeded(missing.map { BlobNeed($0, in: space) }))
        }
    }
}

extension Limits {
    /// Files whose sizes are compared before the pause of a slow round: some milliseconds.
    package static let filesComparedAtOnce = 200
    /// Bytes of files put back that are hashed before an answer that waits for it: a quarter of a second.
    static let bytesFoundAtOnce: UInt64 = 64 << 20
}
