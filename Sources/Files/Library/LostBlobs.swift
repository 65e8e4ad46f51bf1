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

    package init(store: SyncStore, loop: EngineLoop, files: BlobFiles) {
        (self.store, self.loop, self.files) = (store, loop, files)
    }

    /// Whether an error means a loss, and not only that the disk is unreadable for now.
    static func isLoss(_ error: any Error) -> Bool {
        switch error {
        case BlobFilesError.corrupt, BlobFilesError.notFound, BlobFilesError.noSuchChunk,
            BlobFilesError.notRegularFile:
            true
        case BlobFilesError.system(_, let number): [EIO, EACCES, EPERM, ELOOP].contains(number)
        default: false
        }
    }

    /// Marks blobs missing, tells other devices, and fetches them again. A damaged file stays where it is
    /// until a good copy replaces it. Nothing is reported while the folder of all files is not there: they are not
    /// lost, and fetching them would fill another disk.
    package func report(_ blobs: Set<BlobID>) throws {
        guard files.isThere else { return }
        let noted = try blobs.filter { try store.files.blob($0)?.isPresent == true }.sorted()
        guard !noted.isEmpty else { return }
        try store.files.markMissing(noted)
        for space in Set(try noted.flatMap { try store.files.spaces(naming: $0) }).sorted() {
            let needs = try store.files.missing(of: space).filter { blobs.contains($0.blob) }
            loop.post(.blobsNeeded(needs.map { BlobNeed($0, in: space) }))
        }
    }

    /// Misses files that are gone or cut off, among those with one of these first bytes.
    func compare(beginning bytes: Set<UInt8>) async throws {
        let gone = try await store.offloaded { [files] store in
            try store.files.present()
                .filter { bytes.contains($0.blob.bytes[0]) && files.length(of: $0.blob) != $0.size }
                .map(\.blob)
        }
        try report(Set(gone))
    }

    /// Compares what is noted with the names and sizes of the files, as somebody may have touched them:
    /// what is gone is fetched again, and what was put back counts. With a pause so many files are asked
    /// for at a time.
    package func compare(
        of device: DeviceID, clock: AgentClock, logger: Logger, pausing pause: Duration = .zero
    ) async throws {
        guard files.isThere else {
            logger.note(.warning, .files, "the folder of the files is not there")
            return
        }
        let present = try await store.offloaded { try $0.files.present() }
        var gone: Set<BlobID> = []
        for start in stride(from: 0, to: present.count, by: Limits.filesComparedAtOnce) {
            let part = present[start..<min(start + Limits.filesComparedAtOnce, present.count)]
            gone.formUnion(
                try await store.offloaded { [files] _ in
                    part.filter { files.length(of: $0.blob) != $0.size }.map(\.blob)
                })
            if pause > .zero { try await Task.sleep(for: pause) }
        }
        let back = try await store.offloaded { [files] store in
            let missing = try store.ledgers.keys.flatMap { try store.files.missing(of: $0) }
            // Also what was freed: somebody put it back, or it was not removed in time.
            return try Set(missing.map(\.blob) + store.files.freed()).filter {
                try files.length(of: $0) != nil && store.files.blob($0)?.isPresent != true
            }.sorted()
        }
        if !gone.isEmpty {
            logger.note(
                .warning, .files, "files gone or cut off", details: ["files": "\(gone.count)"])
            try report(gone)
        }
        for blob in back where !Task.isCancelled {
            let list: ChunkList
            do throws(BlobFilesError) {
                list = try await files.verify(blob)
            } catch {
                // Damaged or unreadable: another copy will replace it.
                continue
            }
            try await files.discardPartial(blob)
            try store.files.markFound([(blob, list)], namedBy: device, now: clock.wall)
            loop.post(.blobFinished(blob, in: try store.files.spaces(holding: blob)))
            logger.note(.info, .files, "file is back", record: blob.logged)
        }
    }
}

extension Limits {
    /// Files whose sizes are compared before the pause of a slow round: some milliseconds.
    static let filesComparedAtOnce = 200
}
