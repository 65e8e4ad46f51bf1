/// Why what someone typed is no pairing code.
package enum PairingCodeError: Error, Hashable {
    case unexpectedCharacter(Character)
    /// Digits found; a code has 9 or 10.
    case wrongDigitCount(Int)
    /// A code never starts with 0.
    case zeroNameplate
}

/// The one-time code a host shows: `7-4827-1956`. The nameplate (1 to 99) says which code is meant
/// and is no secret; the eight digits behind it are.
package struct PairingCode: Hashable, Sendable {
    /// 1 to 99 as decimal digits.
    package let nameplate: String
    /// Eight decimal digits.
    package let digits: String

    private static let digitCount = 8
    private static let nameplateDigits = 1...2

    /// A new code; every one of the 10^8 values of the digits is equally likely.
    package init(random generator: inout some RandomNumberGenerator, nameplate: String) {
        self.nameplate = nameplate
        let value = String(UInt32.random(in: 0...99_999_999, using: &generator))
        digits = String(repeating: "0", count: Self.digitCount - value.count) + value
    }

    /// A nameplate for a new code: any that is not `taken`, or any at all when all are.
    package static func nameplate(
        random generator: inout some RandomNumberGenerator, except taken: Set<String> = []
    ) -> String {
        let all = (1...99).map { String($0) }
        let free = all.filter { !taken.contains($0) }
        let choice = free.isEmpty ? all : free
        return choice[Int.random(in: choice.indices, using: &generator)]
    }

    /// Reads what someone typed; dashes and spaces may stand anywhere or be missing.
    package init(parsing text: some StringProtocol) throws(PairingCodeError) {
        var typed = ""
        for scalar in text.prefix(100).unicodeScalars where !Base32.isSeparator(scalar) {
            guard ("0"..."9").contains(scalar) else {
                throw .unexpectedCharacter(Character(scalar))
            }
            typed.unicodeScalars.append(scalar)
        }
        guard Self.nameplateDigits.contains(typed.count - Self.digitCount) else {
            throw .wrongDigitCount(typed.count)
        }
        guard typed.first != "0" else { throw .zeroNameplate }
        nameplate = String(typed.dropLast(Self.digitCount))
        digits = String(typed.suffix(Self.digitCount))
    }

    /// As shown and read aloud.
    package var text: String {
        "\(nameplate)-\(digits.prefix(4))-\(digits.suffix(4))"
    }
}
