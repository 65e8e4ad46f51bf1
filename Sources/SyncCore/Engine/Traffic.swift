/// What moves between this device and others at this moment, as far as one space goes.
package struct Traffic: Hashable, Sendable {
    /// Devices that a session is open with.
    package var connected: Set<DeviceID> = []
    /// Connected devices that said what they hold, and named the space.
    package var sharing: Set<DeviceID> = []
    /// Connected devices that said what they hold, and did not name the space.
    package var withoutSpace: Set<DeviceID> = []
    /// Connected devices that are being sent changes of the space.
    package var taking: Set<DeviceID> = []
    /// Blobs of which something is on its way here.
    package var coming: Set<BlobID> = []
    /// Blobs that failed three times and wait for the next connection.
    package var failed: Set<BlobID> = []
    /// Until those are tried again although nobody connects; nil while no session is open.
    package var retryMilliseconds: UInt64?
    /// Blobs that wait for room on the disk.
    package var unfit: Set<BlobID> = []

    package init() {}
}

extension Engine {
    /// Blobs are those of all spaces: whoever asks knows which it means.
    package func traffic(in space: SpaceID, at now: Instant? = nil) -> Traffic {
        var traffic = Traffic()
        for state in sessions.values {
            let device = state.peer.device
            traffic.connected.insert(device)
            guard let shared = state.spaces[space] else {
                if state.hasListed { traffic.withoutSpace.insert(device) }
                continue
            }
            traffic.sharing.insert(device)
            if shared.sending.isUnderWay { traffic.taking.insert(device) }
        }
        // Of two sessions with one device, one may have just begun.
        traffic.withoutSpace.subtract(traffic.sharing)
        traffic.coming = transfers.coming
        traffic.unfit = transfers.unfit.intersection(transfers.stalledBlobs)
        traffic.failed = transfers.stalledBlobs.subtracting(transfers.unfit)
        if let now, let began = sessions.values.map(\.statementsBegan).min() {
            let due = began + Limits.statementsIntervalMilliseconds
            traffic.retryMilliseconds = due - min(due, now.monotonic)
        }
        return traffic
    }
}

extension TransferPlanner {
    /// Blobs that a peer was asked for, or that are being made durable.
    fileprivate var coming: Set<BlobID> {
        let open = bulks.values.filter { !$0.isClosing }
        var coming = Set(open.flatMap { $0.requests.values.map(\.blob) })
        for (blob, fetch) in fetches {
            switch fetch.stage {
            case .preparing, .finishing: coming.insert(blob)
            case .waiting, .listing, .fetching: continue
            }
        }
        return coming.intersection(fetches.keys)
    }
}
