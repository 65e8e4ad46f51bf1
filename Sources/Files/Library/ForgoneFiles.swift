package import Device
internal import Node
internal import Records
internal import Store
package import SyncCore
internal import Synchronization

/// Gives up files for which the disk has no room and that only deleted records name: nobody waits for them. They are
/// wanted again once one of these records is restored, or there is room.
package final class ForgoneFiles: Sendable {
    /// Files that all are needed.
    private struct Needed: Equatable {
        /// ``SyncStore/version``.
        let version: UInt64
        let files: Set<BlobID>
    }

    private let node: AgentNode
    private let unneeded: @Sendable (Set<BlobID>) throws -> [BlobID]
    private let needed = Mutex<Needed?>(nil)

    package convenience init(_ node: AgentNode) {
        self.init(node) { try FreeableFiles(node).unneeded(among: $0) }
    }

    /// `unneeded` finds those of some files that nobody waits for, in the store alone.
    package init(
        _ node: AgentNode, unneeded: @escaping @Sendable (Set<BlobID>) throws -> [BlobID]
    ) {
        (self.node, self.unneeded) = (node, unneeded)
    }

    /// Gives up those of the files that did not fit, and returns them.
    package func giveUp(among unfit: Set<BlobID>) throws -> Set<BlobID> {
        guard !unfit.isEmpty else { return [] }
        // While a file waits for room this is asked every few seconds, and nearly always nothing was written since.
        let now = Needed(version: node.store.version, files: unfit)
        guard needed.withLock({ $0 != now }) else { return [] }
        let (version, unneeded) = try node.store.snapshot { ($0, try self.unneeded(unfit)) }
        if unneeded.isEmpty {
            needed.withLock { $0 = Needed(version: version, files: unfit) }
            return []
        }
        // If something was written meanwhile, the next call looks again.
        guard try node.store.freedFiles.free(unneeded, decidedAt: version, now: nil) else {
            return []
        }
        let forgone = Set(unneeded)
        node.loop.post(.blobsForgone(forgone))
        // Somebody may have restored a record before the engine heard of it.
        try need(forgone)
        return forgone
    }

    /// Wants all of them again, as the disk has room. A file that does not fit is given up again.
    package func wantAgain() throws {
        try need(Set(try node.store.freedFiles.wantForgone()))
    }

    /// Has the engine fetch those of some files that are missing.
    private func need(_ blobs: Set<BlobID>) throws {
        try node.loop.fetch(blobs, inSpacesOf: blobs, missingIn: node.store.files)
    }
}
