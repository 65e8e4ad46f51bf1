internal import Encryption

/// The concatenation of several inputs.
struct JoinedInput: ByteInput {
    private var parts: [(start: UInt64, input: any ByteInput)] = []
    private(set) var length: UInt64 = 0

    mutating func append(_ input: any ByteInput) {
        guard input.length > 0 else { return }
        parts.append((length, input))
        length += input.length
    }

    mutating func append(_ bytes: [UInt8]) { append(MemoryInput(bytes)) }

    /// Throws `ArchiveError.unreadable` when a part became shorter.
    func read(_ range: Range<UInt64>) throws -> [UInt8] {
        let range = range.clamped(to: 0..<length)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = part(at: range.lowerBound)
        while bytes.count < range.count {
            let (start, input) = parts[index]
            let from = range.lowerBound + UInt64(bytes.count) - start
            let piece = try input.read(from..<min(input.length, range.upperBound - start))
            guard !piece.isEmpty else { throw ArchiveError.unreadable("") }
            bytes += piece
            if from + UInt64(piece.count) == input.length { index += 1 }
        }
        return bytes
    }

    /// The index of the last part that begins at this place or before it.
    private func part(at place: UInt64) -> Int {
        var (low, high) = (0, parts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if parts[middle].start <= place { low = middle } else { high = middle }
        }
        return low
    }
}

/// A part of another input.
struct InputSlice: ByteInput {
    let input: any ByteInput
    let range: Range<UInt64>

    var length: UInt64 { UInt64(range.count) }

    func read(_ wanted: Range<UInt64>) throws -> [UInt8] {
        let wanted = wanted.clamped(to: 0..<length)
        return try input.read(
            (range.lowerBound + wanted.lowerBound)..<(range.lowerBound + wanted.upperBound))
    }
}
