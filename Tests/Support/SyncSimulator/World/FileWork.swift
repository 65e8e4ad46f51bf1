import Node
import Store
import SyncCore

/// The twin of the agent's work on files: first the file is durable, then its row.
struct FileWork {
    let world: World

    func carryOut(_ action: EngineAction, _ replica: Replica) {
        do {
            switch action {
            case .prepareBlob(let need, let list):
                try prepare(need, list, replica)
            case .writeChunk(let blob, let index, let bytes, let bulk):
                let isValid =
                    replica.storage.again[blob].map { $0.verifies(bytes, asChunk: index) }
                    ?? replica.storage.shelf.write(bytes, chunk: index, of: blob)
                let event: EngineEvent =
                    isValid.map { .chunkWritten(blob, index: index, valid: $0, from: bulk) }
                    ?? .blobFailed(blob)
                world.engines.post([event], to: replica)
            case .storeSmallBlob(let need, _, let bytes):
                try replica.store?.files.storeSmall(
                    [(need.blob, bytes)], in: need.space, now: replica.clock.wall)
                try finished(need.blob, replica)
            case .finishBlob(let need, let list):
                try keep(need, list, replica)
            case .serve(let bulk, let want): try serve(want, on: bulk, replica)
            default: break
            }
        } catch {
            world.machines.couldNotWrite("files", error, replica)
            guard replica.isUp else { return }
            switch action {
            case .storeSmallBlob(let need, _, _), .finishBlob(let need, _):
                // Like the product: a file that did not fit waits for room.
                guard case StoreError.diskFull = error else {
                    return world.engines.post([.blobFailed(need.blob)], to: replica)
                }
                world.engines.post([.blobDidNotFit(need.blob, bytes: need.size)], to: replica)
            default: break
            }
        }
    }

    private func prepare(_ need: BlobNeed, _ list: ChunkList, _ replica: Replica) throws {
        replica.storage.again[need.blob] = nil
        guard try replica.store?.files.blob(need.blob)?.isPresent == true else {
            let present = replica.storage.shelf.open(list)
            return world.engines.post([.blobPrepared(need.blob, present: present)], to: replica)
        }
        // Another space holds it: the received bytes are only verified.
        replica.storage.again[need.blob] = list
        world.engines.post([.blobPrepared(need.blob, present: [])], to: replica)
    }

    private func keep(_ need: BlobNeed, _ list: ChunkList, _ replica: Replica) throws {
        let isKept: Bool
        if replica.storage.again.removeValue(forKey: need.blob) != nil {
            isKept = try replica.store?.files.hold([need.blob], in: need.space).isEmpty ?? false
        } else {
            isKept = replica.storage.shelf.commit(need.blob)
            if isKept {
                try replica.store?.files.markPresent(
                    [(need.blob, list)], in: need.space, now: replica.clock.wall)
            }
        }
        guard isKept else { return world.engines.post([.blobFailed(need.blob)], to: replica) }
        try finished(need.blob, replica)
    }

    /// A file is here: it need not be requested in any space in which it counts.
    func finished(_ blob: BlobID, _ replica: Replica) throws {
        guard let store = replica.store else { return }
        world.engines.post(
            [.blobFinished(blob, in: try store.files.spaces(holding: blob))], to: replica)
    }

