/// Decides which blob to ask whom for, and what to do with what comes. Pure, like the engine it
/// belongs to. Requirements J7, J8; architecture section 8.
package struct TransferPlanner: Sendable {
    package var wanted = WantedBlobs()
    package internal(set) var bulks: [BulkID: BulkState] = [:]
    /// What each device said last that it lacks of the files of a space.
    var lacking: [DeviceID: [SpaceID: Set<BlobID>]] = [:]
    var now: UInt64 = 0

    package init() {}

    /// Takes what concerns blobs and returns what it leads to at once; the requests that become
    /// possible are asked for with `nextActions`.
    package mutating func handle(_ event: EngineEvent, at instant: Instant) -> [EngineAction] {
        now = instant.monotonic
        defer { check() }
        switch event {
        case .blobsNeeded(let needs):
            needs.forEach { wanted.want($0) }
            return []
        case .blobsUnneeded(let space):
            wanted.forget(space)
            return []
        case .blobsForgone(let blobs):
            wanted.forgo(blobs)
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
            wanted.finished(blob, in: spaces)
            return []
        case .blobFailed(let blob): return wanted.failedHere(blob, at: now)
        case .blobDidNotFit(let blob, let bytes): return wanted.stall(blob, whereTooLarge: bytes)
        case .roomReturned:
            wanted.retryUnfit()
            return []
        default: return []
        }
    }

    /// What is waited for, a connection was asked for.
    private func check() {
        wanted.check()
        Invariants.check(
            bulks.values.allSatisfy { bulk in
                !bulk.isStalled || bulk.requests.values.allSatisfy(\.isReleased)
            }, "nobody else is asked for what a stalled connection owes")
        Invariants.check(
            wanted.fetches.filter(\.value.isListing).keys.allSatisfy { blob in
                bulks.values.contains { $0.isListing(blob) }
            }, "a list is waited for that nobody was asked for")
        Invariants.check(
            bulks.values.allSatisfy(\.isCoherent),
            "a connection owes more than it may, or a request that asks for nothing")
        Invariants.check(
            bulks.values.allSatisfy { bulk in
                bulk.requests.keys.allSatisfy { $0 < bulk.nextRequest }
            }, "a request has a number that another one will get")
    }

    /// Blobs that a peer was asked for, or at which the shell works. Asked for often while many more
    /// wait: what waits is not looked at.
    package var coming: Set<BlobID> {
        let open = bulks.values.filter { !$0.isClosing }
        return open.reduce(into: wanted.settling) { coming, bulk in
            for request in bulk.requests.values where wanted[request.blob] != nil {
                coming.insert(request.blob)
            }
        }
    }

    /// A device came back: failed transfers are tried again at once, also those that failed with other
    /// devices, and this one may hold more than before.
    package mutating func peerReturned(_ device: DeviceID) {
        wanted.forgetRefusals(by: device)
        wanted.retryAll(at: now)
    }

    /// A person wants everything tried again at once.
    mutating func syncRequested() {
        for device in wanted.refusals.devices { wanted.forgetRefusals(by: device) }
        wanted.retryAll(at: now)
    }

    /// Closes a connection that broke the protocol or is dead. What it was asked for is asked
    /// again when the shell says that it is closed.
    mutating func hangUp(_ bulk: BulkID) -> [EngineAction] {
        bulks[bulk]?.isClosing = true
        return [.closeBulk(bulk)]
    }
}
