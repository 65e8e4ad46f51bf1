/// Durations as people type them: `3d`, `1h30m`, `90 min`, `2 days 4 hours`.
package enum DurationInput {
    private static let units: [(names: Set<String>, milliseconds: Int64)] = [
        (["d", "day", "days"], 86_400_000), (["h", "hour", "hours"], 3_600_000),
        (["m", "min", "minute", "minutes"], 60_000), (["s", "second", "seconds"], 1_000),
    ]

    private static let badDuration = APIError(
        code: .badInput, sentence: "That is no length of time.",
        hint: "Type it like 3d, 1h30m or 45s.")

    /// Milliseconds, more than zero. Throws ``APIError``.
    package static func milliseconds(_ text: String) throws(APIError) -> Int64 {
        var rest = text.trimmedLine.lowercased()[...]
        var sum: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { "0123456789".contains($0) }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let word = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(word.count).drop { $0 == " " }
            guard let number = Int64(digits), number <= 36_500,
                let unit = units.first(where: { $0.names.contains(String(word)) })
            else { throw badDuration }
            sum += number * unit.milliseconds
        }
        guard sum > 0 else { throw badDuration }
        return sum
    }
}
