import SyncCore
internal import TestKit

/// The twin of a device's blob files: synced data stays, other data may be lost in a power cut.
struct SimulatedBlobs: Sendable {
    struct Partial: Sendable {
        let list: ChunkList
        var chunks: [Int: [UInt8]] = [:]
    }

    /// Files under their final names, synced with their folder.
    private(set) var files: [BlobID: [UInt8]] = [:]
    private(set) var partials: [BlobID: Partial] = [:]
    /// Files that vanished although they were synced.
    private(set) var lost: Set<BlobID> = []

    /// Continues an earlier transfer; returns the chunks that are there.
    mutating func open(_ list: ChunkList) -> Set<Int> {
        let blob = list.blobID
        if partials[blob]?.list != list { partials[blob] = Partial(list: list) }
        return Set(partials[blob]?.chunks.keys.map { $0 } ?? [])
    }

    /// False if the bytes are not that chunk; nil if no transfer is open.
    mutating func write(_ bytes: [UInt8], chunk index: Int, of blob: BlobID) -> Bool? {
        guard let list = partials[blob]?.list else { return nil }
        guard list.verifies(bytes, asChunk: index) else { return false }
        partials[blob]?.chunks[index] = bytes
        return true
    }

    /// Makes a complete file durable; false when chunks are missing.
    mutating func commit(_ blob: BlobID) -> Bool {
        if files[blob] != nil { return true }
        guard let partial = partials[blob], partial.chunks.count == partial.list.hashes.count
        else { return false }
        files[blob] = partial.list.hashes.indices.flatMap { partial.chunks[$0] ?? [] }
        partials[blob] = nil
        return true
    }

    /// An own file, imported and synced.
    mutating func put(_ bytes: [UInt8], as blob: BlobID) {
        files[blob] = bytes
    }

    /// A file that nobody needs here.
    mutating func remove(_ blob: BlobID) {
        files[blob] = nil
    }

    mutating func lose(_ blob: BlobID) {
        files[blob] = nil
        lost.insert(blob)
    }

    func chunk(_ index: Int, of blob: BlobID) -> [UInt8]? {
        guard let bytes = files[blob],
            let bounds = ChunkList.bounds(ofChunk: index, length: UInt64(bytes.count))
        else { return nil }
        return Array(bytes[Int(bounds.lowerBound)..<Int(bounds.upperBound)])
    }

    /// Chunks of unfinished files survive or not.
    mutating func cutPower(_ random: inout SeededGenerator) {
        for blob in partials.keys.sorted() {
            for index in partials[blob]?.chunks.keys.sorted() ?? [] where random.chance(50) {
                partials[blob]?.chunks[index] = nil
            }
        }
    }
}
