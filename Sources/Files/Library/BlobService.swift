package import Device
internal import Logging
import Media
import Store
package import SyncCore
internal import Synchronization
internal import Wire

/// Moves blobs between the engine, the files and the network: verifies and writes arriving chunks, and makes
/// finished blobs durable in batches. ``BlobServing`` answers the requests of peers.
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
    private let serving: BlobServing
    private let jobs: AsyncStream<Job>
    private let jobInput: AsyncStream<Job>.Continuation
    private let finishing: AsyncStream<Void>
    private let finishSignal: AsyncStream<Void>.Continuation
    private let finished = Mutex(Finished())
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
        let forgone = ForgoneFiles(node)
        room = FreeSpaceMonitor(
            hasRoom: { files.hasRoom(for: $0) },
            // Without room for one large file the disk counts as full only while that file is wanted.
            stillFull: {
                var awaited = loop.inspect { $0.unfitBlobs }
                do {
                    awaited.subtract(
                        try await node.store.offloaded { [awaited] _ in
                            try forgone.giveUp(among: awaited)
                        })
                } catch {
                    node.storage.notWritten("unneeded files not given up", error)
                }
                node.storage.noteDisk(
                    isFull: !awaited.isEmpty || !files.hasRoom(for: UInt64(Limits.commitBytes)))
            },
            roomReturned: {
                do {
                    try forgone.wantAgain()
                } catch {
                    node.storage.notWritten("files given up not wanted again", error)
                }
                node.roomReturned()
            })
        (store, self.files, self.loop) = (node.store, files, loop)
        (clock, logger) = (node.clock, node.logger)
        (self.connections, self.node) = (connections, node)
        serving = BlobServing(node, media, connections)
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
                case .serve(let bulk, let want): serving.serve(want, on: bulk, in: &group)
                default: break
                }
            }
            serving.finish()
        }
    }

    // MARK: Coming

    private func prepare(_ need: BlobNeed, _ list: ChunkList) async {
        do {
            // The only chunk of a smaller file has arrived already, and is simply written again.
            if list.hashes.count > 1, try store.files.blob(need.blob)?.isPresent != true,
                await files.hasFinished(list)
            {
                try store.files.markFound(
                    [(need.blob, list)], namedBy: node.identity.deviceID, now: clock.wall)
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
        node.storage.notWritten("file not kept", error, isAwaited: true)
    }
}
