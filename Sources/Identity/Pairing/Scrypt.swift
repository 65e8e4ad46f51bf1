internal import CLibcrypto

/// scrypt (RFC 7914), which makes guessing a short secret dear.
package struct Scrypt: Sendable {
    /// N, a power of two: the memory needed is 128 bytes times this times `blockSize`.
    package let costs: UInt64
    /// r
    package let blockSize: UInt64
    /// p
    package let parallelism: UInt64

    package init(costs: UInt64, blockSize: UInt64, parallelism: UInt64) {
        (self.costs, self.blockSize, self.parallelism) = (costs, blockSize, parallelism)
    }

    /// A key of that many bytes.
    package func key(from secret: [UInt8], salt: [UInt8], byteCount: Int) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: byteCount)
        // The library adds some memory of its own to what RFC 7914 section 2 needs.
        let memory = 2 * 128 * blockSize * (costs + parallelism)
        let result = unsafe secret.withUnsafeBytes { secret in
            unsafe EVP_PBE_scrypt(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), secret.count, salt,
                salt.count, costs, blockSize, parallelism, memory, &key, byteCount)
        }
        precondition(result == 1, "scrypt failed, which only a lack of memory explains")
        return key
    }
}
