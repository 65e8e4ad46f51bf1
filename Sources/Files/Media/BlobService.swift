package import Device
internal import Encryption
internal import Logging
import Media
import Store
package import SyncCore
internal import Synchronization
internal import Wire

/// Moves blobs between the engine, the files and the network: verifies and writes arriving chunks, makes
/// finished blobs durable in batches, and serves peers the blobs that they may read.
package final class BlobService: Sendable {
    private let store: SyncStore
    private let files: BlobFiles
    private let loop: EngineLoop
    private let clock: AgentClock
    private let logger: Logger
    private let connections: any BlobConnections
    /// Told of everything that could not be kept.
    private let node: AgentNode
    private let room: FreeSpaceMonitor
    private let going: OutgoingFiles
    private let jobs: AsyncStream<Job>
    private let jobInput: AsyncStream<Job>.Continuation
    private let finishing: AsyncStream<Void>
    private let finishSignal: AsyncStream<Void>.Continuation
    private let finished = Mutex(Finished())
    private let serving = Mutex<[BulkID: AsyncStream<Want>.Continuation]>([:])
    private let device: DeviceID
    private let incoming = Mutex<[BlobID: Incoming]>([:])

    /// A request of the engine, and the function to call when it is done.
    private struct Job: Sendable {
        let action: EngineAction
        let ended: @Sendable () -> Void
    }

    /// A file whose chunks are arriving.
    private struct Incoming {
        let list: ChunkList
        let space: SpaceID
        /// Nil when another space holds the bytes. The chunks are checked all the same, as the file counts
        /// for this space only once it came here, but they are not written again.
        let partial: PartialBlob?
        /// Set when another space fetched it before: chunks on the disk did not come in this space.
        var isAgain = false
    }

    /// Blobs that wait to become durable.
    private struct Finished {
        var files: [(need: BlobNeed, list: ChunkList)] = []
        var small: [(need: BlobNeed, list: ChunkList, bytes: [UInt8])] = []

        var isEmpty: Bool { files.isEmpty && small.isEmpty }
        var smallBytes: UInt64 { small.reduce(0) { $0 + $1.list.length } }
        var blobs: [BlobID] { files.map(\.need.blob) + small.map(\.need.blob) }
        var bytes: [(BlobID, UInt64)] {
            files.map { ($0.need.blob, $0.list.length) }
                + small.map { ($0.need.blob, $0.list.length) }
        }
        var single: [Finished] {
            files.map { Finished(files: [$0]) } + small.map { Finished(small: [$0]) }
        }
    }

    package init(_ node: AgentNode, _ media: MediaLibrary, _ connections: any BlobConnections) {
        let (files, loop) = (media.files, node.loop)
        room = FreeSpaceMonitor(
            hasRoom: { files.hasRoom(for: $0) },
            // A disk without room for one large file, which may be unwanted by now, does not count as full.
            stillFull: { node.noteDisk(isFull: !files.hasRoom(for: UInt64(Limits.commitBytes))) },
            roomReturned: { node.roomReturned() })
        (store, self.files, self.loop) = (node.store, files, loop)
        (clock, logger, device) = (node.clock, node.logger, node.identity.deviceID)
        (going, self.connections, self.node) = (media.going, connections, node)
        (jobs, jobInput) = AsyncStream.makeStream()
        (finishing, finishSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func perform(_ action: EngineAction) {
        var ended: @Sendable () -> Void = {}
        if case .writeChunk(_, _, _, let bulk) = action { ended = connections.beganWriting(bulk) }
        if case .terminated = jobInput.yield(Job(action: action, ended: ended)) { ended() }
    }

    /// The disk was too full for something other than a file: checks from time to time whether it still is.
    package func awaitRoom() {
        room.lacked(UInt64(Limits.commitBytes))
    }

    package func finish() {
        room.finish()
        jobInput.finish()
        finishSignal.finish()
    }

    /// The connection is gone: nobody waits for answers on it.
    private func stopServing(_ bulk: BulkID) {
        serving.withLock { $0.removeValue(forKey: bulk) }?.finish()
    }

    /// Works until ``finish()``.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.makeDurable() }
            for await job in jobs {
                switch job.action {
                case .prepareBlob(let need, let list):
                    // Existing parts of a large file are hashed beside other jobs; the only chunk of a
                    // small file follows at once.
                    if list.hashes.count > 1 {
                        group.addTask { await self.prepare(need, list) }
                    } else {
                        await prepare(need, list)
                    }
                case .blobStalled(let need): incoming.withLock { $0[need.blob] = nil }
                case .writeChunk(let blob, let index, let bytes, let bulk):
                    group.addTask {
                        await self.write(bytes, blob, index, from: bulk)
                        job.ended()
                    }
                case .storeSmallBlob(let need, let list, let bytes):
                    finished.withLock { $0.small.append((need, list, bytes)) }
                    finishSignal.yield()
                case .finishBlob(let need, let list):
                    finished.withLock { $0.files.append((need, list)) }
                    finishSignal.yield()
                case .serve(let bulk, let want): serve(want, on: bulk, in: &group)
                default: break
                }
            }
            serving.withLock { $0.values.forEach { $0.finish() } }
        }
    }

    // MARK: Coming

    private func prepare(_ need: BlobNeed, _ list: ChunkList) async {
        do {
            // The only chunk of a smaller file has arrived already, and is simply written again.
            if list.hashes.count > 1, try store.files.blob(need.blob)?.isPresent != true,
                await files.hasFinished(list)
            {
                try store.files.markFound([(need.blob, list)], namedBy: device, now: clock.wall)
            }
            let holders = try store.files.spaces(holding: need.blob)
            guard !holders.contains(need.space) else {
                loop.post(.blobFinished(need.blob, in: holders))
                return
            }
            let isHere = try store.files.blob(need.blob)?.isPresent == true
            let partial = isHere ? nil : try await files.openPartial(list)
            let isAgain = incoming.withLock { incoming in
                let before = incoming[need.blob]
                let isAgain = before.map { $0.isAgain || $0.space != need.space } ?? false
                incoming[need.blob] = Incoming(
                    list: list, space: need.space, partial: partial, isAgain: isAgain)
                return isAgain
            }
            let present = isAgain ? [] : partial?.verifiedChunks ?? []
            loop.post(.blobPrepared(need.blob, present: present))
        } catch {
            failed(need.blob, error, bytes: list.length)
        }
    }

    private func write(_ bytes: [UInt8], _ blob: BlobID, _ index: Int, from bulk: BulkID) async {
        guard let file = incoming.withLock({ $0[blob] }) else {
            loop.post(.blobFailed(blob))
            return
        }
        do throws(BlobFilesError) {
            if file.isAgain || file.partial == nil {
                guard file.list.verifies(bytes, asChunk: index) else { throw .wrongChunk(index) }
            }
            try await file.partial?.write(bytes, chunk: index)
            loop.post(.chunkWritten(blob, index: index, valid: true, from: bulk))
        } catch .wrongChunk {
            let device = connections.device(of: bulk)
            logger.note(
                .warning, .files, "wrong chunk", record: blob.logged, device: device,
                details: ["chunk": "\(index)"])
            connections.noteError(of: device)
            connections.noteMisbehaviour(of: device)
            loop.post(.chunkWritten(blob, index: index, valid: false, from: bulk))
        } catch {
            connections.noteError(of: connections.device(of: bulk))
            failed(blob, error, bytes: file.list.length)
        }
    }

    /// Blobs that finish while a batch is being made durable form the next batch.
    private func makeDurable() async {
        for await _ in finishing {
            let batch = finished.withLock { finished in
                defer { finished = Finished() }
                return finished
            }
            guard !batch.isEmpty else { continue }
            do {
                try await keep(batch)
            } catch BlobFilesError.incomplete {
                // A file that vanished does not fail the others.
                for one in batch.single {
                    do {
                        try await keep(one)
                    } catch {
                        one.bytes.forEach { failed($0, error, bytes: $1) }
                    }
                }
            } catch {
                batch.bytes.forEach { failed($0, error, bytes: $1) }
            }
        }
    }

    private func keep(_ batch: Finished) async throws {
        // Large files have reserved their room; small ones must not use up the database's.
        if !batch.small.isEmpty { try files.requireRoom(for: batch.smallBytes) }
        let isHere = incoming.withLock { incoming in
            Set(batch.files.map(\.need.blob).filter { incoming[$0]?.partial == nil })
        }
        let written = batch.files.filter { !isHere.contains($0.need.blob) }
        try await files.commit(written.map(\.need.blob))
        try await record(written, batch.small)
        for (need, _) in batch.files where isHere.contains(need.blob) {
            guard try store.files.hold([need.blob], in: need.space).isEmpty else {
                throw BlobFilesError.incomplete(need.blob)
            }
        }
        for blob in batch.blobs {
            incoming.withLock { $0[blob] = nil }
            logger.note(.debug, .files, "finished", record: blob.logged)
            loop.post(.blobFinished(blob, in: try store.files.spaces(holding: blob)))
        }
    }

    private func record(
        _ files: [(need: BlobNeed, list: ChunkList)],
        _ small: [(need: BlobNeed, list: ChunkList, bytes: [UInt8])]
    ) async throws {
        let now = clock.wall
        try await store.offloaded { store in
            // Each transaction waits for the disk, so all blobs of a space share one.
            for (space, files) in Dictionary(grouping: files, by: \.need.space) {
                try store.files.markPresent(
                    files.map { ($0.need.blob, $0.list) }, in: space, now: now)
            }
            for (space, small) in Dictionary(grouping: small, by: \.need.space) {
                try store.files.storeSmall(
                    small.map { ($0.need.blob, $0.bytes) }, in: space, now: now)
            }
        }
    }

    private func failed(_ blob: BlobID, _ error: any Error, bytes: UInt64) {
        logger.note(
            .error, .files, "not kept", record: blob.logged, details: ["why": .reason(error)])
        notKept(error)
        // The next attempt looks again at the files.
        incoming.withLock { $0[blob] = nil }
        switch error {
        case BlobFilesError.diskFull, StoreError.diskFull:
            room.lacked(bytes)
            loop.post(.blobDidNotFit(blob, bytes: bytes))
        default: loop.post(.blobFailed(blob))
        }
    }

    private func notKept(_ error: any Error) {
        node.notWritten("file not kept", error, isAwaited: true)
    }

    // MARK: Going

    /// One task serves each connection, so that a slow peer delays no other.
    private func serve(
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

    /// False when the connection is gone, or the peer asked for chunks that do not exist.
    private func answer(_ want: Want, on bulk: BulkID) async -> Bool {
        do {
            // A peer without rights in the space is refused after the same look at the store as one that
            // asks for a missing blob: the time of an answer does not reveal what another space holds.
            let rights = rights(in: want.space, bulk)
            let space = rights.mayHold ? want.space : .zero
            guard try serves(want.blob, in: space, toReader: rights.contains(.read)),
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
            return try await sendChunks(of: list, want, on: bulk)
        } catch {
            logger.note(
                .error, .files, "not served", record: want.blob.logged,
                device: connections.device(of: bulk), details: ["why": .reason(error)])
            if BlobLoss.isLoss(error) { reportLoss(of: want.blob) }
            return await connections.answer(Have(missing: want.request), on: bulk)
        }
    }

    private func sendChunks(
        of list: ChunkList, _ want: Want, on bulk: BulkID
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
            guard await connections.send(chunk, on: bulk) else { return false }
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
    private func serves(
        _ blob: BlobID, in space: SpaceID, toReader: Bool
    ) throws -> Bool {
        guard try store.files.serves(blob, in: space, isSealed: !toReader) else { return false }
        guard !toReader, let stored = try store.files.blob(blob) else { return true }
        return try AgeReader.isAgeFile(
            BlobInput(store: store, files: files, blob: blob, length: stored.size))
    }

    private func reportLoss(of blob: BlobID) {
        do {
            try BlobLoss(store: store, loop: loop).report([blob])
        } catch {
            notKept(error)
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
        guard files.length(of: blob) == stored.size else { throw BlobFilesError.notFound(blob) }
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
