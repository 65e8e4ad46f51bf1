import Encryption

/// Age files in memory, for tests.
enum AgeFiles {
    /// Bytes that follow no pattern, and are the same in each run.
    static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 88_172_645_463_325_252
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
    }

    static func encrypted(
        _ plain: [UInt8], to recipients: [AgeRecipient]
    ) async throws -> [UInt8] {
        var file: [UInt8] = []
        try await AgeWriter(recipients: recipients).write(MemoryInput(plain)) { file += $0 }
        return file
    }

    static func opened(_ file: [UInt8], with identity: AgeIdentity) async throws -> [UInt8] {
        var plain: [UInt8] = []
        let reader = try AgeReader(MemoryInput(file), identities: [identity])
        try await reader.readAll { plain += $0 }
        return plain
    }
}
