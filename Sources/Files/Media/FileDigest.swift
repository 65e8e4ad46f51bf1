internal import Crypto
import Foundation
import SyncCore

/// The plain SHA-256 of a file, as `sha256sum` prints it.
enum FileDigest {
    static func sha256(ofFile path: String) async throws -> Bytes32 {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
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
