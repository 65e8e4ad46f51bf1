package import Records
package import SyncCore

/// The files of this device, and those it is sending to others.
package protocol NodeFiles: ReplicaFiles {
    /// Files that a peer asked for and that are not fully sent.
    var outgoing: [DeviceID: Set<BlobID>] { get }
    var finder: any FileFinding { get }
}

/// Compares what is noted of files with the disk.
package protocol FileFinding: Sendable {
    /// Misses files that are gone from the disk, and has those count again that are there whole.
    func compareWithDisk() async throws
    /// Has all files count again that count as missing and lie whole on the disk.
    func findMissing() async throws
}
