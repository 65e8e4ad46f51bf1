import Device
internal import Encryption
internal import Logging
import Media
import Store
package import SyncCore
internal import Synchronization
internal import Wire

/// Serves peers the blobs that they may read.
final class BlobServing: Sendable {
    private let store: SyncStore
    private let files: BlobFiles
    private let connections: any BlobConnections
    /// Is told of everything that could not be written.
    private let node: AgentNode
    private let going: OutgoingFiles
    /// The requests that wait, by connection.
    private let serving = Mutex<[BulkID: AsyncStream<Want>.Continuation]>([:])

    init(_ node: AgentNode, _ media: MediaLibrary, _ connections: any BlobConnections) {
        (store, files, going) = (node.store, media.files, media.going)
        (self.connections, self.node) = (connections, node)
    }

    /// One task serves each connection, so that a slow peer delays no other.
    func serve(
        _ want: Want, on bulk: BulkID, in group: inout DiscardingTaskGroup
    ) {
        let device = connections.device(of: bulk)
        let queue = serving.withLock { serving in
            // Counted before the serving task can be done with it.
            if let device { going.began(want.blob, for: device, on: bulk) }
            return serving[bulk]
        }
        if let queue {
            // An honest peer has fewer requests open at a time.
            if case .dropped = queue.yield(want) { connections.close(bulk) }
            return
        }
        let (wants, input) = AsyncStream.makeStream(
            of: Want.self, bufferingPolicy: .bufferingOldest(Limits.wantsWaiting))
        serving.withLock { $0[bulk] = input }
        input.yield(want)
        connections.whenClosed(bulk) { [weak self] in self?.stopServing(bulk) }
        group.addTask {
            for await want in wants {
                let isOpen = await self.answer(want, on: bulk)
                self.going.ended(want.blob, on: bulk)
                guard isOpen else { break }
            }
            input.finish()
            self.serving.withLock { serving in
                serving[bulk] = nil
                self.going.closed(bulk)
            }
        }
    }

    /// Each connection's task ends once it has answered the waiting requests.
    func finish() {
        serving.withLock { $0.values.forEach { $0.finish() } }
    }

    /// The connection is gone: nobody waits for answers on it.
    private func stopServing(_ bulk: BulkID) {
        serving.withLock { $0.removeValue(forKey: bulk) }?.finish()
    }

    /// False when the connection is gone, or the peer asked for chunks that do not exist.
    private func answer(_ want: Want, on bulk: BulkID) async -> Bool {
        do {
            // A peer without rights in the space is refused after the same look at the store as one that
            // asks for a missing blob: the time of an answer does not reveal what another space holds.
            let rights = rights(in: want.space, bulk)
            let space = rights.mayHold ? want.space : .zero
            guard
                let kind = try servedKind(
                    of: want.blob, in: space, toReader: rights.contains(.read)),
                let list = try await chunkList(of: want.blob)
            else {
                return await connections.answer(Have(missing: want.request), on: bulk)
            }
            if want.list {
                let have = Have(
                    request: want.request, held: true, length: list.length,
                    chunkHashes: list.hashes)
                guard await connections.answer(have, on: bulk) else { return false }
            }
            return try await sendChunks(
                of: list, want, isThumbnail: kind == .thumbnail, on: bulk)
        } catch {
            node.logger.note(
                .error, .files, "not served", record: want.blob.logged,
                device: connections.device(of: bulk), details: ["why": .reason(error)])
            if LostBlobs.isLoss(error) { reportLoss(of: want.blob) }
            // It is here and cannot be read now: another word would be untrue, and everybody would call it lost. The peer
            // asks others meanwhile, and later again.
            if case BlobFilesError.noAccess = error { return true }
            return await connections.answer(Have(missing: want.request), on: bulk)
        }
    }

    private func sendChunks(
        of list: ChunkList, _ want: Want, isThumbnail: Bool, on bulk: BulkID
    ) async throws -> Bool {
        // An empty file has no chunk, and is requested like any other small one.
        guard want.chunkCount > 0, !list.hashes.isEmpty else { return true }
        let (end, overflow) = want.firstChunk.addingReportingOverflow(want.chunkCount)
        guard !overflow, Int(end) <= list.hashes.count else {
            connections.close(bulk)
            return false
        }
        let small = try store.files.smallContent(of: want.blob)
        for index in want.firstChunk..<end {
            // Membership may change while a large file is being sent.
            guard rights(in: want.space, bulk).mayHold else {
                return await connections.answer(Have(missing: want.request), on: bulk)
            }
            let bytes =
                if let small { small } else {
                    try await files.readChunk(want.blob, index: Int(index), verifying: list)
                }
            let chunk = ChunkPayload(requestID: want.request, index: index, data: bytes)
            guard await connections.send(chunk, isThumbnail: isThumbnail, on: bulk) else {
                return false
            }
            if let device = connections.device(of: bulk) {
                going.sent(bytes.count, of: want.blob, to: device)
            }
        }
        return true
    }

    /// The rights of the device at the other end, by the current membership.
    private func rights(in space: SpaceID, _ bulk: BulkID) -> Permissions {
        guard let device = connections.device(of: bulk) else { return [] }
        return store.ledger(of: space)?.membership.permissions(of: device) ?? []
    }

    /// A device that cannot read the space gets only encrypted files, no matter what commits name.
    private func servedKind(
        of blob: BlobID, in space: SpaceID, toReader: Bool
    ) throws -> NamedBlobKind? {
        guard let kind = try store.files.servedKind(of: blob, in: space, isSealed: !toReader) else {
            return nil
        }
        guard !toReader, let stored = try store.files.blob(blob) else { return kind }
        let isEncrypted = try AgeReader.isAgeFile(
            BlobInput(store: store, files: files, blob: blob, length: stored.size))
        return isEncrypted ? kind : nil
    }

    private func reportLoss(of blob: BlobID) {
        do {
            try LostBlobs(store: store, loop: node.loop, files: files).report([blob])
        } catch {
            node.storage.notWritten("file not kept", error, isAwaited: true)
        }
    }

    private func chunkList(of blob: BlobID) async throws -> ChunkList? {
        guard let stored = try store.files.blob(blob), stored.isPresent else { return nil }
        if let content = try store.files.smallContent(of: blob) {
            let list = try BlobHash.chunkList(of: content)
            guard list.blobID == blob else { throw BlobFilesError.corrupt(blob) }
            return list
        }
        // A peer with the list would ask for chunks in vain.
        try files.access.find(blob, bytes: stored.size)
        return try store.files.chunkList(of: blob)
    }
}

extension Have {
    /// The blob is not here, or not for this peer: the answer is the same.
    init(missing request: UInt32) {
        self.init(request: request, held: false, length: 0, chunkHashes: [])
    }
}

extension Limits {
    /// Requests of one bulk connection that wait for answers: twice the number a peer sends at once.
    package static let wantsWaiting = 2 * blobRequestsPerConnection
}
