/// What does not come, or not from where it was expected.
extension TransferPlanner {
    // MARK: What devices say

    /// A device said which files of a space it lacks. What it lacked before and holds now is asked
    /// for at once; what it refused, soon.
    package mutating func heard(
        _ device: DeviceID, lacks: [BlobID], isWhole: Bool, of space: SpaceID
    ) {
        let lacks = Set(lacks)
        let before = words[device]?[space]?.lacks ?? []
        words[device, default: [:]][space] = Word(lacks: lacks, isWhole: isWhole)
        let source = BlobFetch.Source(device: device, space: space)
        for blob in before.subtracting(lacks) where fetches[blob] != nil {
            fetches[blob]?.refusals[source] = nil
            fetches[blob]?.notBefore = now
            refused[device]?.remove(blob)
        }
        revision += 1
        if isWhole { reconsider(device, in: space) }
    }

    /// A device may give by now what it refused in a space, because it learned of a grant: it is asked
    /// again once the pause is over.
    package mutating func reconsider(_ device: DeviceID, in space: SpaceID) {
        let source = BlobFetch.Source(device: device, space: space)
        for blob in refused[device] ?? [] {
            guard let refusal = fetches[blob]?.refusals[source] else { continue }
            fetches[blob]?.refusals[source]?.notBefore = refusal.pauseEnd
            paused.insert(blob)
            revision += 1
        }
    }

    /// Who may read a space is known better than before.
    package mutating func permissionsChanged(in space: SpaceID) {
        for device in refused.keys { reconsider(device, in: space) }
    }

    /// Blobs that devices did not have when they were asked, whatever they had said before, and have
    /// not said since that they have.
    package func refusals(in space: SpaceID) -> [DeviceID: Set<BlobID>] {
        refused.reduce(into: [:]) { result, entry in
            let source = BlobFetch.Source(device: entry.key, space: space)
            let blobs = entry.value.filter { blob in
                fetches[blob]?.refusals[source].map { !$0.isPause } ?? false
            }
            if !blobs.isEmpty { result[entry.key] = blobs }
        }
    }

    /// A device that was asked does not give a blob: it is asked again once it says that it holds it,
    /// and others are asked meanwhile.
    mutating func refuse(_ request: BlobRequest, _ bulk: BulkID) {
        let blob = request.blob
        guard fetches[blob] != nil, let device = bulks[bulk]?.device else { return }
        note(device, in: request.space, for: blob, until: Limits.statementsIntervalMilliseconds)
        release(request)
    }

    /// A device that gave something else than the blob is not asked for it for a while, longer each
    /// time.
    mutating func avoid(_ bulk: BulkID, for blob: BlobID) {
        guard let device = bulks[bulk]?.device, fetches[blob] != nil else { return }
        note(device, in: nil, for: blob, until: 0)
        paused.insert(blob)
    }

    private mutating func note(
        _ device: DeviceID, in space: SpaceID?, for blob: BlobID, until longest: UInt64
    ) {
        let source = BlobFetch.Source(device: device, space: space)
        let times = fetches[blob]?.refusals[source]?.times ?? 0
        let pause = min(
            Limits.blobRefusalMilliseconds << UInt64(min(times, 4)),
            Limits.blobRetryCapMilliseconds)
        fetches[blob]?.refusals[source] = BlobFetch.Refusal(
            times: times + 1, pauseEnd: now + pause, notBefore: now + max(pause, longest))
        refused[device, default: []].insert(blob)
    }

    mutating func forgetRefusals(of device: DeviceID) {
        for blob in refused.removeValue(forKey: device) ?? [] {
            guard let refusals = fetches[blob]?.refusals else { continue }
            fetches[blob]?.refusals = refusals.filter { $0.key.device != device }
        }
        revision += 1
    }

    mutating func forgetRefusals(of fetch: BlobFetch) {
        for source in fetch.refusals.keys { refused[source.device]?.remove(fetch.need.blob) }
    }

    // MARK: Failed tries

    /// This device could not keep a blob. One that waits failed before, and is counted already.
    /// After the third time the disk has some minutes, unless somebody connects.
    mutating func failedHere(_ blob: BlobID) -> [EngineAction] {
        guard let fetch = fetches[blob], !fetch.isWaiting else { return [] }
        let actions = retry(blob)
        if failed.contains(blob) {
            fetches[blob]?.notBefore = now + Limits.statementsIntervalMilliseconds
        }
        return actions
    }

    /// Back to waiting, later each time; at the third the shell is told.
    mutating func retry(_ blob: BlobID) -> [EngineAction] {
        guard fetches[blob] != nil else { return [] }
        enqueue(blob)
        return delay(blob, Limits.blobRetryCapMilliseconds)
    }

    private mutating func delay(_ blob: BlobID, _ cap: UInt64) -> [EngineAction] {
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

    /// A connection is gone: what it was asked for is asked again on the next, at once. Only what was
    /// being answered may be why it died, and waits, so that it does not keep the others from coming;
    /// not a large file, of which something came.
    mutating func close(_ bulk: BulkID) -> [EngineAction] {
        guard let state = bulks.removeValue(forKey: bulk) else { return [] }
        for request in state.requests.values { release(request) }
        let hasDied = !state.isClosing || state.isStalled
        guard hasDied, let first = state.requests.min(by: { $0.key < $1.key })?.value,
            fetches[first.blob]?.isAtBeginning == true
        else { return [] }
        return delay(first.blob, Limits.bulkRetryCapMilliseconds)
    }

    /// Others may be asked for what these connections do not bring, and those of them that stay
    /// silent are closed; the shell then says so.
    mutating func watchBulks() -> [EngineAction] {
        let late = bulks.filter { $0.value.deadline.map { $0 <= now } ?? false }
        return late.keys.sorted().flatMap { bulk -> [EngineAction] in
            guard bulks[bulk]?.isStalled == false else { return hangUp(bulk) }
            bulks[bulk]?.isStalled = true
            for (number, request) in bulks[bulk]?.requests ?? [:] {
                release(request)
                bulks[bulk]?.requests[number]?.isReleased = true
            }
            return []
        }
    }

    /// Something came on a connection. What nobody else was asked for meanwhile is its again.
    mutating func noteProgress(on bulk: BulkID) {
        bulks[bulk]?.lastProgress = now
        guard bulks[bulk]?.isStalled == true else { return }
        bulks[bulk]?.isStalled = false
        for (number, request) in bulks[bulk]?.requests ?? [:] where reclaim(request) {
            bulks[bulk]?.requests[number]?.isReleased = false
        }
    }

    private mutating func reclaim(_ request: BlobRequest) -> Bool {
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
    private mutating func release(_ request: BlobRequest) {
        guard !request.isReleased, let fetch = fetches[request.blob] else { return }
        switch (fetch.stage, request.kind) {
        case (.listing, .list): enqueue(request.blob)
        case (.fetching, .chunks(let remaining)) where fetch.need.space == request.space:
            release(remaining, of: request.blob)
        default: break
        }
    }

    private mutating func release(_ chunks: Set<Int>, of blob: BlobID) {
        guard case .fetching(let list, let unasked, let missing) = fetches[blob]?.stage else {
            return
        }
        setStage(
            .fetching(
                list, unasked: Set(unasked).union(chunks.intersection(missing)).sorted(),
                missing: missing), of: blob)
        large.insert(blob)
        revision += 1
    }
}
