internal import Crypto
import Foundation
import Glibc
import Media
import SyncCore

/// The plain SHA-256 of a file, as `sha256sum` prints it.
enum FileDigest {
    static func sha256(ofFile path: [UInt8]) async throws -> Bytes32 {
        let opened = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw BlobFilesError.system(call: "open", number: errno) }
        let handle = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
        defer {
            // Nothing was written: closing cannot lose anything.
            try? handle.close()
        }
        var hash = SHA256()
        while let piece = try handle.read(upToCount: Limits.chunkBytes), !piece.isEmpty {
            hash.update(data: piece)
        }
        guard let digest = Bytes32(Array(hash.finalize())) else {
            preconditionFailure("SHA-256 gives 32 bytes")
        }
        return digest
    }
}
