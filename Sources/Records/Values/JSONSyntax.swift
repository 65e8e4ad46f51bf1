import SyncCore

/// Whether a text is JSON (RFC 8259). The values of its numbers do not matter: the text is kept byte for
/// byte, and read elsewhere.
struct JSONSyntax {
    private var rest: ArraySlice<UInt8>

    static func isValid(_ text: String) -> Bool {
        var syntax = JSONSyntax(rest: Array(text.utf8)[...])
        guard syntax.value(depth: 0) else { return false }
        syntax.skipBlanks()
        return syntax.rest.isEmpty
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Limits.jsonDepth else { return false }
        skipBlanks()
        switch rest.first {
        case UInt8(ascii: "{"):
            return list(until: "}") { syntax in
                syntax.skipBlanks()
                guard syntax.string() else { return false }
                syntax.skipBlanks()
                return syntax.consume(":") && syntax.value(depth: depth + 1)
            }
        case UInt8(ascii: "["): return list(until: "]") { $0.value(depth: depth + 1) }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func list(
        until end: Unicode.Scalar, _ element: (inout JSONSyntax) -> Bool
    ) -> Bool {
        rest.removeFirst()
        skipBlanks()
        if consume(end) { return true }
        while true {
            guard element(&self) else { return false }
            skipBlanks()
            if consume(end) { return true }
            guard consume(",") else { return false }
        }
    }

    private mutating func string() -> Bool {
        guard consume("\"") else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return false }
                if escaped == UInt8(ascii: "u") {
                    let digits = rest.prefix(4)
                    guard digits.count == 4, digits.allSatisfy(JSONSyntax.isHexadecimal) else {
                        return false
                    }
                    rest = rest.dropFirst(4)
                } else if !"\"\\/bfnrt".utf8.contains(escaped) {
                    return false
                }
            default: continue
            }
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = consume("-")
        if !consume("0"), !digits() { return false }
        if consume("."), !digits() { return false }
        guard consume("e") || consume("E") else { return true }
        if !consume("+") { _ = consume("-") }
        return digits()
    }

    /// At least one digit.
    private mutating func digits() -> Bool {
        let before = rest.count
        rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.count < before
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func consume(_ sign: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == sign.value else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}

extension Limits {
    /// Nesting of JSON in a field: deeper than people write by hand, and safe for the stack.
    static let jsonDepth = 128
}
