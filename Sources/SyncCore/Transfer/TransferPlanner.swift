/// Decides which blob to ask whom for, and what to do with what comes. Pure, like the engine it
/// belongs to. Requirements J7, J8; architecture section 8.
package struct TransferPlanner: Sendable {
    var fetches: [BlobID: BlobFetch] = [:]
    /// Blobs that wait, most wanted first.
    var queue: [BlobID] = []
    /// Blobs that wait for room on the disk.
    private(set) var unfit: [BlobID: BlobNeed] = [:]
    /// Blobs that failed three times. They are tried again all the same.
    package internal(set) var failed: Set<BlobID> = []
    /// Further spaces that name a wanted blob: any peer that shares one of them may be asked.
    var alsoNamed: [BlobID: Set<SpaceID>] = [:]
    /// Blobs of several chunks whose list is here.
    package internal(set) var large: Set<BlobID> = []
    /// Blobs at which the shell works: it looks what is here of them, or makes them durable.
    package private(set) var settling: Set<BlobID> = []
    /// Blobs that wait for a time: after a failure, or because a device refused them.
    package internal(set) var paused: Set<BlobID> = []
    package internal(set) var bulks: [BulkID: BulkState] = [:]
    /// What each device said that it lacks.
    var words: [DeviceID: [SpaceID: Word]] = [:]
    /// Wanted blobs that a device refused.
    var refused: [DeviceID: Set<BlobID>] = [:]
    /// Grows with everything that lets somebody be asked for something.
    var revision: UInt64 = 0
    /// Bytes of the smallest blob that did not fit on the disk: larger ones are not asked for.
    private var tooLarge: UInt64?
    private var isQueueSorted = true
    var now: UInt64 = 0

    /// What a device said last of the files of a space.
    struct Word {
        let lacks: Set<BlobID>
        /// Nothing was left out.
        let isWhole: Bool
    }

    package init() {}

    /// The spaces that name a wanted blob.
    package func spaces(naming blob: BlobID) -> Set<SpaceID> {
        guard let need = fetches[blob]?.need ?? unfit[blob] else { return [] }
        return (alsoNamed[blob] ?? []).union([need.space])
    }

    /// Blobs that are on their way or wait.
    package var needs: [BlobNeed] { fetches.values.map(\.need) + unfit.values }
    /// Blobs that wait for room on the disk.
    package var unfitBlobs: Set<BlobID> { Set(unfit.keys) }

    /// Whether no blob is on its way, or waits for others.
    package var isIdle: Bool { fetches.isEmpty }

    func device(of bulk: BulkID) -> DeviceID? { bulks[bulk]?.device }

    /// Takes what concerns blobs and returns what it leads to at once; the requests that become
    /// possible are asked for with `nextActions`.
    package mutating func handle(_ event: EngineEvent, at instant: Instant) -> [EngineAction] {
        now = instant.monotonic
        defer { checkRows() }
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
        case .bulkProgressed(let bulk):
            noteProgress(on: bulk)
            return []
        case .bulkReceived(let bulk, let message): return receive(message, on: bulk)
        case .chunkReceived(let bulk, let request, let index, let bytes):
            return receive(bytes, request: request, index: Int(index), on: bulk)
        case .blobPrepared(let blob, let present): return prepared(blob, present)
        case .chunkWritten(let blob, let index, let valid, let bulk):
            return written(blob, index, valid, from: bulk)
        case .blobFinished(let blob, let spaces):
            finished(blob, in: spaces)
            return []
        case .blobFailed(let blob): return failedHere(blob)
        case .blobDidNotFit(let blob, let bytes): return stall(blob, whereTooLarge: bytes)
        case .roomReturned:
            retryUnfit()
            return []
        default: return []
        }
    }

    /// Every set of blobs has only fetched ones, and no blob is both fetched and left out.
    private func checkRows() {
        Invariants.check(
            [large, settling, paused, failed].allSatisfy { $0.allSatisfy { fetches[$0] != nil } },
            "something is left of a blob that is fetched no more")
        Invariants.check(
            unfit.keys.allSatisfy { fetches[$0] == nil }, "a blob that does not fit is fetched")
        Invariants.check(
            fetches.allSatisfy { $0.value.stage.isSettling == settling.contains($0.key) },
            "what settles is counted wrong")
        Invariants.check(
            fetches.allSatisfy { alsoNamed[$0.key]?.contains($0.value.need.space) != true },
            "a blob is named in one space twice")
        Invariants.check(
            Set(queue).isSuperset(of: fetches.filter(\.value.isWaiting).keys),
            "a blob waits that nobody will be asked for")
        Invariants.check(
            failed.allSatisfy { fetches[$0]?.failures ?? 0 >= Limits.blobTries },
            "a blob counts as failed that did not fail")
        Invariants.check(
            refused.allSatisfy { device, blobs in
                blobs.allSatisfy { blob in
                    fetches[blob]?.refusals.keys.contains { $0.device == device } ?? false
                }
            }, "a device is noted to refuse what it was not asked for")
        Invariants.check(
            alsoNamed.allSatisfy { $0.value.isEmpty || need(of: $0.key) != nil },
            "further spaces are noted of a blob that is not wanted")
        Invariants.check(
            bulks.values.allSatisfy { bulk in
                !bulk.isStalled || bulk.requests.values.allSatisfy(\.isReleased)
            }, "nobody else is asked for what a stalled connection owes")
        Invariants.check(
            fetches.filter(\.value.isListing).keys.allSatisfy { blob in
                bulks.values.contains { $0.isListing(blob) }
            }, "a list is waited for that nobody was asked for")
        Invariants.check(
            fetches.allSatisfy { $1.failures < Limits.blobTries || failed.contains($0) },
            "a blob failed that does not count as failed")
        Invariants.check(
            large.allSatisfy { fetches[$0]?.lacksList != true },
            "chunks are asked for of a blob without a list")
        precondition(
            unfit.isEmpty || tooLarge != nil,
            "\(unfit.count) blobs wait for room, and any would fit")
        Invariants.check(
            bulks.values.allSatisfy(\.isCoherent),
            "a connection owes more than it may, or a request that asks for nothing")
    }

    private mutating func want(_ need: BlobNeed) {
        if let known = fetches[need.blob]?.need ?? unfit[need.blob] {
            if known.space != need.space {
                alsoNamed[need.blob, default: []].insert(need.space)
                revision += 1
            }
            return
        }
        if let tooLarge, need.size >= tooLarge {
            unfit[need.blob] = need
            return
        }
        fetches[need.blob] = BlobFetch(need: need)
        enqueue(need.blob)
    }

    /// Blobs of a space that wait are not wanted any more, but in another space that names them.
    private mutating func forget(_ space: SpaceID) {
        for (blob, spaces) in alsoNamed { alsoNamed[blob] = spaces.subtracting([space]) }
        let waiting = fetches.values.filter(\.isWaiting).map(\.need) + unfit.values
        for need in waiting where need.space == space { goOn(after: need) }
    }

    /// These spaces hold a blob now. Any other that names it has still to receive it.
    private mutating func finished(_ blob: BlobID, in spaces: Set<SpaceID>) {
        alsoNamed[blob]?.subtract(spaces)
        guard let need = need(of: blob), spaces.contains(need.space) else { return }
        goOn(after: need)
    }

    /// A blob is not wanted any more in one space, but in the others that name it.
    private mutating func goOn(after need: BlobNeed) {
        // One that was asked for has left the queue, which need not be sorted again for it.
        if fetches[need.blob]?.isWaiting == true { isQueueSorted = false }
        forget(need.blob)
        unfit[need.blob] = nil
        for other in (alsoNamed.removeValue(forKey: need.blob) ?? []).sorted() {
            want(need.moved(to: other))
        }
    }

    /// Has a blob come in another space that names it: it counts there, and only there, once all of
    /// it came there.
    mutating func move(_ blob: BlobID, to space: SpaceID) {
        guard let fetch = fetches[blob], fetch.need.space != space else { return }
        alsoNamed[blob, default: []].insert(fetch.need.space)
        alsoNamed[blob]?.remove(space)
        fetches[blob]?.need = fetch.need.moved(to: space)
    }

    /// A blob did not fit: it waits, and with it all that are not smaller and not yet on their way.
    /// What it takes up is what its list says; a commit may claim anything.
    private mutating func stall(
        _ blob: BlobID, whereTooLarge bytes: UInt64
    ) -> [EngineAction] {
        let limit = min(tooLarge ?? .max, bytes)
        tooLarge = limit
        let waiting = fetches.filter { $0.value.isWaiting && $0.value.need.size >= limit }.keys
        return Set(waiting).union([blob]).sorted().compactMap { blob in
            guard let need = fetches[blob]?.need else { return nil }
            forget(blob)
            unfit[blob] = need
            return .blobStalled(need)
        }
    }

    private mutating func forget(_ blob: BlobID) {
        if let fetch = fetches.removeValue(forKey: blob) { forgetRefusals(of: fetch) }
        large.remove(blob)
        settling.remove(blob)
        paused.remove(blob)
        failed.remove(blob)
    }

    mutating func setStage(_ stage: BlobFetch.Stage, of blob: BlobID) {
        guard fetches[blob] != nil else { return }
        Invariants.check(stage.isCoherent, "chunks are asked for that are here, or are none")
        fetches[blob]?.stage = stage
        if stage.isSettling { settling.insert(blob) } else { settling.remove(blob) }
    }

    /// Blobs that a peer was asked for, or at which the shell works. Asked for often while many more
    /// wait: what waits is not looked at.
    package var coming: Set<BlobID> {
        let open = bulks.values.filter { !$0.isClosing }
        return open.reduce(into: settling) { coming, bulk in
            for request in bulk.requests.values where fetches[request.blob] != nil {
                coming.insert(request.blob)
            }
        }
    }

    /// Back among those that wait.
    mutating func enqueue(_ blob: BlobID) {
        precondition(fetches[blob] != nil, "\(blob) waits and is not wanted")
        setStage(.waiting, of: blob)
        large.remove(blob)
        queue.append(blob)
        isQueueSorted = false
        revision += 1
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

    /// A device came back: failed transfers are tried again at once, also those that failed with other
    /// devices, and this one may hold more than before.
    package mutating func peerReturned(_ device: DeviceID) {
        forgetRefusals(of: device)
        retryAll()
    }

    /// A person wants everything tried again at once.
    mutating func syncRequested() {
        refused.keys.forEach { forgetRefusals(of: $0) }
        retryAll()
    }

    /// What failed, or did not fit, is tried again at once.
    private mutating func retryAll() {
        for blob in paused.union(failed) {
            fetches[blob]?.failures = 0
            fetches[blob]?.notBefore = now
        }
        failed = []
        revision += 1
        retryUnfit()
    }

    private mutating func retryUnfit() {
        tooLarge = nil
        let waiting = unfit.values
        unfit = [:]
        waiting.forEach { want($0) }
    }

    /// Closes a connection that broke the protocol or is dead. What it was asked for is asked
    /// again when the shell says that it is closed.
    mutating func hangUp(_ bulk: BulkID) -> [EngineAction] {
        bulks[bulk]?.isClosing = true
        return [.closeBulk(bulk)]
    }

}
