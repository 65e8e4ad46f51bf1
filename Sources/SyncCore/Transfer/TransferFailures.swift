/// What does not come, or not from where it was expected.
extension TransferPlanner {
    // MARK: What devices say

    /// A device said which files of a space it lacks. What it lacked before and holds now is asked
    /// for at once; what it refused, soon, if it left nothing out (`isWhole`).
    package mutating func heard(
        _ device: DeviceID, lacks: [BlobID], isWhole: Bool, of space: SpaceID
    ) {
        let lacks = Set(lacks)
        let before = lacking[device, default: [:]].updateValue(lacks, forKey: space) ?? []
        wanted.received(before.subtracting(lacks), by: device, in: space, at: now)
        if isWhole { wanted.reconsider(device, in: space) }
    }

    /// A device that was asked does not give a blob: it is asked again once it says that it holds it,
    /// and others are asked meanwhile.
    mutating func refuse(_ request: BlobRequest, _ bulk: BulkID) {
        guard wanted[request.blob] != nil, let device = bulks[bulk]?.device else { return }
        wanted.refuse(
            request.blob, by: device, in: request.space,
            for: Limits.statementsIntervalMilliseconds, at: now)
        wanted.release(request)
    }

    /// A device that gave something else than the blob is not asked for it for a while, longer each
    /// time.
    mutating func avoid(_ bulk: BulkID, for blob: BlobID) {
        guard let device = bulks[bulk]?.device else { return }
        wanted.refuse(blob, by: device, in: nil, for: 0, at: now)
    }

    // MARK: Connections

    /// A connection is gone: what it was asked for is asked again on the next, at once. Only what was
    /// being answered may be why it died, and waits, so that it does not keep the others from coming;
    /// not a large file, of which something came.
    mutating func close(_ bulk: BulkID) -> [EngineAction] {
        guard let state = bulks.removeValue(forKey: bulk) else { return [] }
        for request in state.requests.values { wanted.release(request) }
        let hasDied = !state.isClosing || state.isStalled
        guard hasDied, let first = state.requests.min(by: { $0.key < $1.key })?.value,
            wanted[first.blob]?.isAtBeginning == true
        else { return [] }
        return wanted.delay(first.blob, upTo: Limits.bulkRetryCapMilliseconds, at: now)
    }

    /// Others may be asked for what these connections do not bring, and those of them that stay
    /// silent are closed; the shell then says so.
    mutating func watchBulks() -> [EngineAction] {
        let late = bulks.filter { $0.value.deadline.map { $0 <= now } ?? false }
        return late.keys.sorted().flatMap { bulk -> [EngineAction] in
            guard bulks[bulk]?.isStalled == false else { return hangUp(bulk) }
            bulks[bulk]?.isStalled = true
            for (number, request) in bulks[bulk]?.requests ?? [:] {
                wanted.release(request)
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
        for (number, request) in bulks[bulk]?.requests ?? [:] where wanted.reclaim(request) {
            bulks[bulk]?.requests[number]?.isReleased = false
        }
    }
}
