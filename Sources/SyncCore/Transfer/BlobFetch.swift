/// One blob on its way here.
package struct BlobFetch {
    enum Stage {
        /// Nobody was asked yet, or not again.
        case waiting
        /// A peer was asked for the chunk list.
        case listing
        /// The list is here; the shell looks which chunks a broken transfer left.
        case preparing(ChunkList)
        /// Chunks nobody was asked for yet, in order; `missing` also counts those on their way.
        case fetching(ChunkList, unasked: [Int], missing: Set<Int>)
        /// Everything is here; the shell makes it durable.
        case finishing
    }

    let need: BlobNeed
    var stage = Stage.waiting
    /// Tries that ended without the blob.
    package var failures = 0
    var notBefore: UInt64 = 0
    /// How often a device said that it lacks the blob.
    var refusals = 0
    /// Who said that it lacks the blob, and when to ask again.
    var lacking: [Source: UInt64] = [:]

    /// Where a blob can be asked for: a device may refuse it in a space that this device was shut out
    /// of, and give it in another one.
    struct Source: Hashable {
        let device: DeviceID
        /// Nil: in every space.
        let space: SpaceID?
    }

    package init(need: BlobNeed) { self.need = need }

    /// First thumbnails, then what is small, then full-resolution media and tracks, the largest
    /// last (J7).
    var priority: (Int, UInt64) {
        switch need.kind {
        case .thumbnail: (0, need.size)
        case _ where need.size < UInt64(Limits.chunkBytes): (1, need.size)
        case .track: (2, need.size)
        case .original: (3, need.size)
        }
    }

    var isWaiting: Bool {
        if case .waiting = stage { true } else { false }
    }

    /// Whether there are chunks that nobody was asked for yet.
    var isUnasked: Bool {
        if case .fetching(_, let unasked, _) = stage { !unasked.isEmpty } else { false }
    }

    func mayAsk(_ device: DeviceID, in space: SpaceID, at now: UInt64) -> Bool {
        guard !lacking.isEmpty else { return true }
        return [nil, space].allSatisfy { now >= lacking[Source(device: device, space: $0)] ?? 0 }
    }

    mutating func forgetRefusals(of device: DeviceID) {
        lacking = lacking.filter { $0.key.device != device }
        refusals = 0
    }

    /// When a device may be asked again, in one space after the other.
    func waits(for device: DeviceID) -> [UInt64] {
        let pauses = lacking.filter { $0.key.device == device }.values
        return pauses.isEmpty ? [notBefore] : pauses.map { max(notBefore, $0) }
    }

    /// When to try again after a failure: 1 s, doubled each time, at most 30 s, spread over a
    /// quarter by the blob's own id so that many blobs do not come back at once (J8).
    package func backoff() -> UInt64 {
        let base = min(
            Limits.blobRetryMilliseconds << UInt64(min(max(failures, 1) - 1, 8)),
            Limits.blobRetryCapMilliseconds)
        let spread = UInt64(need.blob.bytes.first ?? 0) * (base / 4) / 256
        return base + spread
    }
}

/// What a bulk connection was asked for and has not answered in full.
package struct BlobRequest {
    enum Kind {
        /// With the only chunk, when the blob was said to have one.
        case list(withChunk: Bool)
        case chunks(remaining: Set<Int>)
    }

    let blob: BlobID
    let space: SpaceID
    var kind: Kind
    let bytes: UInt64
}

/// One connection for blobs.
package struct BulkState {
    let device: DeviceID
    package internal(set) var requests: [UInt32: BlobRequest] = [:]
    var nextRequest: UInt32 = 1
    /// When the connection counts as stuck, while it has requests: requests are answered one after
    /// the other, so what comes for one of them is progress for all.
    var deadline: UInt64 = 0
    /// It was told to close: nothing is asked or taken any more.
    var isClosing = false

    var outstandingBytes: UInt64 { requests.values.reduce(0) { $0 + $1.bytes } }

    /// When it counts as stuck; nil when nothing was asked.
    var waitsUntil: UInt64? { requests.isEmpty || isClosing ? nil : deadline }

    var hasRoom: Bool {
        !isClosing && requests.count < Limits.blobRequestsPerConnection
            && outstandingBytes < Limits.blobBytesInFlight
    }
}

extension Limits {
    // MARK: Transfers

    /// Requests on one bulk connection that wait for their answer.
    package static let blobRequestsPerConnection = 32
    /// Bytes asked for on one bulk connection and not here yet.
    package static let blobBytesInFlight: UInt64 = 16 << 20
    /// Chunks of one request: small enough that several connections share a large file.
    package static let chunksPerRequest = 4
    /// Requests without any progress for this long mean that the connection is stuck.
    package static let blobRequestMilliseconds: UInt64 = 30_000
    /// First pause after a failed try; doubled each time.
    package static let blobRetryMilliseconds: UInt64 = 1_000
    package static let blobRetryCapMilliseconds: UInt64 = 30_000
    /// Tries before a blob waits for the next connection.
    package static let blobTries = 3
    /// How long to wait before a device that lacked a blob is asked again.
    package static let blobLackingMilliseconds: UInt64 = 2_000
}
