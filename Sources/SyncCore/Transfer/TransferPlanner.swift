/// Decides which blob to ask whom for, and what to do with what comes. Pure, like the engine it
/// belongs to. Requirements J7, J8; architecture section 8.
package struct TransferPlanner: Sendable {
    var fetches: [BlobID: BlobFetch] = [:]
    /// Blobs that wait, most wanted first.
    var queue: [BlobID] = []
    /// Blobs given up until the next connection, a request to sync, room on the disk, or for some
    /// minutes.
    var stalled: [BlobID: BlobNeed] = [:]
    /// Further spaces that name a wanted blob: whoever shares one of them may be asked.
    var alsoNamed: [BlobID: Set<SpaceID>] = [:]
    /// Blobs of several chunks whose list is here.
    package internal(set) var large: Set<BlobID> = []
    /// Blobs that wait for a time: after a failure, or because nobody had them.
    package internal(set) var paused: Set<BlobID> = []
    package internal(set) var bulks: [BulkID: BulkState] = [:]
    /// Bytes of the smallest blob that did not fit on the disk: larger ones are not asked for.
    private var tooLarge: UInt64?
    /// Those of the stalled blobs that wait for room on the disk.
    private(set) var unfit: Set<BlobID> = []
    private var isQueueSorted = true
    var now: UInt64 = 0

    package init() {}

    /// The spaces that name a wanted blob.
    package func spaces(naming blob: BlobID) -> Set<SpaceID> {
        guard let need = fetches[blob]?.need ?? stalled[blob] else { return [] }
        return (alsoNamed[blob] ?? []).union([need.space])
    }

    /// Blobs that are on their way, wait, or stalled; by space.
    package var needs: [BlobNeed] { fetches.values.map(\.need) + stalled.values }
    /// Blobs that failed three times and wait for the next connection.
    package var stalledBlobs: Set<BlobID> { Set(stalled.keys) }

    /// Whether no blob is on its way or waits.
    package var isIdle: Bool { fetches.isEmpty }

    func device(of bulk: BulkID) -> DeviceID? { bulks[bulk]?.device }

    /// Takes what concerns blobs and returns what it leads to at once; the requests that become
    /// possible are asked for with `nextActions`.
    package mutating func handle(_ event: EngineEvent, at instant: Instant) -> [EngineAction] {
        now = instant.monotonic
        switch event {
        case .blobsNeeded(let needs):
            needs.forEach { want($0) }
            return []
        case .blobsUnneeded(let space):
            forget(space)
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
            unfit.remove(blob)
            alsoNamed[blob] = nil
            large.remove(blob)
            paused.remove(blob)
            return []
        case .blobFailed(let blob): return retry(blob)
        case .blobDidNotFit(let blob, let bytes): return stall(blob, whereTooLarge: bytes)
        case .roomReturned:
            retryStalled()
            return []
        default: return []
        }
    }

    private mutating func want(_ need: BlobNeed) {
        if let known = fetches[need.blob]?.need ?? stalled[need.blob] {
            if known.space != need.space {
                alsoNamed[need.blob, default: []].insert(need.space)
            }
            return
        }
        guard need.size < tooLarge ?? .max else {
            stalled[need.blob] = need
            unfit.insert(need.blob)
            return
        }
        fetches[need.blob] = BlobFetch(need: need)
        enqueue(need.blob)
    }

    /// Blobs of a space that wait are not wanted any more, but in another space that names them.
    private mutating func forget(_ space: SpaceID) {
        for (blob, spaces) in alsoNamed { alsoNamed[blob] = spaces.subtracting([space]) }
        let waiting = fetches.values.filter(\.isWaiting).map(\.need) + stalled.values
        for need in waiting where need.space == space {
            (fetches[need.blob], stalled[need.blob]) = (nil, nil)
            unfit.remove(need.blob)
            paused.remove(need.blob)
            large.remove(need.blob)
            isQueueSorted = false
            let others = (alsoNamed.removeValue(forKey: need.blob) ?? []).sorted()
            for other in others {
                want(BlobNeed(blob: need.blob, space: other, size: need.size, kind: need.kind))
            }
        }
    }

    /// A blob did not fit: it waits, and with it all that are not smaller and not yet on their way.
    /// What it takes up is what its list says; a commit may claim anything.
    private mutating func stall(
        _ blob: BlobID, whereTooLarge bytes: UInt64
    ) -> [EngineAction] {
        let limit = min(tooLarge ?? .max, bytes)
        tooLarge = limit
        let waiting = fetches.filter { $0.value.isWaiting && $0.value.need.size >= limit }.keys
        unfit.formUnion(waiting)
        unfit.insert(blob)
        return (Set(waiting).union([blob])).sorted().flatMap { giveUp($0) }
    }

    private mutating func giveUp(_ blob: BlobID) -> [EngineAction] {
        guard let fetch = fetches.removeValue(forKey: blob) else { return [] }
        large.remove(blob)
        paused.remove(blob)
        stalled[blob] = fetch.need
        return [.blobStalled(fetch.need)]
    }

    mutating func enqueue(_ blob: BlobID) {
        queue.append(blob)
        isQueueSorted = false
    }

    /// Waiting blobs in the order they are wanted.
    mutating func sortedQueue() -> [BlobID] {
        if !isQueueSorted {
            let fetches = fetches
            queue.removeAll { fetches[$0]?.isWaiting != true }
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
    package mutating func peerReturned(_ device: DeviceID) {
        for blob in fetches.keys {
            fetches[blob]?.forgetRefusals(of: device)
        }
        retryStalled()
    }

    mutating func retryStalled() {
        tooLarge = nil
        unfit = []
        let waiting = stalled.values
        stalled = [:]
        waiting.forEach { want($0) }
    }

    /// What failed is tried again; what waits for room on the disk goes on waiting.
    mutating func retryFailed() {
        for need in stalled.values where !unfit.contains(need.blob) {
            stalled[need.blob] = nil
            want(need)
        }
    }

    private mutating func receive(_ message: PeerMessage, on bulk: BulkID) -> [EngineAction] {
        guard bulks[bulk]?.isClosing == false else { return [] }
        switch message {
        case .have(let have): return receive(have, on: bulk)
        case .ping(let token): return [.sendBulk(bulk, .pong(token: token))]
        case .pong, .bye, .cancel, .condition, .unknown: return []
        default: return hangUp(bulk)
        }
    }

    /// Closes a connection that broke the protocol or is stuck. What it was asked for is asked
    /// again when the shell says that it is closed.
    mutating func hangUp(_ bulk: BulkID) -> [EngineAction] {
        bulks[bulk]?.isClosing = true
        return [.closeBulk(bulk)]
    }

    mutating func noteProgress(on bulk: BulkID) {
        bulks[bulk]?.deadline = now + Limits.blobRequestMilliseconds
    }

    private mutating func receive(_ have: Have, on bulk: BulkID) -> [EngineAction] {
        guard let request = bulks[bulk]?.requests[have.request] else { return hangUp(bulk) }
        noteProgress(on: bulk)
        guard case .list(let withChunk) = request.kind else {
            // A holder that lost the blob between list and chunks.
            guard !have.held else { return hangUp(bulk) }
            bulks[bulk]?.requests[have.request] = nil
            return lacks(request, bulk)
        }
        let chunkFollows = withChunk && have.held && !have.chunkHashes.isEmpty
        if chunkFollows {
            bulks[bulk]?.requests[have.request]?.kind = .chunks(remaining: [0])
        } else {
            bulks[bulk]?.requests[have.request] = nil
        }
        guard let fetch = fetches[request.blob], case .listing = fetch.stage else { return [] }
        guard have.held else { return lacks(request, bulk) }
        guard let list = try? ChunkList(length: have.length, hashes: have.chunkHashes),
            list.blobID == request.blob
        else {
            avoid(bulk, for: request.blob)
            return hangUp(bulk) + retry(request.blob)
        }
        return listed(list, fetch.need, chunkFollows: chunkFollows)
    }

    /// The list decides how many chunks there are, whatever size the naming commit gave.
    private mutating func listed(
        _ list: ChunkList, _ need: BlobNeed, chunkFollows: Bool
    ) -> [EngineAction] {
        switch list.hashes.count {
        case 0:
            fetches[need.blob]?.stage = .finishing
            return [.storeSmallBlob(need, list, bytes: [])]
        case 1:
            // Its only chunk follows in answer to the same request, or is asked for now.
            fetches[need.blob]?.stage = .fetching(
                list, unasked: chunkFollows ? [] : [0], missing: [0])
            if !chunkFollows { large.insert(need.blob) }
            return []
        default:
            fetches[need.blob]?.stage = .preparing(list)
            return [.prepareBlob(need, list)]
        }
    }

    /// A device is not asked for a blob for a while, longer each time; without a space in none.
    private mutating func avoid(_ bulk: BulkID, for blob: BlobID, in space: SpaceID? = nil) {
        guard let device = bulks[bulk]?.device, fetches[blob] != nil else { return }
        let pause = Limits.blobLackingMilliseconds << UInt64(min(fetches[blob]?.refusals ?? 0, 4))
        fetches[blob]?.refusals += 1
        fetches[blob]?.lacking[BlobFetch.Source(device: device, space: space)] =
            now + min(pause, Limits.blobRetryCapMilliseconds)
        paused.insert(blob)
    }

    private mutating func lacks(_ request: BlobRequest, _ bulk: BulkID) -> [EngineAction] {
        let blob = request.blob
        avoid(bulk, for: blob, in: request.space)
        switch (fetches[blob]?.stage, request.kind) {
        case (.fetching(let list, let unasked, let missing), .chunks(let remaining))
        where list.hashes.count > 1:
            // Others go on with the chunks that this device has not sent.
            fetches[blob]?.stage = .fetching(
                list, unasked: Set(unasked).union(remaining.intersection(missing)).sorted(),
                missing: missing)
        case (.fetching, .chunks), (.listing, .list):
            fetches[blob]?.stage = .waiting
            large.remove(blob)
            enqueue(blob)
        default: break
        }
        return []
    }

    private mutating func receive(
        _ bytes: [UInt8], request: UInt32, index: Int, on bulk: BulkID
    ) -> [EngineAction] {
        guard bulks[bulk]?.isClosing == false else { return [] }
        guard var pending = bulks[bulk]?.requests[request],
            case .chunks(var remaining) = pending.kind, remaining.remove(index) != nil
        else { return hangUp(bulk) }
        pending.kind = .chunks(remaining: remaining)
        noteProgress(on: bulk)
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
            avoid(bulk, for: pending.blob)
            return hangUp(bulk) + retry(pending.blob)
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
        else { return valid ? [] : hangUp(bulk) }
        guard valid else {
            // A wrong chunk costs the peer its connection; others are asked for it first.
            avoid(bulk, for: blob)
            if list.hashes.count == 1 { return hangUp(bulk) + retry(blob) }
            unasked.append(index)
            fetches[blob]?.stage = .fetching(list, unasked: unasked, missing: missing)
            return hangUp(bulk)
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
        guard fetch.failures < Limits.blobTries else { return giveUp(blob) }
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
                    unasked = Set(unasked).union(remaining.intersection(missing)).sorted()
                    fetches[request.blob]?.stage = .fetching(
                        list, unasked: unasked, missing: missing)
                }
            default: break
            }
        }
        return actions
    }
}
