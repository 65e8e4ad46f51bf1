import Archive
import Device
import Encryption
import Media
import Store
import SyncCore

/// The files of this device.
struct BackedUpHome: BackupSource {
    let node: AgentNode
    let media: MediaLibrary

    func filesHere() async throws -> [(file: BlobID, length: UInt64)] {
        try await media.files.list().compactMap { file in
            media.files.length(of: file).map { (file, $0) }
        }
    }

    func filesNamed() throws -> [BlobID: UInt64] {
        let missing = try node.store.ledgers.keys.flatMap { try node.store.files.missing(of: $0) }
            .filter { $0.size >= UInt64(Limits.smallBlobBytes) }
        return try node.store.files.present().reduce(
            into: Dictionary(missing.map { ($0.blob, $0.size) }) { first, _ in first }
        ) { $0[$1.blob] = $1.size }
    }

    func input(_ file: BlobID, length: UInt64) -> any ByteInput {
        BlobInput(store: node.store, files: media.files, blob: file, length: length)
    }

    func absence(of file: BlobID, _ error: any Error) -> BackupAbsence? {
        if case BlobFilesError.notFound = error, media.files.length(of: file) == nil {
            return .released
        }
        return LostBlobs.isLoss(error) ? .damaged : nil
    }

    func reportLoss(of file: BlobID) async throws { try await media.reportLoss(of: file) }
}
