internal import Foundation

/// Letters in the ways that people type them.
package enum LetterFolding {
    /// Without case and accents, as in the index of words: `worthersee` for Wörthersee.
    package static func plain(_ text: some StringProtocol) -> String {
        String(
            String.UnicodeScalarView(
                text.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
                    !$0.properties.isDiacritic
                        && $0.properties.canonicalCombiningClass == .notReordered
                }))
    }

    /// The same with German letters in two: `woerthersee` for Wörthersee, `strasse` for Straße.
    package static func german(_ text: some StringProtocol) -> String {
        plain(inTwo(letters(of: text)))
    }

    /// Whether a plain text has two letters that may stand for a German one.
    package static func hasPairs(_ plain: String) -> Bool {
        twoLetters.values.contains { plain.contains($0) }
    }

    /// A word as it is typed, with its German letters in two, and with two that stand for one.
    package static func spellings(of word: Substring) -> [String] {
        let typed = String(word)
        let letters = letters(of: typed)
        let one = String(letters)
        let long = inTwo(letters)
        return [typed] + (long == one ? [] : [long]) + short(letters).filter { $0 != one }
    }

    private static let twoLetters: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss",
    ]

    private static func letters(of text: some StringProtocol) -> [Character] {
        Array(text.lowercased().precomposedStringWithCanonicalMapping)
    }

    private static func inTwo(_ letters: [Character]) -> String {
        letters.map { twoLetters[$0] ?? String($0) }.joined()
    }

    /// A word with each pair that may stand for a German letter as it is and as that letter.
    private static func short(_ letters: [Character]) -> [String] {
        var (found, place) = ([""], 0)
        while place < letters.count {
            let pair = String(letters[place...].prefix(2))
            let letter = twoLetters.first { $0.value == pair }?.key
            if let letter, 2 * found.count <= LocalLimits.searchSpellings {
                found = found.flatMap { [$0 + pair, $0 + String(letter)] }
                place += 2
            } else {
                for index in found.indices { found[index].append(letters[place]) }
                place += 1
            }
        }
        precondition(found.count <= LocalLimits.searchSpellings, "a word has too many spellings")
        return found
    }
}

extension LocalLimits {
    /// Spellings of one word: enough for three German letters that are typed in two.
    static let searchSpellings = 8
}
