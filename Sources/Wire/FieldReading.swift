internal import FoundationEssentials
internal import SyncCore

/// Checks of single fields: exact lengths, bounded counts, bounded numbers. Each names its field, as
/// peersync.proto does, in the error it throws.
extension Data {
    func bytes32(_ field: String) throws(WireError) -> Bytes32 {
        guard count == Bytes32.byteCount, let value = Bytes32(self) else {
            throw .wrongLength(field)
        }
        return value
    }

    func bytes16(_ field: String) throws(WireError) -> Bytes16 {
        guard count == Bytes16.byteCount, let value = Bytes16(self) else {
            throw .wrongLength(field)
        }
        return value
    }

    func identifier<Kind>(_ field: String) throws(WireError) -> Identifier<Kind> {
        Identifier(try bytes32(field))
    }

    /// An Ed25519 signature.
    func signature(_ field: String = "signature") throws(WireError) -> [UInt8] {
        guard count == Limits.signatureBytes else { throw .wrongLength(field) }
        return [UInt8](self)
    }
}

extension Array {
    func atMost(_ limit: Int, _ field: String) throws(WireError) -> [Element] {
        guard count <= limit else { throw .tooMany(field) }
        return self
    }
}

extension String {
    func atMost(_ limit: Int, _ field: String) throws(WireError) -> String {
        guard utf8.count <= limit else { throw .tooLong(field) }
        return self
    }

    /// The longest beginning of whole characters within `limit` UTF-8 bytes. A title is cut before it
    /// is sent: the receiver would refuse the whole message otherwise.
    func clipped(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = startIndex
        var bytes = 0
        while end < endIndex {
            bytes += self[end].utf8.count
            guard bytes <= limit else { break }
            end = index(after: end)
        }
        return String(self[..<end])
    }
}

extension UInt64 {
    /// What a signed 64-bit column can hold.
    func storable(_ field: String) throws(WireError) -> UInt64 {
        try atMost(UInt64(Int64.max), field)
    }

    func atMost(_ limit: UInt64, _ field: String) throws(WireError) -> UInt64 {
        guard self <= limit else { throw .outOfRange(field) }
        return self
    }

    /// A place in an author log.
    func sequence(_ field: String) throws(WireError) -> UInt64 {
        guard self >= 1 else { throw .outOfRange(field) }
        return try atMost(Limits.sequence, field)
    }
}
