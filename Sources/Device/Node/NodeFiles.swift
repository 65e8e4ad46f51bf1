package import LocalAPI
package import Records
package import SyncCore

/// The files of this device, as records see them; see ``Replica`` for each.
package protocol NodeFiles: Sendable {
    /// Files that were asked for and have not been sent in full.
    var outgoing: [DeviceID: Set<BlobID>] { get }

    func importFiles(
        _ photos: [String], track: String?, into space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?)
    func encryptFiles(
        _ files: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob]
    func form(of blob: BlobID, in space: SpaceID) throws -> FileForm
    func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID>
    func exportFile(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> ExportedFile
    func bytesReceived(of blob: BlobID) -> UInt64
    func verifyFiles(of space: SpaceID) async throws -> Set<BlobID>
}
