/// The text of a Swift file in which everything inside strings, comments and regex literals is a space, so that each
/// brace, parenthesis and word that is left is code. Lines keep their places.
struct MaskedSource {
    private(set) var characters: [Character] = []
    private let text: [Character]
    private var place = 0

    init(_ text: String) {
        self.text = Array(text)
        while place < self.text.count { code() }
    }

    private func looks(at word: String, _ offset: Int = 0) -> Bool {
        text[min(place + offset, text.count)...].starts(with: word)
    }

    private mutating func keep(_ count: Int = 1) {
        characters += text[place..<min(place + count, text.count)]
        place += count
    }

    private mutating func mask(_ count: Int = 1) {
        let end = min(place + count, text.count)
        characters += text[place..<end].map { $0.isNewline ? $0 : " " }
        place = end
    }

    /// One step outside strings and comments.
    private mutating func code() {
        guard "/\"#".contains(text[place]) else {
            // Nearly all characters: the comparisons below would be most of the time.
            characters.append(text[place])
            place += 1
            return
        }
        if looks(at: "//") {
            while place < text.count, !text[place].isNewline { mask() }
        } else if looks(at: "/*") {
            comment()
        } else if text[place] == "\"" || text[place] == "#" {
            let hashes = text[place...].prefix { $0 == "#" }.count
            if looks(at: "\"", hashes) {
                string(hashes)
            } else if hashes > 0, looks(at: "/", hashes) {
                regex(closing: "/" + String(repeating: "#", count: hashes), hashes + 1)
            } else {
                keep(max(1, hashes))
            }
        } else if text[place] == "/", beginsRegex {
            regex(closing: "/", 1)
        } else {
            keep()
        }
    }

    /// Comments nest.
    private mutating func comment() {
        var depth = 0
        repeat {
            if looks(at: "/*") {
                depth += 1
                mask(2)
            } else if looks(at: "*/") {
                depth -= 1
                mask(2)
            } else {
                mask()
            }
        } while depth > 0 && place < text.count
    }

    private mutating func string(_ hashes: Int) {
        let quotes = looks(at: "\"\"\"", hashes) ? 3 : 1
        let marks = String(repeating: "#", count: hashes)
        let end = String(repeating: "\"", count: quotes) + marks
        mask(hashes + quotes)
        while place < text.count, !looks(at: end) {
            guard looks(at: "\\" + marks) else {
                mask()
                continue
            }
            mask(1 + hashes)
            if looks(at: "(") { interpolation() } else { mask() }
        }
        mask(end.count)
    }

    /// What is inserted into a string is code, but none that declares anything.
    private mutating func interpolation() {
        let first = characters.count
        var depth = 0
        repeat {
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            code()
        } while depth > 0 && place < text.count
        for index in first..<characters.count where !characters[index].isNewline {
            characters[index] = " "
        }
    }

    /// A slash with an operand before it, or a space behind it, divides.
    private var beginsRegex: Bool {
        guard place + 1 < text.count, !text[place + 1].isWhitespace else { return false }
        let before = characters.last { !$0.isWhitespace }
        return before.map { "=(,:{&|".contains($0) } ?? true
    }

    private mutating func regex(closing: String, _ opening: Int) {
        mask(opening)
        while place < text.count, !looks(at: closing) { mask(text[place] == "\\" ? 2 : 1) }
        mask(closing.count)
    }
}
