import Archive
import Encryption
import Store
import SyncCore
internal import TestKit
import VirtualDisk

/// A running backup: others write, files vanish and the device may stop meanwhile.
// The services send it between threads, one of which works while all others wait.
final class SimulatedBackup: BackupSource, BackupTarget, @unchecked Sendable {
    /// The device stopped in the middle.
    private struct Stopped: Error {}
    private struct FileGone: Error {}

    private struct ShelfInput: ByteInput {
        let bytes: [UInt8]?
        let length: UInt64

        func read(_ range: Range<UInt64>) throws -> [UInt8] {
            guard let bytes else { throw FileGone() }
            return MemoryInput(bytes).read(range)
        }
    }

    /// The disk with its database.
    let disk: VirtualDisk
    private(set) var files: Set<BlobID> = []
    /// Everything answered before its database was copied.
    private(set) var held: [SpaceID: CommitSet] = [:]
    private let world: World
    private let replica: Replica
    private let boot: Int
    private let listedFirst: [BlobID]

    init(_ world: World, _ replica: Replica) {
        (self.world, self.replica, boot) = (world, replica, replica.boot)
        disk = VirtualDisk(seed: world.random.next())
        listedFirst = replica.storage.shelf.files.keys.sorted()
    }

    func copyStore() throws {
        happen()
        let store = try store()
        held = replica.seen.held
        if world.schedule.canary == .copiesFileAlone {
            disk.restore(replica.disk.snapshot(), as: .copies)
            for name in [VirtualDisk.store + "-wal", "store.mark", "store.heads"] {
                disk.spoil(name) { $0 = [] }
            }
        } else {
            try StoreCopy(of: store).write(to: disk.place())
        }
        happen()
    }

    /// Others' actions meanwhile.
    private func happen() {
        guard world.random.chance(60) else { return }
        if let one = world.random.pick(world.replicas), one.isUp {
            switch world.random.below(3) {
            case 0: world.journaling.addPhoto(one)
            case 1: world.journaling.write(one)
            default: world.workshops.edit(one)
            }
        }
        if world.random.chance(10) { world.files.loseFile(replica) }
        if world.random.chance(5), replica.isUp {
            world.machines.stop(replica, cutsPower: world.random.chance(50))
            world.machines.scheduleRestart(replica, within: 2_000)
        }
        world.pass(world.random.below(200))
    }

    private func store() throws -> SyncStore {
        guard replica.boot == boot, let store = replica.store else { throw Stopped() }
        return store
    }

    // MARK: Its files

    func filesNamed() throws -> [BlobID: UInt64] {
        let files = try store().files.present().map { ($0.blob, $0.size) }
        return Dictionary(files) { first, _ in first }
    }

    func filesHere() async throws -> [(file: BlobID, length: UInt64)] {
        happen()
        _ = try store()
        let isEarly = world.schedule.canary == .listsFilesFirst
        let here = isEarly ? listedFirst : replica.storage.shelf.files.keys.sorted()
        return here.map { ($0, UInt64(replica.storage.shelf.files[$0]?.count ?? 0)) }
    }

    func input(_ file: BlobID, length: UInt64) -> any ByteInput {
        happen()
        return ShelfInput(bytes: replica.storage.shelf.files[file], length: length)
    }

    func absence(of file: BlobID, _ error: any Error) -> BackupAbsence? {
        error is FileGone ? .damaged : nil
    }

    func reportLoss(of file: BlobID) async throws {
        try world.files.lose([file], replica, store())
    }

    func add(_ file: BlobID, _ input: any ByteInput, _ told: (Int) -> Bool) throws -> Bool {
        _ = try store()
        if replica.storage.backedUp[file] == nil {
            replica.storage.backedUp[file] = try input.read(0..<input.length)
        }
        files.insert(file)
        return true
    }

    func keep(_ file: BlobID, length: UInt64, _ told: (Int) -> Bool) throws(BackupError) -> Bool {
        guard replica.storage.backedUp[file] != nil else { return false }
        files.insert(file)
        return true
    }

    func holds(_ file: BlobID) -> Bool { files.contains(file) }
}
