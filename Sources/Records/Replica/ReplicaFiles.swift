package import LocalAPI
package import SyncCore

/// The key that it takes to read a file is not here.
package struct FileClosed: Error {
    package init() {}
}

/// A file that counted as here is damaged or gone; it is fetched again.
package struct FileLost: Error {
    package init() {}
}

/// The files of this device.
package protocol ReplicaFiles: Sendable {
    /// Takes in photos or any other files, and a GPX file after reading it whole, for this space:
    /// durable when it returns, all or none. Throws `CancellationError`.
    func importFiles(
        _ photos: [String], track: String?, into space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?)
    /// Encrypts files that are here for the key of their space: durable when it returns, all or none, by the
    /// ids that they had, without damaged ones. Throws `CancellationError`, `StoreError.epochMissing`.
    func encryptFiles(
        _ files: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob]
    /// Has another space hold files that are here, before any record names them there: the same bytes where neither
    /// encrypts them, and else such that it reads. Durable when it returns; what they are there, by what they were.
    /// Throws `CancellationError`, `StoreError.epochMissing`, and where one is damaged or closed.
    func copyFiles(
        _ files: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob]
    /// Has files of one space count in another one under the same ids, from now on or once they were received in
    /// the first one.
    func followFiles(
        _ files: Set<BlobID>, of source: SpaceID, in target: SpaceID
    ) async throws
    /// Throws unless so many bytes of files have room here.
    func requireRoom(for bytes: UInt64) throws
    /// How a blob lies on this device, as a file of one space.
    func form(of blob: BlobID, in space: SpaceID) throws -> FileForm
    /// The ids under which a space may have a file already; none when it is being written to.
    func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID>
    /// Writes a blob that is here, for whatever space, to a new file, or into a directory under a name made from
    /// `suggestedName`; never overwrites one. Throws ``FileClosed``,
    /// ``FileLost``.
    func exportFile(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> ExportedFile
    /// Verified bytes of a blob that is on its way here.
    func bytesReceived(of blob: BlobID) -> UInt64
    /// Whether a blob that counts as here, in a file of so many bytes, is gone from the disk or cut off; it is
    /// then missed, and fetched again, right after this.
    func noteIfGone(_ blob: BlobID, bytes: UInt64) -> Bool
    /// Reads and hashes every blob that a space names and holds here; those that are sound.
    func verifyFiles(of space: SpaceID) async throws -> Set<BlobID>
}
