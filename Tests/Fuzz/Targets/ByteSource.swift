/// Takes an input apart into choices and pieces, so that a changed byte changes one decision. Once
/// the input is used up every further byte is 0.
struct ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    mutating func flag() -> Bool {
        byte() & 1 == 1
    }

    /// From 0 up to and without `count`, which is at least 1.
    mutating func below(_ count: Int) -> Int {
        Int(byte()) % count
    }

    /// A number of as many bytes, most significant first.
    mutating func number(bytes: Int) -> UInt64 {
        (0..<bytes).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    /// The bytes behind a length of two bytes; fewer when the input ends before.
    mutating func piece() -> [UInt8] {
        let piece = rest.prefix(Int(number(bytes: 2)))
        rest = rest.dropFirst(piece.count)
        return Array(piece)
    }

    /// All that is left.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
