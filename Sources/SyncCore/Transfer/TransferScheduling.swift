/// Handing out work to the connections that have room.
extension TransferPlanner {
    /// Requests to send now. `shares` says whether a device holds a space together with this one.
    package mutating func nextActions(
        at instant: Instant, shares: (DeviceID, SpaceID) -> Bool
    ) -> [EngineAction] {
        now = instant.monotonic
        var actions = watchBulks()
        guard !wanted.isIdle else { return actions }
        askElsewhere(shares: shares)
        for bulk in bulks.keys.sorted() {
            while let state = bulks[bulk], state.hasRoom {
                if let exhausted = state.exhausted, exhausted.revision == wanted.revision,
                    now < exhausted.until
                {
                    break
                }
                guard let request = nextRequest(on: bulk, state, shares: shares) else {
                    // The queue may be long: it is looked through again only when that may help.
                    let until =
                        wanted.pauseEnds(for: state.device, at: now).min()
                        ?? now + Limits.statementsIntervalMilliseconds
                    bulks[bulk]?.exhausted = (wanted.revision, until)
                    break
                }
                actions.append(request)
            }
        }
        return actions
    }

    /// Who shares what has changed.
    mutating func sharingChanged() {
        for bulk in bulks.keys { bulks[bulk]?.exhausted = nil }
    }

    private mutating func nextRequest(
        on bulk: BulkID, _ state: BulkState, shares: (DeviceID, SpaceID) -> Bool
    ) -> EngineAction? {
        if let action = moreChunks(on: bulk, state, shares: shares) { return action }
        for (place, blob) in wanted.sortedQueue().enumerated() {
            guard let fetch = wanted[blob], fetch.isWaiting else {
                wanted.dequeue(blob)
                return nextRequest(on: bulk, state, shares: shares)
            }
            guard now >= fetch.notBefore,
                let space = space(of: fetch, with: state.device, shares: shares)
            else { continue }
            wanted.beginListing(queuedAt: place, in: space, at: now)
            let isSingle = fetch.need.size <= UInt64(Limits.chunkBytes)
            return ask(
                bulk,
                for: BlobRequest(
                    blob: blob, space: space, kind: .list(withChunk: isSingle),
                    bytes: isSingle ? fetch.need.size : 0))
        }
        return nil
    }

    /// Chunks of a large blob that is already on its way: all who have it help.
    private mutating func moreChunks(
        on bulk: BulkID, _ state: BulkState, shares: (DeviceID, SpaceID) -> Bool
    ) -> EngineAction? {
        for blob in wanted.large.sorted() {
            guard let fetch = wanted[blob], now >= fetch.notBefore,
                case .fetching(let list, let unasked, let missing) = fetch.stage,
                let first = unasked.first,
                let space = space(of: fetch, with: state.device, shares: shares)
            else { continue }
            var run = [first]
            for next in unasked.dropFirst() where run.count < Limits.chunksPerRequest {
                guard let last = run.last, next == last + 1 else { break }
                run.append(next)
            }
            precondition(missing.isSuperset(of: run), "a chunk of \(blob) is here and asked for")
            wanted.setStage(
                .fetching(
                    list, unasked: Array(unasked.dropFirst(run.count)), missing: missing), of: blob)
            return ask(
                bulk,
                for: BlobRequest(
                    blob: blob, space: space, kind: .chunks(remaining: Set(run)),
                    bytes: UInt64(run.count * Limits.chunkBytes)))
        }
        return nil
    }

    /// Received parts of a large blob count in their space only. When no connected peer can continue
    /// there, the blob starts again in another space that names it and where a peer can.
    private mutating func askElsewhere(shares: (DeviceID, SpaceID) -> Bool) {
        for blob in wanted.large where wanted.alsoNamed[blob]?.isEmpty == false {
            guard let fetch = wanted[blob],
                case .fetching(_, let unasked, let missing) = fetch.stage,
                unasked.count == missing.count
            else { continue }
            var waiting = fetch
            waiting.stage = .waiting
            let devices = Set(bulks.values.map(\.device))
            guard devices.allSatisfy({ space(of: fetch, with: $0, shares: shares) == nil }),
                devices.contains(where: { space(of: waiting, with: $0, shares: shares) != nil })
            else { continue }
            wanted.enqueue(blob)
        }
    }

    /// The space under which a device may be asked for a blob now; nil when they share none in which
    /// it may hold it. What has begun in one space goes on there.
    func space(
        of fetch: BlobFetch, with device: DeviceID, shares: (DeviceID, SpaceID) -> Bool
    ) -> SpaceID? {
        let blob = fetch.need.blob
        func mayAsk(_ space: SpaceID) -> Bool {
            shares(device, space) && lacking[device]?[space]?.contains(blob) != true
                && wanted.refusals.mayAsk(device, for: blob, in: space, at: now)
        }
        if mayAsk(fetch.need.space) { return fetch.need.space }
        return fetch.isWaiting ? wanted.alsoNamed[blob]?.sorted().first { mayAsk($0) } : nil
    }

    private mutating func ask(_ bulk: BulkID, for request: BlobRequest) -> EngineAction {
        precondition(bulks[bulk]?.hasRoom == true, "connection \(bulk) has no room, or is not open")
        precondition(
            request.bytes <= UInt64(Limits.chunksPerRequest * Limits.chunkBytes),
            "\(request.bytes) bytes at once")
        let number = bulks[bulk]?.nextRequest ?? 0
        bulks[bulk]?.nextRequest = number &+ 1
        precondition(bulks[bulk]?.requests[number] == nil, "request \(number) is made twice")
        if bulks[bulk]?.requests.isEmpty == true { noteProgress(on: bulk) }
        bulks[bulk]?.requests[number] = request
        return .sendBulk(bulk, .want(request.want(number)))
    }

    /// When something here waits for time only: a silent connection, a pause before the next try.
    package var nextDeadline: UInt64? {
        guard !bulks.isEmpty else { return nil }
        let pauses = Set(bulks.values.map(\.device)).flatMap { wanted.pauseEnds(for: $0, at: now) }
        return (bulks.values.compactMap(\.deadline) + pauses).min()
    }

    /// Whether blobs are on their way, or could be asked for from somebody connected. What failed
    /// three times does not count.
    package func isBusy(shares: (DeviceID, SpaceID) -> Bool, peers: Set<DeviceID>) -> Bool {
        wanted.fetches.values.contains { fetch in
            guard !wanted.failed.contains(fetch.need.blob) else { return false }
            guard fetch.isWaiting || fetch.isUnasked else { return true }
            return peers.contains { space(of: fetch, with: $0, shares: shares) != nil }
        }
    }
}
