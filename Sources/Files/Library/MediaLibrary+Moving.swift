import Device
import Encryption
import LocalAPI
import Media
import Records
import Store
package import SyncCore

/// Follows records that are moved to another space.
extension MediaLibrary {
    package func followFiles(
        _ files: Set<BlobID>, of source: SpaceID, in target: SpaceID
    ) async throws {
        guard !files.isEmpty else { return }
        try await store.offloaded { try $0.files.follow(files, of: source, in: target) }
        for blob in files {
            // If the target space lacked the file, it is here now.
            let holders = try store.files.spaces(holding: blob)
            if holders.contains(target) { loop.post(.blobFinished(blob, in: holders)) }
        }
    }
}
