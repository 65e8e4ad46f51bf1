package import LocalAPI
internal import Logging
package import Records
package import SyncCore

/// Files as records see them.
extension AgentNode {
    package func importFiles(
        _ photos: [String], track: String?, into space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?) {
        try await readyEpoch(in: space)
        return try await files.importFiles(photos, track: track, into: space)
    }

    package func encryptFiles(
        _ files: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        try await readyEpoch(in: space)
        return try await self.files.encryptFiles(files, in: space, meter)
    }

    package func copyFiles(
        _ files: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] {
        try await readyEpoch(in: space)
        return try await self.files.copyFiles(files, to: space, meter)
    }

    package func followFiles(
        _ files: Set<BlobID>, of source: SpaceID, in target: SpaceID
    ) async throws {
        try await self.files.followFiles(files, of: source, in: target)
    }

    package func requireRoom(for bytes: UInt64) throws { try files.requireRoom(for: bytes) }

    package func form(of blob: BlobID, in space: SpaceID) throws -> FileForm {
        try files.form(of: blob, in: space)
    }

    package func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID> {
        try await files.identify(path, in: space)
    }

    package func exportFile(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> ExportedFile {
        try await files.exportFile(blob, suggestedName: suggestedName, to: path)
    }

    package func bytesReceived(of blob: BlobID) -> UInt64 { files.bytesReceived(of: blob) }

    package func noteIfGone(_ blob: BlobID, bytes: UInt64) -> Bool {
        files.noteIfGone(blob, bytes: bytes)
    }

    package func findAgain(_ blob: BlobID) async throws -> Bool {
        try await files.findAgain(blob)
    }

    /// Compares what is noted of files with the disk, so that what is told after it is true.
    package func compareFiles() async {
        do {
            try await files.finder.compareWithDisk()
        } catch {
            storage.notWritten("files not compared", error)
        }
    }

    /// Has files count again that count as missing and lie whole on the disk.
    package func findMissingFiles() async throws { try await files.finder.findMissing() }

    package func verifyFiles(of space: SpaceID) async throws -> Set<BlobID> {
        try await files.verifyFiles(of: space)
    }
}
