internal import LocalAPI
internal import SyncCore

/// The words to search for, each as it is typed and with its German letters in two.
struct SearchTerms {
    private let words: [Word]

    private struct Word {
        let plain: String
        let german: String

        init(_ text: Substring, isGerman: Bool = true) {
            plain = LetterFolding.plain(text)
            german = isGerman ? LetterFolding.german(text) : plain
        }

        /// Whether it may be typed for a word with German letters.
        var hasPairs: Bool { LetterFolding.hasPairs(plain) }

        func begins(_ other: Word) -> Bool {
            other.plain.hasPrefix(plain) || other.german.hasPrefix(german)
        }
    }

    init(_ text: String) { words = SearchTerms.split(text).map { Word($0) } }

    private static func split(_ text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether a search in either spelling may find words that only look like these: Pott for Poet.
    var mayMislead: Bool { words.contains(where: \.hasPairs) }

    /// Whether German letters make a difference to any of them.
    private var isGerman: Bool { words.contains { $0.hasPairs || $0.german != $0.plain } }

    /// Whether each word begins a word of a text.
    func fit(_ text: String) -> Bool {
        let isGerman = isGerman
        let others = SearchTerms.split(text).map { Word($0, isGerman: isGerman) }
        return words.allSatisfy { word in others.contains { word.begins($0) } }
    }

    /// The text around the first match in an indexed field other than the title.
    func context(in record: ShownRecord, of collection: CollectionSchema) -> String {
        let title = collection.titleField?.name
        for field in collection.fields where field.isSearched && field.name != title {
            let values = record.elements(field.name) + [record.value(field.name)].compactMap(\.self)
            for text in values.compactMap(\.text) {
                if let found = excerpt(of: ShownText.line(text)) { return found }
            }
        }
        return ""
    }

    /// Nil without a match.
    private func excerpt(of text: String) -> String? {
        let isGerman = isGerman
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0.isLetter || $0.isNumber }) {
            let end =
                rest[start...].firstIndex { !$0.isLetter && !$0.isNumber } ?? rest.endIndex
            let word = Word(rest[start..<end], isGerman: isGerman)
            if words.contains(where: { $0.begins(word) }) { return excerpt(of: text, at: start) }
            rest = rest[end...]
        }
        return nil
    }

    /// Whole words before and after a place.
    private func excerpt(of text: String, at place: String.Index) -> String {
        var start =
            text.index(place, offsetBy: -Limits.contextBefore, limitedBy: text.startIndex)
            ?? text.startIndex
        if start > text.startIndex, let blank = text[start..<place].firstIndex(of: " ") {
            start = text.index(after: blank)
        }
        var end =
            text.index(place, offsetBy: Limits.contextAfter, limitedBy: text.endIndex)
            ?? text.endIndex
        if end < text.endIndex, let blank = text[place..<end].lastIndex(of: " ") { end = blank }
        return (start > text.startIndex ? "\u{2026}" : "") + text[start..<end]
            + (end < text.endIndex ? "\u{2026}" : "")
    }
}

extension Limits {
    /// Characters of a text to show before and after a match.
    static let contextBefore = 40
    static let contextAfter = 80
}
