/// Blobs that are wanted and not here: where each stands, in which spaces it counts, which is wanted
/// most, and what is tried again when.
package struct WantedBlobs: Sendable {
    private(set) var fetches: [BlobID: BlobFetch] = [:]
    package private(set) var refusals = BlobRefusals()
    /// Blobs that wait, most wanted first.
    private(set) var queue: [BlobID] = []
    private(set) var isQueueSorted = true
    /// Blobs that wait for room on the disk.
    private(set) var unfit: [BlobID: BlobNeed] = [:]
    /// Bytes of the smallest blob that did not fit on the disk: larger ones are not asked for.
    private(set) var tooLarge: UInt64?
    /// Blobs that failed three times. They are tried again all the same.
    package private(set) var failed: Set<BlobID> = []
    /// Further spaces that name a wanted blob: any peer that shares one of them may be asked.
    private(set) var alsoNamed: [BlobID: Set<SpaceID>] = [:]
    /// Blobs of several chunks whose list is here.
    package private(set) var large: Set<BlobID> = []
    /// Blobs at which the shell works: it looks what is here of them, or makes them durable.
    package private(set) var settling: Set<BlobID> = []
    /// Blobs that wait for a time: after a failure, or because a device refused them.
    package private(set) var paused: Set<BlobID> = []
    /// Grows with everything that lets somebody be asked for something.
    private(set) var revision: UInt64 = 0

    subscript(_ blob: BlobID) -> BlobFetch? { fetches[blob] }

    /// What is wanted of a blob that is not here; nil when it is not wanted.
    func need(of blob: BlobID) -> BlobNeed? { fetches[blob]?.need ?? unfit[blob] }

    /// The spaces that name a wanted blob.
    package func spaces(naming blob: BlobID) -> Set<SpaceID> {
        guard let need = need(of: blob) else { return [] }
        return (alsoNamed[blob] ?? []).union([need.space])
    }

    /// Blobs that are on their way or wait.
    package var needs: [BlobNeed] { fetches.values.map(\.need) + unfit.values }
    /// Blobs that wait for room on the disk.
    package var unfitBlobs: Set<BlobID> { Set(unfit.keys) }
    /// Blobs that nobody was asked for.
    var waiting: [BlobNeed] { fetches.values.filter(\.isWaiting).map(\.need) }
    /// Whether no blob is on its way, or waits for others.
    package var isIdle: Bool { fetches.isEmpty }
    /// When the first blob that failed three times is tried again, if somebody can be asked then.
    var nextRetry: UInt64? { failed.compactMap { fetches[$0]?.notBefore }.min() }

    // MARK: What is wanted, and in which spaces

    mutating func want(_ need: BlobNeed) {
        if let known = self.need(of: need.blob) {
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
    mutating func forget(_ space: SpaceID) {
        for (blob, spaces) in alsoNamed { alsoNamed[blob] = spaces.subtracting([space]) }
        for need in waiting + unfit.values where need.space == space { goOn(after: need) }
    }

    /// These spaces hold a blob now. Any other that names it has still to receive it.
    mutating func finished(_ blob: BlobID, in spaces: Set<SpaceID>) {
        alsoNamed[blob]?.subtract(spaces)
        guard let need = need(of: blob), spaces.contains(need.space) else { return }
        goOn(after: need)
    }

    /// A blob is not wanted any more in one space, but in the others that name it.
    private mutating func goOn(after need: BlobNeed) {
        // One that was asked for has left the queue, which need not be sorted again for it.
        if fetches[need.blob]?.isWaiting == true { isQueueSorted = false }
        forget(need)
        unfit[need.blob] = nil
        for other in (alsoNamed.removeValue(forKey: need.blob) ?? []).sorted() {
            want(need.moved(to: other))
        }
        precondition(
            self.need(of: need.blob)?.space != need.space,
            "\(need.blob) is wanted again in \(need.space)")
    }

    /// Has a blob come in another space that names it: it counts there, and only there, once all of
    /// it came there.
    mutating func move(_ blob: BlobID, to space: SpaceID) {
        guard let fetch = fetches[blob], fetch.need.space != space else { return }
        alsoNamed[blob, default: []].insert(fetch.need.space)
        alsoNamed[blob]?.remove(space)
        fetches[blob]?.need = fetch.need.moved(to: space)
    }

    private mutating func forget(_ need: BlobNeed) {
        fetches[need.blob] = nil
        refusals.removeAll(of: need.blob)
        large.remove(need.blob)
        settling.remove(need.blob)
        paused.remove(need.blob)
        failed.remove(need.blob)
    }

    // MARK: Room on the disk

    /// A blob did not fit: it waits, and with it all that are not smaller and not yet on their way.
    /// What it takes up is what its list says; a commit may claim anything.
    mutating func stall(_ blob: BlobID, whereTooLarge bytes: UInt64) -> [EngineAction] {
        let limit = min(tooLarge ?? .max, bytes)
        tooLarge = limit
        let waiting = fetches.filter { $0.value.isWaiting && $0.value.need.size >= limit }.keys
        return Set(waiting).union([blob]).sorted().compactMap { blob in
            guard let need = fetches[blob]?.need else { return nil }
            forget(need)
            unfit[blob] = need
            return .blobStalled(need)
        }
    }

    /// These are not waited for any more, in any space, unless they are on their way.
    mutating func forgo(_ blobs: Set<BlobID>) {
        for blob in blobs where unfit.removeValue(forKey: blob) != nil { alsoNamed[blob] = nil }
    }

    mutating func retryUnfit() {
        tooLarge = nil
        let waiting = unfit.values
        unfit = [:]
        waiting.forEach { want($0) }
    }

    // MARK: Stages

    mutating func setStage(_ stage: BlobFetch.Stage, of blob: BlobID) {
        guard fetches[blob] != nil else { return }
        Invariants.check(stage.isCoherent, "chunks are asked for that are here, or are none")
        fetches[blob]?.stage = stage
        if stage.isSettling { settling.insert(blob) } else { settling.remove(blob) }
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

    /// Leaves out of the queue a blob that does not wait any more.
    mutating func dequeue(_ blob: BlobID) {
        queue.removeAll { $0 == blob }
    }

    /// A device is asked in a space for the list of the blob at a place in the queue.
    mutating func beginListing(queuedAt place: Int, in space: SpaceID, at now: UInt64) {
        let blob = queue.remove(at: place)
        setStage(.listing, of: blob)
        move(blob, to: space)
        // Another one whose pause is not over is asked after it, should this one refuse.
        if !refusals.isPausing(blob, at: now) { paused.remove(blob) }
    }

    /// Its chunks can be asked for on several connections.
    mutating func insertLarge(_ blob: BlobID) {
        large.insert(blob)
        revision += 1
    }

    /// A chunk that came was wrong: it is asked for again.
    mutating func reask(_ index: Int, of blob: BlobID) {
        guard case .fetching(let list, var unasked, let missing) = fetches[blob]?.stage else {
            return
        }
        // One that was asked for twice may have come from the other.
        if missing.contains(index), !unasked.contains(index) { unasked.append(index) }
        setStage(.fetching(list, unasked: unasked, missing: missing), of: blob)
        revision += 1
    }

    /// Has a connection bring again what nobody else was asked for; false when somebody was.
    mutating func reclaim(_ request: BlobRequest) -> Bool {
        switch (fetches[request.blob]?.stage, request.kind) {
        case (.waiting, .list):
            setStage(.listing, of: request.blob)
            move(request.blob, to: request.space)
        case (.fetching(let list, var unasked, let missing), .chunks(let remaining))
        where fetches[request.blob]?.need.space == request.space:
            guard !remaining.isDisjoint(with: unasked) else { return false }
            unasked.removeAll { remaining.contains($0) }
            setStage(.fetching(list, unasked: unasked, missing: missing), of: request.blob)
        default: return false
        }
        return true
    }

    /// Lets others be asked for what a request was for.
    mutating func release(_ request: BlobRequest) {
        guard !request.isReleased, let fetch = fetches[request.blob] else { return }
        switch (fetch.stage, request.kind) {
        case (.listing, .list): enqueue(request.blob)
        case (.fetching(let list, let unasked, let missing), .chunks(let chunks))
        where fetch.need.space == request.space:
            setStage(
                .fetching(
                    list, unasked: Set(unasked).union(chunks.intersection(missing)).sorted(),
                    missing: missing), of: request.blob)
            insertLarge(request.blob)
        default: break
        }
    }

    // MARK: Refusals

    /// A device does not give a blob in a space, or in any: others are asked meanwhile.
    mutating func refuse(
        _ blob: BlobID, by device: DeviceID, in space: SpaceID?, for longest: UInt64, at now: UInt64
    ) {
        guard fetches[blob] != nil else { return }
        refusals.insert(blob, by: device, in: space, for: longest, at: now)
        if space == nil { paused.insert(blob) }
    }

    /// A device holds blobs of a space that it lacked before: it is asked for them at once.
    mutating func received(
        _ blobs: Set<BlobID>, by device: DeviceID, in space: SpaceID, at now: UInt64
    ) {
        for blob in blobs where fetches[blob] != nil {
            refusals.remove(blob, by: device, in: space)
            fetches[blob]?.notBefore = now
        }
        revision += 1
    }

    /// A device may give by now what it refused in a space, because it learned of a grant: it is asked
    /// again once the pause is over.
    package mutating func reconsider(_ device: DeviceID, in space: SpaceID) {
        let blobs = refusals.shorten(by: device, in: space)
        guard !blobs.isEmpty else { return }
        paused.formUnion(blobs)
        revision += 1
    }

    /// Who may read a space is known better than before.
    package mutating func permissionsChanged(in space: SpaceID) {
        for device in refusals.devices { reconsider(device, in: space) }
    }

    mutating func forgetRefusals(by device: DeviceID) {
        refusals.removeAll(by: device)
        revision += 1
    }

    /// When pauses end after which a device may be asked.
    func pauseEnds(for device: DeviceID, at now: UInt64) -> [UInt64] {
        paused.compactMap { fetches[$0] }.flatMap { fetch in
            let ends = refusals.ends(of: fetch.need.blob, by: device)
            return ends.isEmpty ? [fetch.notBefore] : ends.map { max(fetch.notBefore, $0) }
        }.filter { $0 > now }
    }

    // MARK: Failed tries

    /// This device could not keep a blob. One that waits failed before, and is counted already.
    /// After the third time the disk has some minutes, unless somebody connects.
    mutating func failedHere(_ blob: BlobID, at now: UInt64) -> [EngineAction] {
        guard let fetch = fetches[blob], !fetch.isWaiting else { return [] }
        let actions = retry(blob, at: now)
        if failed.contains(blob) {
            fetches[blob]?.notBefore = now + Limits.statementsIntervalMilliseconds
        }
        return actions
    }

    /// Back to waiting, later each time; at the third the shell is told.
    mutating func retry(_ blob: BlobID, at now: UInt64) -> [EngineAction] {
        guard fetches[blob] != nil else { return [] }
        enqueue(blob)
        return delay(blob, upTo: Limits.blobRetryCapMilliseconds, at: now)
    }

    mutating func delay(_ blob: BlobID, upTo cap: UInt64, at now: UInt64) -> [EngineAction] {
        guard var fetch = fetches[blob] else { return [] }
        fetch.failures += 1
        fetch.notBefore = now + fetch.backoff(cap: cap)
        fetches[blob] = fetch
        paused.insert(blob)
        guard fetch.failures >= Limits.blobTries else { return [] }
        return failed.insert(blob).inserted ? [.blobStalled(fetch.need)] : []
    }

    /// Something of a blob came and is kept.
    mutating func noteSuccess(of blob: BlobID) {
        guard fetches[blob]?.failures ?? 0 > 0 else { return }
        fetches[blob]?.failures = 0
        failed.remove(blob)
    }

    /// What failed, or did not fit, is tried again at once.
    mutating func retryAll(at now: UInt64) {
        for blob in paused.union(failed) {
            fetches[blob]?.failures = 0
            fetches[blob]?.notBefore = now
        }
        failed = []
        revision += 1
        retryUnfit()
    }
}
