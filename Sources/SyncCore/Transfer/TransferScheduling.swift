/// Handing out work to the connections that have room.
extension TransferPlanner {
    /// Requests to send now. `shares` says whether a device holds a space together with this one.
    package mutating func nextActions(
        at instant: Instant, shares: (DeviceID, SpaceID) -> Bool
    ) -> [EngineAction] {
        now = instant.monotonic
        var actions = watchBulks()
        guard !fetches.isEmpty else { return actions }
        askElsewhere(shares: shares)
        for bulk in bulks.keys.sorted() {
            while let state = bulks[bulk], state.hasRoom {
                if let exhausted = state.exhausted, exhausted.revision == revision,
                    now < exhausted.until
                {
                    break
                }
                guard let request = nextRequest(on: bulk, state, shares: shares) else {
                    // The queue may be long: it is looked through again only when that may help.
                    let until =
                        pauseEnds(for: state.device).min()
                        ?? now + Limits.statementsIntervalMilliseconds
                    bulks[bulk]?.exhausted = (revision, until)
                    break
                }
                actions.append(request)
            }
        }
        return actions
    }

    /// Who shares what has changed.
    mutating func sharingChanged() {
        revision += 1
    }

    private mutating func nextRequest(
        on bulk: BulkID, _ state: BulkState, shares: (DeviceID, SpaceID) -> Bool
    ) -> EngineAction? {
        if let action = moreChunks(on: bulk, state, shares: shares) { return action }
        for (place, blob) in sortedQueue().enumerated() {
            guard let fetch = fetches[blob], fetch.isWaiting else {
                queue.removeAll { $0 == blob }
                return nextRequest(on: bulk, state, shares: shares)
            }
            guard now >= fetch.notBefore,
                let space = space(of: fetch, with: state.device, shares: shares)
            else { continue }
            queue.remove(at: place)
            setStage(.listing, of: blob)
            move(blob, to: space)
            // Another one whose pause is not over is asked after it, should this one refuse.
            if !fetch.isPausing(at: now) { paused.remove(blob) }
            let isSingle = fetch.need.size <= UInt64(Limits.chunkBytes)
            return ask(
                bulk, blob, in: space, kind: .list(withChunk: isSingle),
                bytes: isSingle ? fetch.need.size : 0,
                list: true, first: 0, count: isSingle ? 1 : 0)
        }
        return nil
    }

    /// Chunks of a large blob that is already on its way: all who have it help.
    private mutating func moreChunks(
        on bulk: BulkID, _ state: BulkState, shares: (DeviceID, SpaceID) -> Bool
    ) -> EngineAction? {
        for blob in large.sorted() {
            guard let fetch = fetches[blob], now >= fetch.notBefore,
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
            setStage(
                .fetching(
                    list, unasked: Array(unasked.dropFirst(run.count)), missing: missing), of: blob)
            return ask(
                bulk, blob, in: space, kind: .chunks(remaining: Set(run)),
                bytes: UInt64(run.count * Limits.chunkBytes), list: false, first: first,
                count: run.count)
        }
        return nil
    }

    /// Received parts of a large blob count in their space only. When no connected peer can continue
    /// there, the blob starts again in another space that names it and where a peer can.
    private mutating func askElsewhere(shares: (DeviceID, SpaceID) -> Bool) {
        for blob in large where alsoNamed[blob]?.isEmpty == false {
            guard let fetch = fetches[blob],
                case .fetching(_, let unasked, let missing) = fetch.stage,
                unasked.count == missing.count
            else { continue }
            var waiting = fetch
            waiting.stage = .waiting
            let devices = Set(bulks.values.map(\.device))
            guard devices.allSatisfy({ space(of: fetch, with: $0, shares: shares) == nil }),
                devices.contains(where: { space(of: waiting, with: $0, shares: shares) != nil })
            else { continue }
            enqueue(blob)
        }
    }

    /// The space under which a device may be asked for a blob now; nil when they share none in which
    /// it may hold it. What has begun in one space goes on there.
    func space(
        of fetch: BlobFetch, with device: DeviceID, shares: (DeviceID, SpaceID) -> Bool
    ) -> SpaceID? {
        let blob = fetch.need.blob
        func mayAsk(_ space: SpaceID) -> Bool {
            shares(device, space) && words[device]?[space]?.lacks.contains(blob) != true
                && fetch.mayAsk(device, in: space, at: now)
        }
        if mayAsk(fetch.need.space) { return fetch.need.space }
        return fetch.isWaiting ? alsoNamed[blob]?.sorted().first { mayAsk($0) } : nil
    }

    private mutating func ask(
        _ bulk: BulkID, _ blob: BlobID, in space: SpaceID, kind: BlobRequest.Kind,
        bytes: UInt64, list: Bool, first: Int, count: Int
    ) -> EngineAction {
        precondition(bulks[bulk]?.hasRoom == true, "connection \(bulk) has no room, or is not open")
        precondition(count >= 0 && count <= Limits.chunksPerRequest, "\(count) chunks at once")
        precondition(
            bytes <= UInt64(Limits.chunksPerRequest * Limits.chunkBytes), "\(bytes) bytes at once")
        let number = bulks[bulk]?.nextRequest ?? 0
        bulks[bulk]?.nextRequest = number &+ 1
        precondition(bulks[bulk]?.requests[number] == nil, "request \(number) is made twice")
        if bulks[bulk]?.requests.isEmpty == true { noteProgress(on: bulk) }
        bulks[bulk]?.requests[number] = BlobRequest(
            blob: blob, space: space, kind: kind, bytes: bytes)
        let want = Want(
            request: number, space: space, blob: blob, list: list,
            firstChunk: UInt32(first), chunkCount: UInt32(count))
        return .sendBulk(bulk, .want(want))
    }

    /// When something here waits for time only: a silent connection, a pause before the next try.
    package var nextDeadline: UInt64? {
        guard !bulks.isEmpty else { return nil }
        let pauses = Set(bulks.values.map(\.device)).flatMap { pauseEnds(for: $0) }
        return (bulks.values.compactMap(\.deadline) + pauses).min()
    }

    /// When pauses end after which a device may be asked.
    private func pauseEnds(for device: DeviceID) -> [UInt64] {
        paused.compactMap { fetches[$0] }.flatMap { fetch in
            let refusals = fetch.refusals.filter { $0.key.device == device }.values
                .map { max(fetch.notBefore, $0.notBefore) }
            return refusals.isEmpty ? [fetch.notBefore] : refusals
        }.filter { $0 > now }
    }

    /// Whether blobs are on their way, or could be asked for from somebody connected. What failed
    /// three times does not count.
    package func isBusy(shares: (DeviceID, SpaceID) -> Bool, peers: Set<DeviceID>) -> Bool {
        fetches.values.contains { fetch in
            guard !failed.contains(fetch.need.blob) else { return false }
            guard fetch.isWaiting || fetch.isUnasked else { return true }
            return peers.contains { space(of: fetch, with: $0, shares: shares) != nil }
        }
    }
}
