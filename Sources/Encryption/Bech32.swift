/// The text form of keys: BIP 173 without its length limit, as age uses it.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// Lower case.
    static func encode(_ bytes: [UInt8], prefix: String) -> String {
        let data = regroup(bytes, from: 8, to: 5, pads: true) ?? []
        let checked = expanded(prefix) + data + [UInt8](repeating: 0, count: 6)
        let sum = checksum(checked) ^ 1
        let tail = (0..<6).map { UInt8(sum >> (5 * (5 - $0)) & 31) }
        return prefix + "1"
            + String(decoding: (data + tail).map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// The bytes behind a prefix, which is given in lower case; nil for text that is not exactly one
    /// encoding, mixed case included.
    static func decode(_ text: String, prefix: String) -> [UInt8]? {
        let lower = text.lowercased()
        guard text == lower || text == text.uppercased(), lower.utf8.count < 1024 else {
            return nil
        }
        guard lower.utf8.starts(with: (prefix + "1").utf8) else { return nil }
        var values: [UInt8] = []
        for character in lower.utf8.dropFirst(prefix.utf8.count + 1) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            values.append(UInt8(value))
        }
        guard values.count >= 6, checksum(expanded(prefix) + values) == 1 else { return nil }
        return regroup(values.dropLast(6), from: 5, to: 8, pads: false)
    }

    private static func expanded(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    private static func checksum(_ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        return values.reduce(1) { sum, value in
            let top = sum >> 25
            let next = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            return generator.indices.reduce(next) { result, bit in
                top >> bit & 1 == 1 ? result ^ generator[bit] : result
            }
        }
    }

    /// Regroups bits; nil where the remaining bits are not padding.
    private static func regroup(
        _ values: some Sequence<UInt8>, from: Int, to: Int, pads: Bool
    ) -> [UInt8]? {
        var buffer = 0
        var count = 0
        var result: [UInt8] = []
        for value in values {
            buffer = (buffer << from | Int(value)) & 0xfff
            count += from
            while count >= to {
                count -= to
                result.append(UInt8(buffer >> count & (1 << to - 1)))
            }
        }
        let rest = buffer & (1 << count - 1)
        if pads { return count > 0 ? result + [UInt8(rest << (to - count))] : result }
        return count < from && rest == 0 ? result : nil
    }
}
