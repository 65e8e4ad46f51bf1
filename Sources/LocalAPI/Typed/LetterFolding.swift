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
        var spelt = ""
        for letter in text.lowercased().precomposedStringWithCanonicalMapping {
            switch letter {
            case "ä": spelt += "ae"
            case "ö": spelt += "oe"
            case "ü": spelt += "ue"
            case "ß": spelt += "ss"
            default: spelt.append(letter)
            }
        }
        return plain(spelt)
    }
}
