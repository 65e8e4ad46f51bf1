import Foundation

/// Gives each page of a store's file its checksum after another program has written to it: XXH64
/// with the page's number as its seed, a second implementation.
package enum PageSeal {
    package static let pageBytes = 4096
    private static let sumBytes = 8

    package static func seal(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        var bytes = [UInt8](try Data(contentsOf: url))
        for page in 0..<bytes.count / pageBytes {
            let start = page * pageBytes
            let end = start + pageBytes - sumBytes
            let sum = xxh64(bytes[start..<end], seed: UInt64(page) + 1)
            for place in 0..<sumBytes {
                bytes[end + place] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * place))
            }
        }
        let file = try FileHandle(forUpdating: url)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    private static let primes: [UInt64] = [
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9,
        0x85EB_CA77_C2B2_AE63,
    ]

    private static func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }

    private static func round(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        turned(sum &+ word &* primes[1], 31) &* primes[0]
    }

    /// For a number of bytes that is a multiple of 8 and at least 32.
    static func xxh64(_ bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt64 {
        let words = unsafe bytes.withUnsafeBytes { raw in
            (0..<bytes.count / 8).map { place in
                unsafe UInt64(
                    littleEndian: raw.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
            }
        }
        var lanes = [
            seed &+ primes[0] &+ primes[1], seed &+ primes[1], seed, seed &- primes[0],
        ]
        let whole = words.count / 4 * 4
        for place in 0..<whole { lanes[place % 4] = round(lanes[place % 4], words[place]) }
        var sum = zip(lanes, [1, 7, 12, 18] as [UInt64]).reduce(0) { $0 &+ turned($1.0, $1.1) }
        for lane in lanes { sum = (sum ^ round(0, lane)) &* primes[0] &+ primes[3] }
        sum &+= UInt64(bytes.count)
        for word in words[whole...] {
            sum = turned(sum ^ round(0, word), 27) &* primes[0] &+ primes[3]
        }
        sum = (sum ^ sum >> 33) &* primes[1]
        sum = (sum ^ sum >> 29) &* primes[2]
        return sum ^ sum >> 32
    }
}
