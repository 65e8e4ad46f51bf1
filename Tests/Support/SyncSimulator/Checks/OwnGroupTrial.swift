import Identity
import Journal
import Node
import Records
import Store
import SyncCore
internal import TestKit
import VirtualDisk
import Wire

/// Puts a device back to before it wrote a group, gives it a part of that group back, and lets it write.
package struct OwnGroupTrial {
    private let seed: UInt64
    private let schemas: SchemaCache
    private let member = Member.all[0][0]

    package init(seed: UInt64) throws {
        self.seed = seed
        schemas = try SchemaCache()
    }

    /// Returns in how many logs the device wrote, and how many of its commits count in the end.
    package func run() throws -> (logs: Int, counting: Int) {
        let disk = VirtualDisk(copying: Replica.freshDisk, seed: seed)
        let (space, _) = try open(disk).found(.shared, member.chain)
        let before = disk.snapshot()
        let lost = try open(disk)
        let start = lost.store.ledger(of: space)?.watermark ?? Watermark()
        _ = try lost.write([changes(1), changes(2)], to: space, isSealed: false)
        let group = try lost.store.log.commits(
            of: space, beyond: start, byteLimit: Limits.commitBatchBytes)
        disk.restore(before, as: .sameFiles)
        let work = try open(disk)
        let codec = CommitCodec()
        let first = try group.commits.prefix(1).map { try codec.decode($0.commit) }
        let verified = CommitVerifier(signatures: KnownSignatures())
            .verify(first, keys: work.store.keys)
        _ = try work.store.log.apply(verified.commits, to: space, now: Milliseconds(0))
        _ = try work.write([changes(3)], to: space, isSealed: false)
        let logs = work.store.ledger(of: space)?.watermark.heads.count ?? 0
        return (logs, try work.store.log.changeCount(in: space))
    }

    private func changes(_ number: UInt64) -> ChangeSet {
        var random = SeededGenerator(seed: number)
        return ChangeSet(
            operations: [
                RecordOperation(
                    collection: "memory", record: RecordID(Bytes16(random: &random)),
                    writes: [Write(field: "title", value: .text("\(number)"))])
            ])
    }

    private func open(_ disk: VirtualDisk) throws -> EngineWork {
        try OpenedAgent(
            member, on: disk, KnownSchemas(shelf: schemas, isOutdated: false),
            clock: ReplicaClock(VirtualTime(), skew: 0), random: SharedRandom(seed: seed),
            KnownSignatures()
        ).work
    }
}
