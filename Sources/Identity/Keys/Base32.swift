/// Base32 as people type it: the alphabet of RFC 4648 section 6, without padding.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Characters for `bytes`, five bits each; unused bits of the last one are zero.
    static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var characters: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = (buffer << 8 | UInt32(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                characters.append(alphabet[Int(buffer >> bits & 31)])
            }
        }
        if bits > 0 {
            characters.append(alphabet[Int(buffer << (5 - bits) & 31)])
        }
        return characters
    }

    /// The whole bytes that `characters` spell; nil when one is not of the alphabet, or when bits
    /// beyond the last whole byte are not zero: one value has one spelling.
    static func decode(_ characters: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for character in characters {
            guard let value = value(of: character) else { return nil }
            buffer = (buffer << 5 | UInt32(value)) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        guard bits < 5, buffer & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    /// 0 to 31, or nil for a character outside the alphabet.
    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }

    /// The check character of `characters`, computed from the left and with the first factor 1, as
    /// in Syncthing's device IDs (which differ in this from Luhn mod N proper). Nil when a
    /// character is not of the alphabet.
    static func checkCharacter(of characters: some Sequence<UInt8>) -> UInt8? {
        var sum = 0
        var factor = 1
        for character in characters {
            guard let value = value(of: character) else { return nil }
            let addend = factor * Int(value)
            sum += addend / 32 + addend % 32
            factor = 3 - factor
        }
        return alphabet[(32 - sum % 32) % 32]
    }

    /// What someone typed in the alphabet's own characters: upper case, without spaces and dashes,
    /// with the digits 0, 1 and 8 read as the letters they are mistaken for.
    ///
    /// - Throws: the first character that is none of these.
    static func normalise(_ text: some StringProtocol) throws(UnexpectedCharacter) -> [UInt8] {
        var characters: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard !isSeparator(scalar) else { continue }
            guard let byte = canonical(scalar) else {
                throw UnexpectedCharacter(character: Character(scalar), position: characters.count)
            }
            characters.append(byte)
        }
        return characters
    }

    /// Spaces and every dash that a word processor may have made of "-".
    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation
            || scalar == "\u{2212}"
    }

    private static func canonical(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0": UInt8(ascii: "O")
        case "1": UInt8(ascii: "I")
        case "8": UInt8(ascii: "B")
        case "a"..."z": UInt8(truncatingIfNeeded: scalar.value) & 0xDF
        case "A"..."Z", "2"..."7": UInt8(truncatingIfNeeded: scalar.value)
        default: nil
        }
    }

    struct UnexpectedCharacter: Error {
        let character: Character
        /// How many characters of the alphabet stand before it.
        let position: Int
    }

    /// `characters` in groups of `size`, joined by dashes.
    static func grouped(_ characters: [UInt8], size: Int) -> String {
        stride(from: 0, to: characters.count, by: size).map { start in
            let group = characters[start..<min(start + size, characters.count)]
            return String(decoding: group, as: UTF8.self)
        }.joined(separator: "-")
    }
}
