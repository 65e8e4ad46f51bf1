import SyncCore

/// All events of one run, as a digest and, on request, in words.
///
/// Two runs of one seed must have the same digest: otherwise some code read a clock, used its own
/// randomness, or depended on the order of a set in memory.
struct Trace {
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var count = 0
    /// Nil if nobody wants to read it.
    private(set) var lines: [String]?

    init(isRead: Bool) {
        lines = isRead ? [] : nil
    }

    private mutating func mix(_ word: UInt64) {
        digest = (digest ^ word) &* 0x0000_0100_0000_01B3
        digest = (digest << 29) | (digest >> 35)
    }

    mutating func note(
        _ what: StaticString, _ numbers: UInt64..., text: @autoclosure () -> String
    ) {
        count += 1
        mix(UInt64(what.utf8CodeUnitCount))
        for number in numbers { mix(number) }
        if lines != nil { lines?.append("\(what) \(text())") }
    }

    /// Adds bytes that were signed, sent or shown.
    mutating func note(bytes: [UInt8]) {
        var index = 0
        while index + 8 <= bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word = word << 8 | UInt64(bytes[index + offset]) }
            mix(word)
            index += 8
        }
        for byte in bytes[index...] { mix(UInt64(byte)) }
        mix(UInt64(bytes.count))
    }
}

/// The first eight bytes of an id, for traces.
func brief<Kind>(_ id: Identifier<Kind>) -> UInt64 {
    id.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
}

/// The first hexadecimal digits of an id, for people.
func short<Kind>(_ id: Identifier<Kind>) -> String { hexadecimal(id.bytes.prefix(4)) }
