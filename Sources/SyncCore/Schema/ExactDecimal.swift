/// A decimal number as people write one, computed with exactly: `3.90`, `-12`, `0.5`.
package struct ExactDecimal: Comparable, Sendable {
    private let isNegative: Bool
    /// Without leading zeros; the digits of zero are none.
    private let digits: [UInt8]
    /// How many of them stand behind the point.
    private let scale: Int

    /// Digits and a point are taken up to ``Limits/decimalDigits``; nil for what is no such number.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.count <= Limits.decimalDigits + 2 else { return nil }
        let sign = rest.first
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let parts = rest.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let zero = UInt8(ascii: "0")
        let numerals = parts.joined().map { $0 &- zero }
        guard !numerals.isEmpty, numerals.allSatisfy({ $0 < 10 }), parts.first?.isEmpty == false,
            parts.count == 1 || parts[1].isEmpty == false
        else { return nil }
        self.init(
            isNegative: sign == UInt8(ascii: "-"), digits: numerals,
            scale: parts.count == 2 ? parts[1].count : 0)
    }

    package static let zero = ExactDecimal(isNegative: false, digits: [], scale: 0)

    private init(isNegative: Bool, digits: [UInt8], scale: Int) {
        let significant = Array(digits.drop { $0 == 0 })
        self.digits = significant
        self.isNegative = isNegative && !significant.isEmpty
        self.scale = scale
    }

    /// With as many digits behind the point as the more exact of the two had.
    package var text: String {
        let padded = Array(repeating: 0, count: max(0, scale + 1 - digits.count)) + digits
        let point = padded.count - scale
        let whole = ExactDecimal.text(padded[..<point])
        let fraction = scale > 0 ? "." + ExactDecimal.text(padded[point...]) : ""
        return (isNegative ? "-" : "") + whole + fraction
    }

    package static func + (left: ExactDecimal, right: ExactDecimal) -> ExactDecimal {
        let scale = max(left.scale, right.scale)
        let (one, other) = (left.scaled(to: scale), right.scaled(to: scale))
        if left.isNegative == right.isNegative {
            return ExactDecimal(isNegative: left.isNegative, digits: sum(one, other), scale: scale)
        }
        return isSmaller(one, other)
            ? ExactDecimal(
                isNegative: right.isNegative, digits: difference(other, one), scale: scale)
            : ExactDecimal(
                isNegative: left.isNegative, digits: difference(one, other), scale: scale)
    }

    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        let scale = max(left.scale, right.scale)
        let (one, other) = (left.scaled(to: scale), right.scaled(to: scale))
        switch (left.isNegative, right.isNegative) {
        case (false, false): return isSmaller(one, other)
        case (true, true): return isSmaller(other, one)
        case (let isLeftNegative, _): return isLeftNegative
        }
    }

    /// By value: 3.9 equals 3.90.
    package static func == (left: ExactDecimal, right: ExactDecimal) -> Bool {
        let scale = max(left.scale, right.scale)
        return left.isNegative == right.isNegative
            && left.scaled(to: scale) == right.scaled(to: scale)
    }

    private func scaled(to wanted: Int) -> [UInt8] {
        digits.isEmpty ? [] : digits + Array(repeating: 0, count: wanted - scale)
    }

    private static func isSmaller(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }

    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        let length = max(one.count, other.count) + 1
        var result = [UInt8](repeating: 0, count: length)
        var carry: UInt8 = 0
        for place in 1...length {
            let digit = carry + ExactDecimal.digit(one, place) + ExactDecimal.digit(other, place)
            result[length - place] = digit % 10
            carry = digit / 10
        }
        return result
    }

    /// Of a greater and a smaller number.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var result = one
        var borrowed: UInt8 = 0
        for place in stride(from: 1, through: one.count, by: 1) {
            let taken = borrowed + digit(other, place)
            let digit = digit(one, place)
            borrowed = digit < taken ? 1 : 0
            result[one.count - place] = digit + borrowed * 10 - taken
        }
        precondition(borrowed == 0, "a number is taken from a smaller one")
        return result
    }

    /// Counted from the end, from 1.
    private static func digit(_ digits: [UInt8], _ place: Int) -> UInt8 {
        place <= digits.count ? digits[digits.count - place] : 0
    }

    private static func text(_ digits: ArraySlice<UInt8>) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }
}

extension Limits {
    /// Digits of a decimal that a schema takes: more than money or physics write, few enough that
    /// adding a hundred thousand of them takes no time.
    package static let decimalDigits = 64
}
