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
    /// Blobs that failed three times; they are tried again later.
    package var failed: Set<BlobID> = []
    /// Until the first of those is tried again; nil without any.
    package var retryMilliseconds: UInt64?
    /// Wanted blobs that a device did not have when it was asked, whatever it said before.
    package var refused: [DeviceID: Set<BlobID>] = [:]
    /// Blobs that wait for room on the disk.
    package var unfit: Set<BlobID> = []

    package init() {}
}

extension Engine {
    /// Blobs of all spaces that wait for room on the disk.
    package var unfitBlobs: Set<BlobID> { own.transfers.wanted.unfitBlobs }
    /// Blobs of all spaces that the shell prepares or makes durable.
    package var settlingBlobs: Set<BlobID> { own.transfers.wanted.settling }
    /// This device.
    package var device: DeviceID { own.spaces.device }

    /// Blobs are those of all spaces: the caller knows which ones it means.
    package func traffic(in space: SpaceID, at now: Instant) -> Traffic {
        own.traffic(with: sessions, in: space, at: now)
    }

    /// For how many milliseconds a peer has passed on commits and left out what comes before them; 0 when
    /// all that it sent is here. Of a space that one of both may not have any more nothing is owed.
    package func gap(on session: SessionID, at now: Instant) -> UInt64 {
        let since = sessions[session]?.spaces.values.compactMap { shared in
            let isOwed =
                spaces[shared.space] == nil
                || spaces.isHeld(shared.space, with: shared.peer.device)
            return isOwed ? shared.receiving.gapSince : nil
        }.min()
        return now.monotonic - min(since ?? now.monotonic, now.monotonic)
    }
}

extension OwnState {
    fileprivate func traffic(
        with sessions: Sessions, in space: SpaceID, at now: Instant
    ) -> Traffic {
        var traffic = Traffic()
        for state in sessions.all {
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
        traffic.unfit = transfers.wanted.unfitBlobs
        traffic.failed = transfers.wanted.failed
        traffic.retryMilliseconds = transfers.wanted.nextRetry.map {
            max($0, now.monotonic) - now.monotonic
        }
        traffic.refused = transfers.wanted.refusals.lasting(in: space)
        return traffic
    }
}

extension Sessions {
    /// For how many milliseconds something that a peer was sent has no answer; 0 when nothing waits.
    package func waiting(on session: SessionID, at now: Instant) -> UInt64 {
        self[session]?.silence.waiting(at: now) ?? 0
    }
}
