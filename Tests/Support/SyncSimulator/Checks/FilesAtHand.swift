import Store
import SyncCore

/// A file that a replica lacks and that a connected one announces.
struct FileAtHand: Hashable {
    let replica: Int
    let holder: Int
    let blob: BlobID
}

/// A file in a space that somebody added it to.
struct HeldFile: Hashable {
    let blob: BlobID
    let space: SpaceID
}

/// Whether available files are fetched, after any earlier events.
extension World {
    /// Allowed delays: noticing a dead connection, a new one, a pause between attempts.
    private static let longestFetch: UInt64 = 30_000

    /// Called every few seconds while the network is whole and disks have room.
    func checkFilesAtHand() {
        var found: [FileAtHand: UInt64] = [:]
        for space in spaces {
            for group in groups(of: space) {
                do {
                    for file in try filesAtHand(in: space, group) {
                        found[file] = atHand[file] ?? now
                    }
                } catch {
                    fail("files", "a store does not answer: \(error)")
                }
            }
        }
        atHand = found
        for (file, since) in found.sorted(by: { $0.value < $1.value })
        where now - since > Self.longestFetch {
            fail(
                "files",
                "\(file.replica) lacks \(short(file.blob)), which \(file.holder) says it holds, "
                    + "connected, for \(now - since) ms")
            atHand[file] = nil
        }
    }

    /// No replica may count a file in a space to which nobody added it: it would give away another
    /// space's data.
    func checkHolders() {
        for replica in replicas {
            guard let store = replica.store else { continue }
            for blob in Picture.all.map(\.list.blobID) {
                do {
                    for space in try store.files.spaces(holding: blob)
                    where !brought.contains(HeldFile(blob: blob, space: space)) {
                        fail(
                            "files",
                            "\(replica.index) holds \(short(blob)) in \(short(space)), to which "
                                + "nobody added it")
                    }
                } catch {
                    fail("files", "a store does not answer: \(error)")
                }
            }
        }
    }

    private func filesAtHand(in space: SpaceID, _ group: [Replica]) throws -> [FileAtHand] {
        var files: [FileAtHand] = []
        for replica in group {
            guard let store = replica.store else { continue }
            let missing = try store.files.missing(of: space)
            guard !missing.isEmpty else { continue }
            let said = try store.statements.holdings(of: space).map(\.said)
            for holder in group where holder.index != replica.index && areConnected(replica, holder)
            {
                guard let word = said.first(where: { $0.device == holder.device }) else { continue }
                for need in missing where !word.missing.contains(need.blob) {
                    guard
                        try holder.store?.files.spaces(holding: need.blob).contains(space) == true,
                        holder.hasBytes(of: need.blob)
                    else { continue }
                    files.append(
                        FileAtHand(
                            replica: replica.index, holder: holder.index, blob: need.blob))
                }
            }
        }
        return files
    }

    /// Whether both have the same session, and can use it.
    private func areConnected(_ one: Replica, _ other: Replica) -> Bool {
        links(between: one.index, other.index).contains { number in
            guard let link = links[number], link.purpose == .session else { return false }
            return link.ends.allSatisfy { end in
                !end.isDeaf && !end.isClosed && end.number != nil
                    && replicas[end.replica].boot == end.boot
            }
        }
    }
}

extension Replica {
    /// False for a file that vanished unnoticed.
    fileprivate func hasBytes(of blob: BlobID) -> Bool {
        shelf.files[blob] != nil || !shelf.lost.contains(blob)
    }
}
