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
final class FileCheck {
    private unowned let world: World
    /// Added files with their spaces.
    private var brought: Set<HeldFile> = []
    /// The time since when a replica lacks an available file.
    private var atHand: [FileAtHand: UInt64] = [:]

    init(world: World) { self.world = world }

    /// Somebody adds a file to a space.
    func bring(_ blob: BlobID, to space: SpaceID) {
        brought.insert(HeldFile(blob: blob, space: space))
    }

    /// A service copies a file that somebody added to one space to another one.
    func follow(_ blob: BlobID, from source: SpaceID, to target: SpaceID) {
        guard brought.contains(HeldFile(blob: blob, space: source)) else { return }
        bring(blob, to: target)
    }

    /// Allowed delays: noticing a dead connection, a new one, a pause between attempts.
    private static let longestFetch: UInt64 = 30_000

    /// Called every few seconds while the network is whole and disks have room.
    func checkFilesAtHand() {
        var found: [FileAtHand: UInt64] = [:]
        for space in world.observer.spaces {
            for group in world.convergence.groups(of: space) {
                do {
                    for file in try filesAtHand(in: space, group) {
                        found[file] = atHand[file] ?? world.timeline.now
                    }
                } catch {
                    world.report.fail("files", "a store does not answer: \(error)")
                }
            }
        }
        atHand = found
        for (file, since) in found.sorted(by: { $0.value < $1.value })
        where world.timeline.now - since > Self.longestFetch {
            world.report.fail(
                "files",
                "\(file.replica) lacks \(short(file.blob)), which \(file.holder) says it holds, "
                    + "connected, for \(world.timeline.now - since) ms")
            atHand[file] = nil
        }
    }

    /// No replica may count a file in a space to which nobody added it: it would give away another
    /// space's data.
    func checkHolders() {
        for replica in world.replicas {
            guard let store = replica.store else { continue }
            for blob in Picture.all.map(\.list.blobID) {
                do {
                    for space in try store.files.spaces(holding: blob)
                    where !brought.contains(HeldFile(blob: blob, space: space)) {
                        world.report.fail(
                            "files",
                            "\(replica.index) holds \(short(blob)) in \(short(space)), to which "
                                + "nobody added it")
                    }
                } catch {
                    world.report.fail("files", "a store does not answer: \(error)")
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
        world.network.links(between: one.index, other.index).contains { number in
            guard let link = world.network.links[number], link.purpose == .session else {
                return false
            }
            return link.ends.allSatisfy { end in
                !end.isDeaf && !end.isClosed && end.number != nil
                    && world.replicas[end.replica].boot == end.boot
            }
        }
    }
}

extension Replica {
    /// False for a file that vanished unnoticed.
    fileprivate func hasBytes(of blob: BlobID) -> Bool {
        storage.shelf.files[blob] != nil || !storage.shelf.lost.contains(blob)
    }
}
