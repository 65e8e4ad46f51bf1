package import Device
internal import Node
internal import Records
internal import Store
package import SyncCore

/// Gives up files for which the disk has no room and that only deleted records name: nobody waits for them. They are
/// wanted again once one of these records is restored.
package struct ForgoneFiles: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    /// Gives up those of the files that did not fit, and returns them.
    package func giveUp(among unfit: Set<BlobID>) throws -> Set<BlobID> {
        guard !unfit.isEmpty else { return [] }
        let (version, unneeded) = try node.store.snapshot { version in
            (version, try FreeableFiles(node).unneeded(among: unfit))
        }
        guard !unneeded.isEmpty, try node.store.files.free(unneeded, decidedAt: version, now: nil)
        else {
            return []
        }
        let forgone = Set(unneeded)
        node.loop.post(.blobsForgone(forgone))
        // Somebody may have restored a record before the engine heard of it.
        for space in Set(try unneeded.flatMap { try node.store.files.spaces(naming: $0) }).sorted()
        {
            let again = try node.store.files.missing(of: space).filter { forgone.contains($0.blob) }
            node.loop.post(.blobsNeeded(again.map { BlobNeed($0, in: space) }))
        }
        return forgone
    }
}
