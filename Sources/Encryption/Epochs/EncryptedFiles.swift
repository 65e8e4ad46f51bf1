internal import Crypto
internal import Foundation
package import SyncCore

/// Files of an encrypted space, as age files for the identity of an epoch.
extension AgeWriter {
    /// All secrets of the file follow from the epoch's secret and the content: everybody who adds the same
    /// file makes the same bytes, so it stays one file for all.
    ///
    /// `content` is the id that the plaintext would have as a blob. It must be the id of exactly the bytes
    /// that are written: two contents under one id would reveal how they differ.
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
