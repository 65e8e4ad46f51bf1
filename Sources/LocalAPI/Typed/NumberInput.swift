/// Numbers as people type them.
package enum NumberInput {
    /// With a decimal point and without marks between thousands, where the meaning is clear: `1.299,50`
    /// with a decimal comma, `1,299.50` without. Other texts stay as they are. Throws ``APIError`` for a
    /// number that may mean two.
    package static func plain(_ text: String, decimalComma: Bool) throws(APIError) -> String {
        guard !isUnclear(text, decimalComma: decimalComma) else { throw .unclear(text) }
        let (group, decimal): (Character, Character) = decimalComma ? (".", ",") : (",", ".")
        let parts = text.split(separator: decimal, omittingEmptySubsequences: false)
        let groups = parts[0].split(separator: group, omittingEmptySubsequences: false)
        guard parts.count == 2, groups.count > 1 else {
            // With a point in it, the meaning of a comma is unclear.
            return decimalComma && !text.contains(".") ? pointed(text) : text
        }
        let first = groups[0].drop { "+-".contains($0) }
        guard (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 }),
            !parts[1].isEmpty, !parts[1].contains(group)
        else { return text }
        return groups.joined() + "." + parts[1]
    }

    /// Whether a dot may stand between thousands or before decimals: `1.290` with a decimal comma.
    private static func isUnclear(_ text: String, decimalComma: Bool) -> Bool {
        guard decimalComma else { return false }
        let groups = text.drop { "+-".contains($0) }
            .split(separator: ".", omittingEmptySubsequences: false)
        return groups.count == 2 && (1...3).contains(groups[0].count) && groups[0] != "0"
            && groups[1].count == 3 && groups.allSatisfy { $0.allSatisfy(\.isNumber) }
    }

    /// With a point in the place of a comma.
    static func pointed(_ text: String) -> String { text.replacing(",", with: ".") }
}
