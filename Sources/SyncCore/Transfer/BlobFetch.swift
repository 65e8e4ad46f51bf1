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

        var isSettling: Bool {
            switch self {
            case .preparing, .finishing: true
            case .waiting, .listing, .fetching: false
            }
        }

        /// Whether chunks that are to be asked for are missing, and there are chunks with these numbers.
        var isCoherent: Bool {
            guard case .fetching(let list, let unasked, let missing) = self else { return true }
            return !missing.isEmpty && missing.isSubset(of: list.hashes.indices)
                && missing.isSuperset(of: unasked)
                && Set(unasked).count == unasked.count
        }
    }

    /// Its space is the one it is asked for in; of those that wait, the one to be asked first.
    var need: BlobNeed
    var stage = Stage.waiting
    /// Tries that ended without the blob, since a device connected last.
    package var failures = 0
    var notBefore: UInt64 = 0

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

    var isListing: Bool {
        if case .listing = stage { true } else { false }
    }

    /// Whether a list is of use: also one that comes late, when another device is to be asked.
    var lacksList: Bool {
        switch stage {
        case .waiting, .listing: true
        case .preparing, .fetching, .finishing: false
        }
    }

    /// Whether nothing of it is here or asked for.
    var isAtBeginning: Bool {
        switch stage {
        case .waiting: true
        case .fetching(let list, let unasked, _): list.hashes.count == 1 && !unasked.isEmpty
        case .listing, .preparing, .finishing: false
        }
    }

    /// Whether there are chunks that nobody was asked for yet.
    var isUnasked: Bool {
        if case .fetching(_, let unasked, _) = stage { !unasked.isEmpty } else { false }
    }

    /// When to try again after a failure: 1 s, doubled each time up to `cap`, spread over a quarter
    /// by the blob's own id so that many blobs do not come back at once (J8).
    package func backoff(cap: UInt64 = Limits.blobRetryCapMilliseconds) -> UInt64 {
        let base = min(Limits.blobRetryMilliseconds << UInt64(min(max(failures, 1) - 1, 8)), cap)
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
    /// Nothing came for a while, so others may be asked for the same.
    var isReleased = false

    private var isRun: Bool {
        guard case .chunks(let remaining) = kind else { return true }
        guard let first = remaining.min(), let last = remaining.max() else { return false }
        return last - first + 1 == remaining.count
    }

    /// The message that asks for it; chunks are a run without gaps.
    func want(_ number: UInt32) -> Want {
        let (isList, first, count) =
            switch kind {
            case .list(let withChunk): (true, 0, withChunk ? 1 : 0)
            case .chunks(let remaining): (false, remaining.min() ?? 0, remaining.count)
            }
        precondition(count <= Limits.chunksPerRequest, "\(count) chunks at once")
        precondition(isRun, "request \(number) has a gap between its chunks")
        return Want(
            request: number, space: space, blob: blob, list: isList,
            firstChunk: UInt32(first), chunkCount: UInt32(count))
    }
}

/// One connection for blobs.
package struct BulkState {
    let device: DeviceID
    package internal(set) var requests: [UInt32: BlobRequest] = [:]
    var nextRequest: UInt32 = 1
    /// When something came last, or was asked for after a rest. Requests are answered one after the
    /// other, so what comes for one of them is progress for all.
    var lastProgress: UInt64 = 0
    /// Its requests were released.
    var isStalled = false
    /// It was told to close: nothing is asked or taken any more.
    var isClosing = false
    /// Nothing could be asked for at this state of the planner, nor can before this time.
    var exhausted: (revision: UInt64, until: UInt64)?

    /// Whether it was asked for the list of a blob, and nobody else is to be.
    func isListing(_ blob: BlobID) -> Bool {
        requests.values.contains { request in
            guard case .list = request.kind, request.blob == blob else { return false }
            return !request.isReleased
        }
    }

    /// Whether each request is still owed something, and all of them fit the window.
    var isCoherent: Bool {
        let most = Limits.blobBytesInFlight + UInt64(Limits.chunksPerRequest * Limits.chunkBytes)
        return requests.count <= Limits.blobRequestsPerConnection && outstandingBytes < most
            && requests.values.allSatisfy { request in
                if case .chunks(let remaining) = request.kind { !remaining.isEmpty } else { true }
            }
    }

    var outstandingBytes: UInt64 { requests.values.reduce(0) { $0 + $1.bytes } }

    /// When something is to be done about it; nil when nothing was asked.
    var deadline: UInt64? {
        guard !requests.isEmpty, !isClosing else { return nil }
        return lastProgress
            + (isStalled ? Limits.blobSilenceMilliseconds : Limits.blobStallMilliseconds)
    }

    var hasRoom: Bool {
        !isClosing && !isStalled && requests.count < Limits.blobRequestsPerConnection
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
    /// After so long without a byte others are asked for the same.
    package static let blobStallMilliseconds: UInt64 = 3_000
    /// After so long without a byte a connection counts as dead: a disk that has to spin up takes
    /// some seconds, and on a slow network bytes still come.
    package static let blobSilenceMilliseconds: UInt64 = 10_000
    /// First pause after a failed try; doubled each time.
    package static let blobRetryMilliseconds: UInt64 = 1_000
    package static let blobRetryCapMilliseconds: UInt64 = 30_000
    /// The same where a connection ended: the next one may be good.
    package static let bulkRetryCapMilliseconds: UInt64 = 8_000
    /// Failed tries after which it is shown.
    package static let blobTries = 3
    /// How long to wait before a device is asked again that refused what it says it holds; doubled
    /// each time.
    package static let blobRefusalMilliseconds: UInt64 = 2_000
}
