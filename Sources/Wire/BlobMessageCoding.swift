internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

/// The messages about blobs; their chunks travel in frames of their own kind.
extension Peersync_V1_SignedHoldings {
    init(_ holdings: UnverifiedHoldings) {
        self.init()
        self.holdings = Data(holdings.bytes)
        signature = Data(holdings.signature)
    }

    func decoded() throws(WireError) -> UnverifiedHoldings {
        try HoldingsCodec().decode([UInt8](holdings), signature: [UInt8](signature))
    }
}

extension Peersync_V1_Want {
    init(_ want: Want) {
        self.init()
        request = want.request
        spaceID = Data(want.space.bytes)
        blobID = Data(want.blob.bytes)
        list = want.list
        firstChunk = want.firstChunk
        chunkCount = want.chunkCount
    }

    /// Both numbers are bounded, so that their sum is.
    func decoded() throws(WireError) -> Want {
        guard firstChunk <= Limits.chunksPerBlob else { throw .outOfRange("want.first_chunk") }
        guard chunkCount <= Limits.chunksPerBlob else { throw .outOfRange("want.chunk_count") }
        return Want(
            request: request,
            space: try spaceID.identifier("want.space_id"),
            blob: try blobID.identifier("want.blob_id"),
            list: list, firstChunk: firstChunk, chunkCount: chunkCount)
    }
}

extension Peersync_V1_Have {
    init(_ have: Have) {
        self.init()
        request = have.request
        held = have.held
        length = have.length
        chunkHashes = Data(have.chunkHashes.flatMap(\.bytes))
    }

    func decoded() throws(WireError) -> Have {
        guard chunkHashes.count.isMultiple(of: Bytes32.byteCount) else {
            throw .wrongLength("have.chunk_hashes")
        }
        guard chunkHashes.count <= Limits.chunksPerBlob * Bytes32.byteCount else {
            throw .tooMany("have.chunk_hashes")
        }
        var hashes: [Bytes32] = []
        hashes.reserveCapacity(chunkHashes.count / Bytes32.byteCount)
        var rest = chunkHashes[...]
        while !rest.isEmpty {
            hashes.append(try rest.prefix(Bytes32.byteCount).bytes32("have.chunk_hashes"))
            rest = rest.dropFirst(Bytes32.byteCount)
        }
        return Have(
            request: request, held: held,
            length: try length.atMost(Limits.blobBytes, "have.length"), chunkHashes: hashes)
    }
}
