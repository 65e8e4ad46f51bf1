/// Decides which blob to ask whom for, and what to do with what comes. Pure, like the engine it
/// belongs to. Requirements J7, J8; architecture section 8.
package struct TransferPlanner: Sendable {
    var fetches: [BlobID: BlobFetch] = [:]
    /// Blobs that wait, most wanted first.
    var queue: [BlobID] = []
    /// Blobs given up until the next connection.
    var stalled: [BlobID: BlobNeed] = [:]
    /// Blobs of several chunks whose list is here.
    var large: Set<BlobID> = []
    /// Blobs that wait for a time: after a failure, or because nobody had them.
    var paused: Set<BlobID> = []
    var bulks: [BulkID: BulkState] = [:]
    private var isQueueSorted = true
    var now: UInt64 = 0

    package init() {}

    func need(of blob: BlobID) -> BlobNeed? { fetches[blob]?.need ?? stalled[blob] }

    /// Blobs that are on their way, wait, or stalled; by space.
    package var needs: [BlobNeed] { fetches.values.map(\.need) + stalled.values }
    /// Blobs that failed three times and wait for the next connection.
    package var stalledBlobs: Set<BlobID> { Set(stalled.keys) }

    var isIdle: Bool { fetches.isEmpty }

    func device(of bulk: BulkID) -> DeviceID? { bulks[bulk]?.device }

    mutating func handle(_ event: EngineEvent, at instant: Instant) -> [EngineAction] {
        now = instant.monotonic
        switch event {
        case .blobsNeeded(let needs):
            needs.forEach { want($0) }
            return []
        case .bulkOpened(let bulk, let device):
            bulks[bulk] = BulkState(device: device)
            return []
        case .bulkClosed(let bulk): return close(bulk)
        case .bulkReceived(let bulk, let message): return receive(message, on: bulk)
        case .chunkReceived(let bulk, let request, let index, let bytes):
            return receive(bytes, request: request, index: Int(index), on: bulk)
        case .blobPrepared(let blob, let present): return prepared(blob, present)
        case .chunkWritten(let blob, let index, let valid, let bulk):
            return written(blob, index, valid, from: bulk)
        case .blobFinished(let blob):
            fetches[blob] = nil
            stalled[blob] = nil
            large.remove(blob)
            return []
        case .blobFailed(let blob): return retry(blob)
        default: return []
        }
    }

    private mutating func want(_ need: BlobNeed) {
        guard fetches[need.blob] == nil, stalled[need.blob] == nil else { return }
        fetches[need.blob] = BlobFetch(need: need)
        enqueue(need.blob)
    }

    mutating func enqueue(_ blob: BlobID) {
        queue.append(blob)
        isQueueSorted = false
    }

    /// Waiting blobs in the order they are wanted.
    mutating func sortedQueue() -> [BlobID] {
        if !isQueueSorted {
            let fetches = fetches
            queue.sort { left, right in
                guard let one = fetches[left], let other = fetches[right] else { return false }
                return (one.priority.0, one.priority.1, left)
                    < (other.priority.0, other.priority.1, right)
            }
            isQueueSorted = true
        }
        return queue
    }

    /// A device came back: what was given up is tried again, and it may hold more than before.
    mutating func peerReturned(_ device: DeviceID) {
        for blob in fetches.keys {
            fetches[blob]?.lacking[device] = nil
            fetches[blob]?.refusals = 0
        }
        retryStalled()
    }

    mutating func retryStalled() {
        let waiting = stalled.values
        stalled = [:]
        waiting.forEach { want($0) }
    }

    private mutating func receive(_ message: PeerMessage, on bulk: BulkID) -> [EngineAction] {
        switch message {
        case .have(let have): return receive(have, on: bulk)
        case .ping(let token): return [.sendBulk(bulk, .pong(token: token))]
        case .pong, .bye, .cancel, .unknown: return []
        default: return [.closeBulk(bulk)]
        }
    }

    private mutating func receive(_ have: Have, on bulk: BulkID) -> [EngineAction] {
        guard let request = bulks[bulk]?.requests[have.request] else { return [.closeBulk(bulk)] }
        guard case .list = request.kind else {
            // A holder that lost the blob between list and chunks.
            guard !have.held else { return [.closeBulk(bulk)] }
            bulks[bulk]?.requests[have.request] = nil
            return lacks(request.blob, bulk)
        }
        guard let fetch = fetches[request.blob], case .listing = fetch.stage else {
            bulks[bulk]?.requests[have.request] = nil
            return []
        }
        guard have.held else {
            bulks[bulk]?.requests[have.request] = nil
            return lacks(request.blob, bulk)
        }
        guard let list = try? ChunkList(length: have.length, hashes: have.chunkHashes),
            list.blobID == request.blob
        else { return [.closeBulk(bulk)] }
        return listed(list, fetch.need, request: have.request, on: bulk)
    }

    private mutating func listed(
        _ list: ChunkList, _ need: BlobNeed, request: UInt32, on bulk: BulkID
    ) -> [EngineAction] {
        switch list.hashes.count {
        case 0:
            bulks[bulk]?.requests[request] = nil
            fetches[need.blob]?.stage = .finishing
            return [.storeSmallBlob(need, list, bytes: [])]
        case 1:
            // Its only chunk follows in answer to the same request.
            bulks[bulk]?.requests[request]?.kind = .chunks(remaining: [0])
            fetches[need.blob]?.stage = .fetching(list, unasked: [], missing: [0])
            return []
        default:
            bulks[bulk]?.requests[request] = nil
            fetches[need.blob]?.stage = .preparing(list)
            return [.prepareBlob(need, list)]
        }
    }

    private mutating func lacks(_ blob: BlobID, _ bulk: BulkID) -> [EngineAction] {
        guard let device = bulks[bulk]?.device, fetches[blob] != nil else { return [] }
        let pause = Limits.blobLackingMilliseconds << UInt64(min(fetches[blob]?.refusals ?? 0, 4))
        fetches[blob]?.refusals += 1
        fetches[blob]?.lacking[device] = now + min(pause, Limits.blobRetryCapMilliseconds)
        fetches[blob]?.stage = .waiting
        paused.insert(blob)
        enqueue(blob)
        return []
    }

    private mutating func receive(
        _ bytes: [UInt8], request: UInt32, index: Int, on bulk: BulkID
    ) -> [EngineAction] {
        guard var pending = bulks[bulk]?.requests[request],
            case .chunks(var remaining) = pending.kind, remaining.remove(index) != nil
        else { return [.closeBulk(bulk)] }
        pending.kind = .chunks(remaining: remaining)
        pending.deadline = now + Limits.blobRequestMilliseconds
        bulks[bulk]?.requests[request] = remaining.isEmpty ? nil : pending
        guard let fetch = fetches[pending.blob],
            case .fetching(let list, _, let missing) = fetch.stage, missing.contains(index)
        else { return [] }
        guard list.hashes.count == 1 else {
            return [.writeChunk(pending.blob, index: index, bytes: bytes, from: bulk)]
        }
        guard bytes.count < Limits.smallBlobBytes else {
            return [
                .prepareBlob(fetch.need, list),
                .writeChunk(pending.blob, index: index, bytes: bytes, from: bulk),
            ]
        }
        guard list.verifies(bytes, asChunk: index) else {
            return [.closeBulk(bulk)] + retry(pending.blob)
        }
        fetches[pending.blob]?.stage = .finishing
        return [.storeSmallBlob(fetch.need, list, bytes: bytes)]
    }

    private mutating func prepared(_ blob: BlobID, _ present: Set<Int>) -> [EngineAction] {
        guard let fetch = fetches[blob], case .preparing(let list) = fetch.stage else { return [] }
        let missing = Set(list.hashes.indices).subtracting(present)
        guard !missing.isEmpty else {
            fetches[blob]?.stage = .finishing
            return [.finishBlob(fetch.need, list)]
        }
        fetches[blob]?.stage = .fetching(list, unasked: missing.sorted(), missing: missing)
        large.insert(blob)
        return []
    }

    private mutating func written(
        _ blob: BlobID, _ index: Int, _ valid: Bool, from bulk: BulkID
    ) -> [EngineAction] {
        guard let fetch = fetches[blob],
            case .fetching(let list, var unasked, var missing) = fetch.stage
        else { return valid ? [] : [.closeBulk(bulk)] }
        guard valid else {
            // A wrong chunk costs the peer its connection; the chunk is asked for again.
            if list.hashes.count == 1 { return [.closeBulk(bulk)] + retry(blob) }
            unasked.append(index)
            fetches[blob]?.stage = .fetching(list, unasked: unasked, missing: missing)
            return [.closeBulk(bulk)]
        }
        missing.remove(index)
        guard missing.isEmpty else {
            fetches[blob]?.stage = .fetching(list, unasked: unasked, missing: missing)
            return []
        }
        fetches[blob]?.stage = .finishing
        return [.finishBlob(fetch.need, list)]
    }

    /// Back to waiting, later each time; after the last try until a device comes back.
    mutating func retry(_ blob: BlobID) -> [EngineAction] {
        guard var fetch = fetches[blob] else { return [] }
        fetch.failures += 1
        fetch.stage = .waiting
        guard fetch.failures < Limits.blobTries else {
            fetches[blob] = nil
            large.remove(blob)
            stalled[blob] = fetch.need
            return [.blobStalled(fetch.need)]
        }
        fetch.notBefore = now + fetch.backoff()
        fetches[blob] = fetch
        large.remove(blob)
        paused.insert(blob)
        enqueue(blob)
        return []
    }

    private mutating func close(_ bulk: BulkID) -> [EngineAction] {
        guard let state = bulks.removeValue(forKey: bulk) else { return [] }
        var actions: [EngineAction] = []
        for request in state.requests.values {
            guard let fetch = fetches[request.blob] else { continue }
            switch (fetch.stage, request.kind) {
            case (.listing, .list): actions += retry(request.blob)
            case (.fetching(let list, var unasked, let missing), .chunks(let remaining)):
                if list.hashes.count == 1 {
                    actions += retry(request.blob)
                } else {
                    unasked.append(contentsOf: remaining.intersection(missing))
                    fetches[request.blob]?.stage = .fetching(
                        list, unasked: unasked.sorted(), missing: missing)
                }
            default: break
            }
        }
        return actions
    }
}
