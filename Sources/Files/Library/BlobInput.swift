import Encryption
import Media
import Store
import SyncCore

/// The bytes of a blob that is here. Opens its file for each read, as thousands of these may wait in an
/// archive.
struct BlobInput: ByteInput {
    let store: SyncStore
    let files: BlobFiles
    let blob: BlobID
    let length: UInt64

    func read(_ range: Range<UInt64>) throws -> [UInt8] {
        let range = range.clamped(to: 0..<length)
        guard let small = try store.files.smallContent(of: blob) else {
            return try files.read(blob, range)
        }
        return MemoryInput(small).read(range)
    }
}
