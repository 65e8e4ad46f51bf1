package import Device
internal import Node
internal import Records
internal import Store
package import SyncCore

/// Gives up files for which the disk has no room and that only deleted records name: nobody waits for them. They are
/// wanted again once one of these records is restored, or there is room.
package struct ForgoneFiles: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    /// Gives up those of the files that did not fit, and returns them.
    package func giveUp(among unfit: Set<BlobID>) throws -> Set<BlobID> {
        guard !unfit.isEmpty else { return [] }
        let (version, unneeded) = try node.store.snapshot { version in
            (version, try FreeableFiles(node).unneeded(among: unfit))
        }
        guard !unneeded.isEmpty,
            try node.store.freedFiles.free(unneeded, decidedAt: version, now: nil)
        else {
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
