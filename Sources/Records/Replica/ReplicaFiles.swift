package import LocalAPI
package import SyncCore

/// The key that opens a file is not here.
package struct FileClosed: Error {
    package init() {}
}

/// A file that counted as present is damaged or gone; it is fetched again.
package struct FileLost: Error {
    package init() {}
}

/// The files of this device.
package protocol ReplicaFiles: Sendable {
    /// Adds photos or any other files, and a GPX file after reading it whole, to this space: durable on
    /// return, and all or none. Throws `CancellationError`.
    func importFiles(
        _ photos: [String], track: String?, into space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?)
    /// Encrypts files that are here for the key of their space: durable on return, and all or none. Returns
    /// them by their former ids, without damaged ones. Throws `CancellationError`,
    /// `StoreError.epochMissing`.
    func encryptFiles(
        _ files: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob]
    /// Adds files that are here to another space, before any record names them there: shared where neither
    /// space encrypts them, otherwise in a form that its members can read. Durable on return. Returns the
    /// blobs there, by their ids here. Throws `CancellationError`, `StoreError.epochMissing`, and for a
    /// damaged or closed file.
    func copyFiles(
        _ files: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob]
    /// Makes files of one space count in another one under the same ids, now or once they are received in
    /// the first.
    func followFiles(
        _ files: Set<BlobID>, of source: SpaceID, in target: SpaceID
    ) async throws
    /// Throws unless there is room here for so many bytes of files.
    func requireRoom(for bytes: UInt64) throws
    /// How a blob is stored on this device, as a file of one space.
    func form(of blob: BlobID, in space: SpaceID) throws -> FileForm
    /// The ids under which a space may have a file already; none while it is being written.
    func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID>
    /// Writes a blob that is here, held by any space, to a new file, or into a directory under a name made
    /// from `suggestedName`; never overwrites. Throws ``FileClosed``, ``FileLost``.
    func exportFile(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> ExportedFile
    /// Verified bytes of a blob that is being received.
    func bytesReceived(of blob: BlobID) -> UInt64
    /// Whether a blob that counts as here, in a file of so many bytes, is gone from the disk or cut off; it is
    /// then missed, and fetched again, right after this.
    func noteIfGone(_ blob: BlobID, bytes: UInt64) -> Bool
    /// Looks on the disk for a blob that does not count as here: whether it lies there whole, and counts again.
    func findAgain(_ blob: BlobID) async throws -> Bool
    /// Reads and hashes every blob that a space names and holds here; those that are sound.
    func verifyFiles(of space: SpaceID) async throws -> Set<BlobID>
}
