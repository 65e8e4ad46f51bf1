import SyncCore

/// A blob of which only the list of chunks exists: the planner never looks into large chunks.
struct TestBlob: Sendable {
    let list: ChunkList
    let need: BlobNeed
    /// The content, of a small blob.
    let bytes: [UInt8]

    static let space = SpaceID(sha256([1]))

    /// A blob of so many chunks; `named` is the size that the naming commit gives, if another.
    init?(
        _ number: UInt64, chunks: Int, kind: NamedBlobKind = .original, named: UInt64? = nil,
        space: SpaceID = TestBlob.space
    ) {
        let hashes = (0..<chunks).map { sha256(bigEndian(number) + bigEndian(UInt64($0))) }
        let length = UInt64(chunks * Limits.chunkBytes)
        guard let list = try? ChunkList(length: length, hashes: hashes) else { return nil }
        self.list = list
        bytes = []
        need = BlobNeed(blob: list.blobID, space: space, size: named ?? length, kind: kind)
    }

    /// A blob with real content of less than one chunk.
    init?(
        _ number: UInt64, bytes count: Int, kind: NamedBlobKind = .thumbnail,
        named: UInt64? = nil
    ) {
        bytes = Array(repeating: UInt8(truncatingIfNeeded: number), count: count)
        guard let list = try? BlobHash.chunkList(of: bytes + []) else { return nil }
        self.list = list
        need = BlobNeed(
            blob: list.blobID, space: TestBlob.space, size: named ?? UInt64(count), kind: kind)
    }

    var id: BlobID { need.blob }

    func have(_ request: UInt32) -> Have {
        Have(request: request, held: true, length: list.length, chunkHashes: list.hashes)
    }
}

/// A planner with the clock of a test; every connected device shares every space, or those said.
struct Porter {
    var planner = TransferPlanner()
    var now: UInt64 = 1_000
    var strangers: Set<DeviceID> = []
    var sharedSpaces: Set<SpaceID>?

    mutating func handle(_ event: EngineEvent) -> [EngineAction] {
        let instant = Instant(now)
        return planner.handle(event, at: instant) + next()
    }

    mutating func next() -> [EngineAction] {
        let (strangers, sharedSpaces) = (strangers, sharedSpaces)
        return planner.nextActions(at: Instant(now)) { device, space in
            !strangers.contains(device) && sharedSpaces?.contains(space) ?? true
        }
    }

    mutating func open(_ bulk: UInt64, _ device: TestDevice) -> [EngineAction] {
        handle(.bulkOpened(BulkID(bulk), device.id))
    }

    mutating func want(_ blobs: TestBlob...) -> [EngineAction] {
        handle(.blobsNeeded(blobs.map(\.need)))
    }

    /// It is durable, for these spaces or for the one it was wanted in.
    mutating func finish(_ blob: TestBlob, in spaces: Set<SpaceID>? = nil) -> [EngineAction] {
        handle(.blobFinished(blob.id, in: spaces ?? [blob.need.space]))
    }

    mutating func have(_ bulk: UInt64, _ have: Have) -> [EngineAction] {
        handle(.bulkReceived(BulkID(bulk), .have(have)))
    }

    mutating func chunk(
        _ bulk: UInt64, _ request: UInt32, _ index: Int, _ bytes: [UInt8] = []
    ) -> [EngineAction] {
        handle(
            .chunkReceived(BulkID(bulk), request: request, index: UInt32(index), bytes: bytes))
    }

    mutating func written(
        _ blob: TestBlob, _ index: Int, valid: Bool = true, from bulk: UInt64
    ) -> [EngineAction] {
        handle(.chunkWritten(blob.id, index: index, valid: valid, from: BulkID(bulk)))
    }
}

extension [EngineAction] {
    func wants(on bulk: UInt64? = nil) -> [Want] {
        compactMap { action in
            guard case .sendBulk(let on, .want(let want)) = action else { return nil }
            return bulk.map { BulkID($0) == on } ?? true ? want : nil
        }
    }

    var closedBulks: [BulkID] {
        compactMap { if case .closeBulk(let bulk) = $0 { bulk } else { nil } }
    }

    var prepares: Int { count { if case .prepareBlob = $0 { true } else { false } } }
    var writes: Int { count { if case .writeChunk = $0 { true } else { false } } }
    var finishes: Int { count { if case .finishBlob = $0 { true } else { false } } }

    var stored: [[UInt8]] {
        compactMap { if case .storeSmallBlob(_, _, let bytes) = $0 { bytes } else { nil } }
    }

    /// The spaces for which something was handed on whole, or is to be prepared.
    var storedIn: [SpaceID] {
        compactMap { if case .storeSmallBlob(let need, _, _) = $0 { need.space } else { nil } }
    }

    var preparedIn: [SpaceID] {
        compactMap { if case .prepareBlob(let need, _) = $0 { need.space } else { nil } }
    }

    var stalled: [BlobID] {
        compactMap { if case .blobStalled(let need) = $0 { need.blob } else { nil } }
    }
}