    /// A blob is served only under a space that holds it and that the requester may read today.
    private func serve(_ want: Want, on bulk: BulkID, _ replica: Replica) throws {
        guard let place = replica.connections.bulks[bulk.number],
            let link = world.network.links[place.link],
            let store = replica.store
        else { return }
        let asker = world.replicas[link.ends[1 - place.end].replica]
        let rights =
            store.ledger(of: want.space)?.membership.permissions(of: asker.device) ?? []
        let isSealed = !rights.contains(.read)
        guard rights.mayHold,
            try store.files.servedKind(of: want.blob, in: want.space, isSealed: isSealed) != nil,
            let list = try chunkList(of: want.blob, replica, store)
        else {
            let have = Have(request: want.request, held: false, length: 0, chunkHashes: [])
            return world.network.put(.have(have), place, replica)
        }
        if want.list {
            world.network.put(
                .have(
                    Have(
                        request: want.request, held: true, length: list.length,
                        chunkHashes: list.hashes)), place, replica)
        }
        let (end, overflow) = want.firstChunk.addingReportingOverflow(want.chunkCount)
        guard want.chunkCount > 0, !list.hashes.isEmpty else { return }
        guard !overflow, Int(end) <= list.hashes.count else {
            return world.network.close(bulk, replica)
        }
        let small = try store.files.smallContent(of: want.blob)
        for index in want.firstChunk..<end {
            guard let bytes = small ?? replica.storage.shelf.chunk(Int(index), of: want.blob) else {
                if !replica.storage.shelf.lost.contains(want.blob) {
                    world.report.fail(
                        "durability", "\(replica.index) lost the file \(short(want.blob))")
                }
                let have = Have(request: want.request, held: false, length: 0, chunkHashes: [])
                world.network.put(.have(have), place, replica)
                return try lose([want.blob], replica, store)
            }
            world.network.transmit(
                .chunk(request: want.request, index: index, bytes: bytes), place.link,
                from: place.end)
        }
    }

    /// A file vanishes from the disk; it is noticed only at the next access.
    func loseFile(_ replica: Replica) {
        guard let blob = world.random.pick(replica.storage.shelf.files.keys.sorted()) else {
            return
        }
        world.report.trace.note(
            "lose", UInt64(replica.index), text: "\(replica.index) \(short(blob))")
        replica.storage.shelf.lose(blob)
    }

    /// A replica's reaction to missing files that counted as present.
    func lose(_ blobs: [BlobID], _ replica: Replica, _ store: SyncStore) throws {
        try store.files.markMissing(blobs)
        for space in Set(try blobs.flatMap { try store.files.spaces(naming: $0) }).sorted() {
            let needs = try store.files.missing(of: space).filter { blobs.contains($0.blob) }
            world.engines.post([.blobsNeeded(needs.map { BlobNeed($0, in: space) })], to: replica)
        }
    }

    /// Like an agent at its start.
    func compareFiles(of replica: Replica, _ store: SyncStore) throws {
        let gone = try store.files.present().map(\.blob)
            .filter { replica.storage.shelf.files[$0] == nil }.sorted()
        if !gone.isEmpty { try lose(gone, replica, store) }
        // Freed ones that were not removed in time.
        for blob in try store.freedFiles.all() where replica.storage.shelf.files[blob] != nil {
            guard let list = try store.files.chunkList(of: blob) else { continue }
            try store.files.markFound(
                [(blob, list)], namedBy: replica.device, now: replica.clock.wall)
            try finished(blob, replica)
        }
    }

    private func chunkList(
        of blob: BlobID, _ replica: Replica, _ store: SyncStore
    ) throws -> ChunkList? {
        guard let stored = try store.files.blob(blob), stored.isPresent else { return nil }
        if let list = try store.files.chunkList(of: blob) { return list }
        return try store.files.smallContent(of: blob).map { try BlobHash.chunkList(of: $0) }
    }
}

/// Files that people add: made once, because hashing large ones takes time.
struct Picture: Sendable {
    let bytes: [UInt8]
    let list: ChunkList

    var isSmall: Bool { bytes.count < Limits.smallBlobBytes }

    /// Small ones, two that go over the path of large files, and one of two chunks.
    static let all: [Picture] = [300, 900, 2_000, 5_000, 66_000, 70_000, Limits.chunkBytes + 99]
        .map { count in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
            do {
                return Picture(bytes: bytes, list: try BlobHash.chunkList(of: bytes))
            } catch {
                preconditionFailure("\(count) bytes are a blob: \(error)")
            }
        }
}

extension World {
    var files: FileWork { FileWork(world: self) }
}
