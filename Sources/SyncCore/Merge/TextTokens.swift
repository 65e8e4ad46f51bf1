/// A text cut into words, spaces and punctuation, each a number: equal bytes, equal number.
///
/// The cuts depend on fixed ranges of scalars and on nothing that a Unicode version decides, so
/// that every build cuts alike. Joined again the pieces are the text, byte for byte.
struct TextTokens {
    /// Numbers for pieces, shared by the texts that are compared.
    struct Dictionary {
        private var numbers: [ArraySlice<UInt8>: Int32] = [:]
        private(set) var pieces: [ArraySlice<UInt8>] = []

        mutating func number(of piece: ArraySlice<UInt8>) -> Int32 {
            if let known = numbers[piece] { return known }
            let number = Int32(truncatingIfNeeded: pieces.count)
            numbers[piece] = number
            pieces.append(piece)
            precondition(
                numbers.count == pieces.count,
                "\(pieces.count) pieces have \(numbers.count) numbers")
            return number
        }

        func text(of tokens: some Sequence<Int32>) -> String {
            String(decoding: bytes(of: tokens), as: UTF8.self)
        }

        func bytes(of tokens: some Sequence<Int32>) -> [UInt8] {
            var bytes: [UInt8] = []
            for token in tokens {
                bytes.append(contentsOf: pieces[Int(token)])
            }
            return bytes
        }

        /// Whether a token is white space.
        func isSpace(_ token: Int32) -> Bool {
            pieces[Int(token)].first.map { Kind(ascii: $0) == .space } ?? false
        }

        /// Whether a token is a word, or a line that begins with one.
        func isWord(_ token: Int32) -> Bool {
            let scalar = String(decoding: pieces[Int(token)].prefix(4), as: UTF8.self)
                .unicodeScalars
            return scalar.first.map { Kind($0) == .word } ?? false
        }
    }

    /// What stands together in one piece: runs of word or space, everything else alone.
    private enum Kind {
        case word
        case space
        case single

        init(ascii byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                self = .word
            case UInt8(ascii: " "), UInt8(ascii: "\t"): self = .space
            default: self = .single
            }
        }

        init(_ scalar: Unicode.Scalar) {
            if scalar.value < 0x80 {
                self = Kind(ascii: UInt8(scalar.value))
            } else if TextTokens.withoutSpaces.contains(where: { $0.contains(scalar.value) }) {
                self = .single
            } else {
                self = .word
            }
        }
    }

    /// Scripts that write no spaces between words: each sign is a piece. CJK, kana, supplementary
    /// ideographs.
    private static let withoutSpaces: [ClosedRange<UInt32>] = [
        0x2E80...0x303F, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x9FFF, 0xF900...0xFAFF,
        0x20000...0x3FFFF,
    ]

    static func words(of text: String, in dictionary: inout Dictionary) -> [Int32] {
        let bytes = Array(text.utf8)
        var tokens: [Int32] = []
        var start = 0
        var place = 0
        var kind: Kind?
        for scalar in text.unicodeScalars {
            let next = Kind(scalar)
            if let kind, kind != next || kind == .single {
                tokens.append(dictionary.number(of: bytes[start..<place]))
                start = place
            }
            kind = next
            place += UTF8.width(scalar)
        }
        if start < place { tokens.append(dictionary.number(of: bytes[start..<place])) }
        Invariants.check(dictionary.bytes(of: tokens) == bytes, "words leave out a part of a text")
        return tokens
    }

    /// The text in whole lines, for texts with too many words to compare.
    static func lines(of text: String, in dictionary: inout Dictionary) -> [Int32] {
        let bytes = Array(text.utf8)
        var tokens: [Int32] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            tokens.append(dictionary.number(of: bytes[start...index]))
            start = index + 1
        }
        if start < bytes.count { tokens.append(dictionary.number(of: bytes[start...])) }
        Invariants.check(dictionary.bytes(of: tokens) == bytes, "lines leave out a part of a text")
        return tokens
    }
}
