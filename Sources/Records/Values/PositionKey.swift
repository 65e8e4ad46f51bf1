/// The position of a photo among the others of its memory: a text whose byte order is the order of the
/// photos, so that adding one changes no other.
///
/// Five digits of base 62, counted up for each run of added photos, then a fraction that does not end in
/// the lowest digit, so that there is always room before it. Keys also come from other devices: texts of
/// another form are not keys, and where there is no room the keys are equal and record ids decide.
package struct PositionKey: Hashable, Comparable, Sendable {
    package let text: String
    private let digits: [UInt8]

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let base = UInt8(alphabet.count)
    private static let wholeDigits = 5
    /// The largest length in bytes; keys grow only where many are inserted between the same two.
    private static let greatestLength = 64

    /// Nil for a text that is not a key.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(PositionKey.greatestLength + 1))
        guard (PositionKey.wholeDigits...PositionKey.greatestLength).contains(bytes.count) else {
            return nil
        }
        var digits: [UInt8] = []
        for byte in bytes {
            guard let digit = PositionKey.alphabet.firstIndex(of: byte) else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count == PositionKey.wholeDigits || digits.last != 0 else { return nil }
        self.init(digits: digits)
    }

    private init(digits: [UInt8]) {
        self.digits = digits
        text = String(decoding: digits.map { PositionKey.alphabet[Int($0)] }, as: UTF8.self)
    }

    /// In the middle, with room on both sides.
    package static let first = PositionKey(digits: [base / 2, 0, 0, 0, 0])

    package static func < (left: PositionKey, right: PositionKey) -> Bool {
        left.digits.lexicographicallyPrecedes(right.digits)
    }

    /// A key between two others; nil stands for the beginning or the end. When there is no room, as
    /// between equal keys, the lower one.
    package static func between(_ lower: PositionKey?, _ upper: PositionKey?) -> PositionKey {
        switch (lower, upper) {
        case (nil, nil): first
        case (let lower?, nil): lower.next
        case (nil, let upper?): upper.previous
        case (let lower?, let upper?): lower.middle(to: upper) ?? lower
        }
    }

    /// The same, made different from keys that others insert at the same place and time: `mark` is random,
    /// and is left out where there is no room for it.
    package static func between(
        _ lower: PositionKey?, _ upper: PositionKey?, mark: [UInt64]
    ) -> PositionKey {
        let key = between(lower, upper)
        let digits = mark.map { UInt8($0 % UInt64(base - 1)) + 1 }
        guard key.digits.count + digits.count <= greatestLength else { return key }
        let marked = PositionKey(digits: key.digits + digits)
        let isAbove = lower.map { $0 < marked } ?? true
        return isAbove && upper.map({ marked < $0 }) ?? true ? marked : key
    }

    /// Keys for `count` photos added together after `last`. They stay together when another device
    /// adds some at the same place: `origin`, for example a device id, tells the runs apart.
    package static func run(of count: Int, after last: PositionKey?, origin: some Collection<UInt8>)
        -> [PositionKey]
    {
        let whole = Array(between(last, nil).digits.prefix(wholeDigits))
        let isAhead = last.map { $0.digits.lexicographicallyPrecedes(whole) } ?? true
        // After the last whole number, only the fraction can be counted up.
        let start = isAhead ? whole : Array((last ?? first).digits.prefix(greatestLength - 8))
        let mark = origin.prefix(3).map { $0 % base }
        return (0..<count).map { index in
            let place = index % 61
            let rest = index / 61
            return PositionKey(
                digits: start + mark + [UInt8(rest / 62 % 62), UInt8(rest % 62), UInt8(place + 1)])
        }
    }

    private var whole: ArraySlice<UInt8> { digits.prefix(PositionKey.wholeDigits) }

    /// The next whole number; at the last one, a longer fraction.
    private var next: PositionKey {
        var result = Array(whole)
        for index in result.indices.reversed() {
            if result[index] + 1 < PositionKey.base {
                result[index] += 1
                return PositionKey(digits: result)
            }
            result[index] = 0
        }
        guard digits.count < PositionKey.greatestLength else { return self }
        return PositionKey(digits: digits + [PositionKey.base / 2])
    }

    /// The whole number before; at the first one there is no room.
    private var previous: PositionKey {
        var result = Array(whole)
        for index in result.indices.reversed() {
            if result[index] > 0 {
                result[index] -= 1
                return PositionKey(digits: result)
            }
            result[index] = PositionKey.base - 1
        }
        return self
    }

    private func middle(to upper: PositionKey) -> PositionKey? {
        guard self < upper else { return nil }
        var result: [UInt8] = []
        var isBelow = false
        for index in 0..<PositionKey.greatestLength {
            let low = index < digits.count ? digits[index] : 0
            // Once the result is below the upper key, any digit may follow.
            let high =
                isBelow ? PositionKey.base : index < upper.digits.count ? upper.digits[index] : 0
            if high > low + 1 {
                result.append(low + (high - low) / 2)
                while result.count < PositionKey.wholeDigits { result.append(0) }
                return PositionKey(digits: result)
            }
            result.append(low)
            if high > low { isBelow = true }
        }
        return nil
    }
}
