internal import Crypto
internal import Encryption
internal import SyncCore

/// Reads an input from beginning to end, and hashes it.
struct HashingReader {
    private let input: any ByteInput
    private var state = SHA256()
    private(set) var length: UInt64 = 0

    init(_ input: any ByteInput) {
        self.input = input
    }

    /// Nil at the end, also where the input ends earlier than its length says.
    mutating func next() throws -> [UInt8]? {
        let piece = try input.read(length..<(length + Limits.archivePieceBytes))
        guard !piece.isEmpty else { return nil }
        state.update(data: piece)
        length += UInt64(piece.count)
        return piece
    }

    /// SHA-256 of what was read.
    func hash() -> Bytes32 {
        guard let hash = Bytes32(Array(state.finalize())) else {
            preconditionFailure("SHA-256 gives 32 bytes")
        }
        return hash
    }
}
