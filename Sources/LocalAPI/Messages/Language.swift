internal import Synchronization

/// A language of the texts for people.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    /// German as written in Austria.
    case german = "de-AT"

    /// The language of the client that is being answered.
    @TaskLocal package static var asked: Language?

    private static let ofProgram = Mutex(Language.english)

    /// The language for texts that are made now.
    package static var current: Language { asked ?? ofProgram.withLock { $0 } }

    /// Sets the language of the program, for texts that no client requested.
    package static func speak(_ language: Language) { ofProgram.withLock { $0 = language } }

    /// The first variable that is set decides, as in every program with translations.
    package static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

    /// By `LC_ALL`, `LC_MESSAGES` and `LANG`, such as `de_AT.UTF-8`.
    package init(environment: [String: String]) {
        let name = Self.variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = name.flatMap { Language(tag: $0) } ?? .english
    }

    /// The preferred known language in `Accept-Language` (RFC 9110, 12.5.4), such as `de-AT, en;q=0.5`. Nil
    /// when there is none.
    package init?(accepting header: String) {
        let liked = header.split(separator: ",").compactMap { part -> (Language, Double)? in
            let words = part.split(separator: ";").map { $0.trimmingBlanks }
            guard let language = words.first.flatMap({ Language(tag: $0) }) else { return nil }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            return (language, weight.map { Double($0) ?? 0 } ?? 1)
        }
        // The first of two that are equally preferred.
        let best = liked.filter { $0.1 > 0 }.max { $0.1 < $1.1 }
        guard let best else { return nil }
        self = best.0
    }

    /// `de`, `de-AT`, `de_DE.UTF-8`: any region of a language that is known here.
    package init?(tag: some StringProtocol) {
        let language = tag.prefix { $0.isLetter }.lowercased()
        guard let known = Self.allCases.first(where: { $0.rawValue.prefix(2) == language }) else {
            return nil
        }
        self = known
    }

    /// The text for this language, of one that somebody wrote in two.
    package func pick(_ english: String?, german: String?) -> String? {
        switch self {
        case .english: english
        case .german: german ?? english
        }
    }

    /// A number of tenths, `3.4`.
    package func decimal(tenths: Int) -> String { decimal("\(tenths / 10).\(tenths % 10)") }

    /// A number that is written with a decimal point.
    package func decimal(_ digits: String) -> String {
        switch self {
        case .english: digits
        case .german: digits.replacing(".", with: ",")
        }
    }

    /// In quotation marks.
    package func quoted(_ text: String) -> String {
        switch self {
        case .english: "\u{201C}\(text)\u{201D}"
        case .german: "\u{201E}\(text)\u{201C}"
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
