import Journal
import Node
import Records
import Store
import SyncCore
internal import TestKit
import VirtualDisk

/// Cuts the power while a device founds an encrypted space, and checks the result.
package struct FoundingTrial {
    package struct Report {
        /// Power cuts after which the space was not there, and after which it was.
        package var absent = 0
        package var encrypted = 0
        /// Cuts after which the space was there and the next writes would have been readable for
        /// anybody.
        package var plain = 0
    }

    private let seed: UInt64
    private let schemas: SchemaCache
    private let member = Member.all[0][0]

    package init(seed: UInt64) throws {
        self.seed = seed
        schemas = try SchemaCache()
    }

    /// One cut for each call of a kind, until the founding has no more calls.
    package func run() throws -> Report {
        var report = Report()
        for call in [VirtualDisk.Call.write, .sync] {
            var calls = 0
            while try cut(after: calls, of: call, &report) { calls += 1 }
        }
        return report
    }

    /// Returns whether the power failed before the founding was complete.
    private func cut(
        after calls: Int, of call: VirtualDisk.Call, _ report: inout Report
    ) throws -> Bool {
        let disk = VirtualDisk(copying: Replica.freshDisk, seed: seed &+ UInt64(calls))
        var random = SeededGenerator(seed: seed &+ UInt64(calls))
        let work = try open(disk)
        disk.losePower(after: calls, of: call)
        var wasCut = false
        do {
            _ = try work.found(.shared, member.chain, isEncrypted: true)
        } catch is StoreError {
            wasCut = true
        }
        disk.mend()
        disk.powerCut(random: &random)
        let store = try open(disk).store
        let found = try store.spaces.all().compactMap { store.ledger(of: $0.space)?.membership }
        switch found.first?.isEncrypted {
        case nil: report.absent += 1
        case true?: report.encrypted += 1
        case false?: report.plain += 1
        }
        return wasCut
    }

    private func open(_ disk: VirtualDisk) throws -> EngineWork {
        try OpenedAgent(
            member, on: disk, KnownSchemas(shelf: schemas, isOutdated: false),
            clock: ReplicaClock(VirtualTime(), skew: 0), random: SharedRandom(seed: seed),
            KnownSignatures()
        ).work
    }
}
