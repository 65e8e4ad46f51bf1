internal import SyncCore

/// Splits stored bytes into ids of 32 bytes each.
func identifiers(in bytes: [UInt8]) throws -> [BlobID] {
    guard bytes.count.isMultiple(of: Bytes32.byteCount) else {
        throw StoreError.corrupt("a list of ids")
    }
    return try stride(from: 0, to: bytes.count, by: Bytes32.byteCount).map { start in
        guard let id = BlobID(bytes: bytes[start..<start + Bytes32.byteCount]) else {
            throw StoreError.corrupt("a list of ids")
        }
        return id
    }
}
