internal import Crypto
internal import Foundation
package import SyncCore

/// Files of an encrypted space, as age files for the identity of an epoch.
extension AgeWriter {
    /// All that is secret in the file follows from the epoch's secret and the content: whoever adds the
    /// same file makes the same bytes, and it stays one file for everybody.
    ///
    /// `content` is the id that the plaintext would have as a blob. Of two contents with one id the bytes
    /// would tell how they differ, so it must be that of exactly what is written.
    package init(_ content: BlobID, for epoch: AgeIdentity) throws(AgeError) {
        let bytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: epoch.privateKey), salt: content.bytes,
            info: Label.encryptedFile.framing([]),
            outputByteCount: AgeFileKey.byteCount + AgeChunks.nonceBytes + 32
        ).bytes
        let (key, rest) = (
            bytes.prefix(AgeFileKey.byteCount), bytes.dropFirst(AgeFileKey.byteCount)
        )
        try self.init(
            recipients: [epoch.recipient],
            secrets: AgeFileSecrets(
                fileKey: Array(key), payloadNonce: Array(rest.prefix(AgeChunks.nonceBytes)),
                ephemeral: [Array(rest.dropFirst(AgeChunks.nonceBytes))]))
    }
}

extension SymmetricKey {
    fileprivate var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
