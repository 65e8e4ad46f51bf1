package import Records
package import SyncCore

/// The files of this device, and what of them is on its way to others.
package protocol NodeFiles: ReplicaFiles {
    /// Files that were asked for and have not been sent in full.
    var outgoing: [DeviceID: Set<BlobID>] { get }
}
