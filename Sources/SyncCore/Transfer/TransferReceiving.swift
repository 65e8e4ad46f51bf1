/// What comes on connections for blobs, and from the disk.
extension TransferPlanner {
    mutating func receive(_ message: PeerMessage, on bulk: BulkID) -> [EngineAction] {
        guard bulks[bulk]?.isClosing == false else { return [] }
        switch message {
        case .have(let have): return receive(have, on: bulk)
        case .ping(let token): return [.sendBulk(bulk, .pong(token: token))]
        case .pong, .bye, .condition, .unknown: return []
        default: return hangUp(bulk)
        }
    }

    private mutating func receive(_ have: Have, on bulk: BulkID) -> [EngineAction] {
        noteProgress(on: bulk)
        guard let request = bulks[bulk]?.requests[have.request] else { return hangUp(bulk) }
        guard case .list(let withChunk) = request.kind else {
            // A holder that lost the blob between list and chunks.
            guard !have.held else { return hangUp(bulk) }
            bulks[bulk]?.requests[have.request] = nil
            refuse(request, bulk)
            return []
        }
        let chunkFollows = withChunk && have.held && !have.chunkHashes.isEmpty
        if chunkFollows {
            bulks[bulk]?.requests[have.request]?.kind = .chunks(remaining: [0])
        } else {
            bulks[bulk]?.requests[have.request] = nil
        }
        guard have.held else {
            refuse(request, bulk)
            return []
        }
        guard let fetch = wanted[request.blob], fetch.lacksList else { return [] }
        // Its chunk is waited for, also when another device was asked for the list meanwhile.
        bulks[bulk]?.requests[have.request]?.isReleased = false
        guard let list = try? ChunkList(length: have.length, hashes: have.chunkHashes),
            list.blobID == request.blob
        else {
            avoid(bulk, for: request.blob)
            return hangUp(bulk) + wanted.retry(request.blob, at: now)
        }
        wanted.move(request.blob, to: request.space)
        return listed(list, fetch.need.moved(to: request.space), chunkFollows: chunkFollows)
    }

    /// The list decides how many chunks there are, whatever size the naming commit gave.
    private mutating func listed(
        _ list: ChunkList, _ need: BlobNeed, chunkFollows: Bool
    ) -> [EngineAction] {
        precondition(
            wanted[need.blob]?.need.space == need.space,
            "\(need.blob) counts in another space than it comes in")
        switch list.hashes.count {
        case 0:
            wanted.setStage(.finishing, of: need.blob)
            return [.storeSmallBlob(need, list, bytes: [])]
        case 1:
            // Its only chunk follows in answer to the same request, or is asked for now.
            wanted.setStage(
                .fetching(
                    list, unasked: chunkFollows ? [] : [0], missing: [0]), of: need.blob)
            if !chunkFollows { wanted.insertLarge(need.blob) }
            return []
        default:
            wanted.setStage(.preparing(list), of: need.blob)
            return [.prepareBlob(need, list)]
        }
    }

    mutating func receive(
        _ bytes: [UInt8], request: UInt32, index: Int, on bulk: BulkID
    ) -> [EngineAction] {
        guard bulks[bulk]?.isClosing == false else { return [] }
        noteProgress(on: bulk)
        guard var pending = bulks[bulk]?.requests[request],
            case .chunks(var remaining) = pending.kind, remaining.remove(index) != nil
        else { return hangUp(bulk) }
        pending.kind = .chunks(remaining: remaining)
        bulks[bulk]?.requests[request] = remaining.isEmpty ? nil : pending
        guard let fetch = wanted[pending.blob], fetch.need.space == pending.space,
            case .fetching(let list, _, let missing) = fetch.stage, missing.contains(index)
        else { return [] }
        guard list.hashes.count == 1 else {
            return [.writeChunk(pending.blob, index: index, bytes: bytes, from: bulk)]
        }
        guard bytes.count < Limits.smallBlobBytes else {
            return [
                .prepareBlob(fetch.need, list),
                .writeChunk(pending.blob, index: index, bytes: bytes, from: bulk),
            ]
        }
        guard list.verifies(bytes, asChunk: index) else {
            avoid(bulk, for: pending.blob)
            return hangUp(bulk) + wanted.retry(pending.blob, at: now)
        }
        wanted.setStage(.finishing, of: pending.blob)
        return [.storeSmallBlob(fetch.need, list, bytes: bytes)]
    }

    mutating func prepared(_ blob: BlobID, _ present: Set<Int>) -> [EngineAction] {
        guard let fetch = wanted[blob], case .preparing(let list) = fetch.stage else { return [] }
        let missing = Set(list.hashes.indices).subtracting(present)
        guard !missing.isEmpty else {
            wanted.setStage(.finishing, of: blob)
            return [.finishBlob(fetch.need, list)]
        }
        wanted.setStage(.fetching(list, unasked: missing.sorted(), missing: missing), of: blob)
        wanted.insertLarge(blob)
        return []
    }

    mutating func written(
        _ blob: BlobID, _ index: Int, _ valid: Bool, from bulk: BulkID
    ) -> [EngineAction] {
        // A slow disk keeps the next chunk from being read.
        if bulks[bulk]?.isClosing == false { noteProgress(on: bulk) }
        guard let fetch = wanted[blob],
            case .fetching(let list, var unasked, var missing) = fetch.stage
        else { return valid ? [] : hangUp(bulk) }
        guard valid else {
            // A wrong chunk costs the peer its connection; others are asked for it first.
            avoid(bulk, for: blob)
            if list.hashes.count == 1 { return hangUp(bulk) + wanted.retry(blob, at: now) }
            wanted.reask(index, of: blob)
            return hangUp(bulk)
        }
        wanted.noteSuccess(of: blob)
        missing.remove(index)
        // Others may have been asked for it again while it was written.
        unasked.removeAll { $0 == index }
        guard missing.isEmpty else {
            wanted.setStage(.fetching(list, unasked: unasked, missing: missing), of: blob)
            return []
        }
        wanted.setStage(.finishing, of: blob)
        return [.finishBlob(fetch.need, list)]
    }
}
