/// Suggests names for one that was not found.
package enum SimilarNames {
    /// The nearest names, at most three. A name qualifies if a few letters added, removed, replaced or
    /// swapped make it equal to the typed text, ignoring case: one in three letters, and three at most. If
    /// no whole name qualifies, its words may.
    package static func of(_ typed: String, among names: some Sequence<String>) -> [String] {
        let letters = Array(typed.lowercased())
        let names = Set(names)
        let whole = nearest(names) { distance(letters, to: Array($0.lowercased())) }
        guard whole.isEmpty, letters.count >= leastWordLetters else { return whole }
        let count = words(typed.lowercased()).count
        return nearest(names) { name in
            runs(of: count, in: words(name.lowercased()))
                .compactMap { distance(letters, to: Array($0.joined(separator: " "))) }.min()
        }
    }

    /// The commands that may have been meant: those that do what other programs call so, or else the
    /// nearest names.
    package static func commands(
        _ typed: String, among known: some Sequence<String>
    ) -> [String] {
        let word = typed.lowercased()
        let known = Array(known)
        let alike = synonyms.filter { $0.contains(word) }.joined()
        let meant = alike.filter { $0 != word && known.contains($0) }
        return meant.isEmpty ? of(typed, among: known) : Array(meant.prefix(3))
    }

    /// Words that programs use for the same thing.
    private static let synonyms = [
        ["list", "ls", "status"], ["show", "get", "view", "info", "cat"], ["export", "archive"],
        ["update", "change", "edit", "set", "modify", "apply"],
        ["delete", "remove", "rm", "del"], ["create", "add", "new"], ["rename", "mv", "move"],
        ["share", "grant", "invite"], ["unshare", "revoke"], ["load", "import"],
    ]

    /// Shorter words are similar to too many others.
    private static let leastWordLetters = 4

    private static func nearest(
        _ names: Set<String>, _ distance: (String) -> Int?
    ) -> [String] {
        names.compactMap { name in distance(name).map { (distance: $0, name: name) } }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    private static func words(_ name: String) -> [Substring] {
        name.split { !$0.isLetter && !$0.isNumber }
    }

    /// All runs of `count` consecutive words.
    private static func runs(of count: Int, in words: [Substring]) -> [ArraySlice<Substring>] {
        guard count > 0, words.count >= count else { return [] }
        return (0...(words.count - count)).map { words[$0..<($0 + count)] }
    }

    private static func distance(_ typed: [Character], to name: [Character]) -> Int? {
        distance(typed, name, upTo: min(3, max(1, typed.count / 3)))
    }

    /// How many letters have to be added, removed, replaced or swapped with the next one (optimal string
    /// alignment); nil when more than `most`.
    private static func distance(
        _ one: [Character], _ other: [Character], upTo most: Int
    ) -> Int? {
        guard abs(one.count - other.count) <= most else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var next = [row + 1]
            for column in other.indices {
                let isSame = one[row] == other[column]
                var least = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column]
                {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[other.count] <= most ? last[other.count] : nil
    }
}
