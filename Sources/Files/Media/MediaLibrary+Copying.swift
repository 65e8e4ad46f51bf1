import Device
import Encryption
import LocalAPI
import Media
import Records
import Store
import SyncCore

/// Files that another space gets, too.
extension MediaLibrary {
    /// Has another space hold files that are here: as they lie here where it is not encrypted, and else encrypted for
    /// its key. Durable when it returns; what they are there, by what they were.
    func copy(
        _ named: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        var copies: [BlobID: NamedBlob] = [:]
        let isSealed = store.ledger(of: space)?.membership.isToBeSealed ?? false
        for start in stride(from: 0, to: named.count, by: Limits.filesCopiedAtOnce) {
            try Task.checkCancellation()
            let part = Array(named[start..<min(start + Limits.filesCopiedAtOnce, named.count)])
            if isSealed {
                try await copies.merge(encrypt(copying: part, to: space, meter)) { $1 }
            } else {
                try await hold(part.map(\.blob), in: space)
                meter.add(
                    files: part.count, bytes: part.reduce(0) { $0 + Int64(clamping: $1.size) })
                copies.merge(part.map { ($0.blob, $0) }) { $1 }
            }
        }
        return copies
    }

    private func hold(_ blobs: [BlobID], in space: SpaceID) async throws {
        let missing = try await store.offloaded { try $0.hold(blobs, in: space) }
        if let blob = missing.first { throw Failure.notHere(blob) }
        for blob in blobs {
            loop.post(.blobFinished(blob, in: try store.spaces(holding: blob)))
        }
    }

    /// The key of a file follows from what it is for people, so that is looked at first.
    private func encrypt(
        copying part: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        let contents = try await ArchiveExecutor.run { stopping in
            var contents: [(file: NamedBlob, input: CheckedInput)] = []
            for file in part { contents.append((file, try await content(of: file, stopping))) }
            return contents
        }
        let inputs = Dictionary(contents.map { ($0.input.list.blobID, $0) }) { first, _ in first }
        let plain = contents.map { file, input in
            NamedBlob(blob: input.list.blobID, size: input.length, kind: file.kind)
        }
        let made = try await encrypt(Array(Set(plain)), in: space, meter) { blob in
            guard let content = inputs[blob] else { throw BlobFilesError.notFound(blob) }
            return content.input
        } failed: { blob, error in
            guard BlobLoss.isLoss(error), let file = inputs[blob]?.file else { throw error }
            try await reportLoss(of: file.blob)
            throw Failure.notHere(file.blob)
        }
        return contents.reduce(into: [:]) { copies, content in
            copies[content.file.blob] = made[content.input.list.blobID].map {
                NamedBlob(blob: $0.blob, size: $0.size, kind: content.file.kind)
            }
        }
    }

    /// A file as people see it, with its hashes.
    private func content(
        of file: NamedBlob, _ stopping: CancellationFlag
    ) async throws -> CheckedInput {
        guard let stored = try store.blob(file.blob), stored.isPresent else {
            throw Failure.notHere(file.blob)
        }
        do {
            let (input, isDecrypted) = try plaintext(of: file.blob, bytes: stored.size)
            var hash = BlobHash()
            let size = UInt64(Limits.chunkBytes)
            for start in stride(from: 0, to: input.length, by: Int(size)) {
                guard !stopping.isStopped else { throw CancellationError() }
                try hash.update(try input.read(start..<min(start + size, input.length)))
            }
            let list = try hash.finish()
            guard isDecrypted || list.blobID == file.blob else {
                throw BlobFilesError.corrupt(file.blob)
            }
            return CheckedInput(
                input: input, list: list, fault: BlobFilesError.corrupt(file.blob))
        } catch  where BlobLoss.isLoss(error) {
            try await reportLoss(of: file.blob)
            throw Failure.notHere(file.blob)
        }
    }
}

extension Limits {
    /// Files that another space gets together: what a stop loses of the work.
    static let filesCopiedAtOnce = 256
}
