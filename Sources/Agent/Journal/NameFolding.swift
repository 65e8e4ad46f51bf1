internal import Foundation

/// Names as people compare them: the same whatever the case, the way accents are composed, or
/// blanks around them.
enum NameFolding {
    static func fold(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
            .precomposedStringWithCanonicalMapping
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func areEqual(_ one: String, _ other: String) -> Bool {
        fold(one).utf8.elementsEqual(fold(other).utf8)
    }
}
