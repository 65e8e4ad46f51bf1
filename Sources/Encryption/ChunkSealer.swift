internal import CLibcrypto
internal import Crypto

/// ChaCha20-Poly1305 (RFC 8439) by libcrypto, for many chunks under one key on one thread. Unlike
/// swift-crypto, it uses the widest instructions of the processor and writes straight to the destination.
@safe
final class ChunkSealer {
    private let context: OpaquePointer

    init(key: SymmetricKey) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else {
            preconditionFailure("libcrypto has no memory")
        }
        unsafe self.context = context
        let isReady = unsafe key.withUnsafeBytes { key in
            unsafe EVP_EncryptInit_ex(
                context, EVP_chacha20_poly1305(), nil,
                key.assumingMemoryBound(to: UInt8.self).baseAddress, nil)
        }
        precondition(isReady == 1, "libcrypto has no ChaCha20-Poly1305")
    }

    deinit {
        // This also wipes the key.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    func seal(_ plain: Span<UInt8>, nonce: [UInt8], to output: inout OutputSpan<UInt8>) {
        precondition(output.freeCapacity >= plain.count + AgeChunks.tagBytes)
        let isSealed = unsafe plain.withUnsafeBufferPointer { plain in
            unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                guard let start = unsafe buffer.baseAddress.map({ unsafe $0 + filled }),
                    unsafe EVP_EncryptInit_ex(context, nil, nil, nil, nonce) == 1
                else { return false }
                var count: Int32 = 0
                let tag = unsafe start + plain.count
                guard
                    unsafe EVP_EncryptUpdate(
                        context, start, &count, plain.baseAddress, Int32(plain.count)) == 1,
                    unsafe EVP_EncryptFinal_ex(context, tag, &count) == 1,
                    unsafe EVP_CIPHER_CTX_ctrl(
                        context, EVP_CTRL_AEAD_GET_TAG, Int32(AgeChunks.tagBytes), tag) == 1
                else { return false }
                filled += plain.count + AgeChunks.tagBytes
                return true
            }
        }
        precondition(isSealed, "libcrypto did not seal \(plain.count) bytes")
    }

    /// Appends the plaintext of a sealed chunk; appends nothing and returns false when the tag does not
    /// fit.
    func open(_ sealed: Span<UInt8>, nonce: [UInt8], to output: inout OutputSpan<UInt8>) -> Bool {
        let length = sealed.count - AgeChunks.tagBytes
        guard length >= 0 else { return false }
        precondition(output.freeCapacity >= length)
        return unsafe sealed.withUnsafeBufferPointer { sealed in
            unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                guard let start = unsafe buffer.baseAddress.map({ unsafe $0 + filled }),
                    let tag = unsafe sealed.baseAddress.map({ unsafe $0 + length })
                else { return false }
                var count: Int32 = 0
                guard unsafe EVP_DecryptInit_ex(context, nil, nil, nil, nonce) == 1,
                    unsafe EVP_CIPHER_CTX_ctrl(
                        context, EVP_CTRL_AEAD_SET_TAG, Int32(AgeChunks.tagBytes),
                        // libcrypto only reads it.
                        UnsafeMutablePointer(mutating: tag)) == 1,
                    unsafe EVP_DecryptUpdate(
                        context, start, &count, sealed.baseAddress, Int32(length)) == 1,
                    unsafe EVP_DecryptFinal_ex(context, start + length, &count) == 1
                else { return false }
                // The plaintext counts only now that the tag fits.
                filled += length
                return true
            }
        }
    }
}
