/// Suggests names for one that was not found.
package enum SimilarNames {
    /// The nearest names, at most three. A name qualifies if a few letters added, removed, replaced or
    /// swapped make it equal to the typed text, ignoring case and accents: one in three letters, and three at
    /// most. If no whole name qualifies, its words may, or else those that begin with the typed text.
    package static func of(_ typed: String, among names: some Sequence<String>) -> [String] {
        let typed = spellings(of: typed)
        let names = Set(names).subtracting([""])
        let whole = nearest(names) { distance(typed, to: spellings(of: $0)) }
        guard whole.isEmpty, typed.allSatisfy({ $0.count >= leastWordLetters }) else {
            return whole
        }
        let count = words(typed[0]).count
        let nearestParts = nearest(names) { name in
            let parts = spellings(of: name).map { runs(of: count, in: words($0)) }
            return (0..<(parts.map(\.count).min() ?? 0)).compactMap { place in
                distance(typed, to: parts.map { $0[place].joined(separator: " ") })
            }.min()
        }
        guard nearestParts.isEmpty else { return nearestParts }
        return nearest(names) { begin(typed, spellings(of: $0)) ? 0 : nil }
    }

    /// A text in the ways in which it may be typed, in the same order for every text.
    private static func spellings(of text: String) -> [String] {
        [LetterFolding.plain(text), LetterFolding.german(text)]
    }

    /// Whether the typed text begins a name, or a word of it, in one of the spellings.
    private static func begin(_ typed: [String], _ name: [String]) -> Bool {
        zip(typed, name).contains { typed, name in
            name.hasPrefix(typed) || words(name).contains { $0.hasPrefix(typed) }
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

    /// The option of a command that may have been meant, by the command's help; `guess` is the parser's, which guesses
    /// even very different ones.
    package static func option(_ typed: String, guess: String, help: String) -> String? {
        if let other = options[typed], help.contains("\(other) ") { return other }
        return of(typed, among: [guess]).first
    }

    private static let options = ["--name": "--title", "--title": "--name"]

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

    /// In the spelling in which they are nearest.
    private static func distance(_ typed: [String], to name: [String]) -> Int? {
        zip(typed, name).compactMap { distance(Array($0), to: Array($1)) }.min()
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
