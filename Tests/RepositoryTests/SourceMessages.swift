/// A text for people as it stands in the source: what a translator gets to see.
struct SourceMessage: Hashable {
    var context: String?
    /// The pattern of `Message`: `Nothing answers at {0}.`
    var pattern: String
    /// For more than one, where something is counted.
    var plural: String?
    /// What is filled in, as it is written.
    var arguments: [String] = []
}

/// The string literals of a Swift file, told apart into texts for people and all others.
///
/// A text stands in the parentheses of one of ``takers``, or is the noun that `count` counts.
struct SourceMessages {
    /// What makes a message of each literal in its parentheses, but of those in an array.
    static let takers: Set = ["tr", "APIError", "CommandConfiguration", "Words"]

    struct Other {
        let text: String
        let line: Int
        /// What calls the parentheses that it stands in.
        let call: String
    }

    private(set) var messages: [SourceMessage] = []
    private(set) var others: [Other] = []

    private struct Frame {
        let opening: Character
        let call: String
        var label = ""
        /// The first of the literals that stand in it, and which message it became.
        var literals: [Int] = []
        var argument = 0
        var isCounting = false
    }

    private let text: [Character]
    private var place = 0
    private var line = 1
    private var frames: [Frame] = []
    /// The last word of the code, and whether it stands right before.
    private var word = ""

    init(_ source: String) {
        text = Array(source)
        while place < text.count { step() }
    }

    private var next: Character? { place < text.count ? text[place] : nil }

    private func looks(at word: String) -> Bool {
        text[place..<min(place + word.count, text.count)].elementsEqual(word)
    }

    private mutating func skip(_ count: Int = 1) {
        for _ in 0..<count where place < text.count {
            if text[place].isNewline { line += 1 }
            place += 1
        }
    }

    /// One step of code.
    private mutating func step() {
        let character = text[place]
        if looks(at: "//") {
            while let next, !next.isNewline { skip() }
        } else if looks(at: "/*") {
            while place < text.count, !looks(at: "*/") { skip() }
            skip(2)
        } else if character == "\"" {
            string()
        } else if character.isLetter || character.isNumber || character == "_" || character == "." {
            word = ""
            while let next, next.isLetter || next.isNumber || next == "_" || next == "." {
                word.append(next)
                skip()
            }
            return
        } else {
            punctuate(character)
            skip()
        }
        if !character.isWhitespace { word = "" }
    }

    private mutating func punctuate(_ character: Character) {
        switch character {
        case "(", "[", "{": frames.append(Frame(opening: character, call: word))
        case ")", "]", "}": _ = frames.popLast()
        case ":" where !frames.isEmpty: frames[frames.count - 1].label = word
        case "," where !frames.isEmpty:
            frames[frames.count - 1].label = ""
            frames[frames.count - 1].argument += 1
        default: break
        }
    }

    private mutating func string() {
        let (start, call) = (line, frames.last?.call ?? "")
        let isTaken = frames.last.map { $0.opening == "(" } ?? false
        let message = literal()
        let last = call.split(separator: ".").last.map(String.init) ?? ""
        if isTaken, last == "count" {
            count(message)
        } else if isTaken, Self.takers.contains(last), !isName(in: last) {
            add(message, isTr: last == "tr")
        } else {
            others.append(Other(text: message.pattern, line: start, call: call))
        }
    }

    /// What is typed, and no text: the name of a command, and what stands for the value of an option.
    private func isName(in call: String) -> Bool {
        call == "CommandConfiguration" && frames.last?.argument == 0
            || frames.last?.label == "valueName"
    }

    /// `count(number, "trip", "trips")`.
    private mutating func count(_ noun: SourceMessage) {
        let frame = frames.count - 1
        if let first = frames[frame].literals.first {
            messages[first].plural = "{0} \(noun.pattern)"
        } else {
            frames[frame].literals.append(messages.count)
            messages.append(SourceMessage(pattern: "{0} \(noun.pattern)"))
        }
    }

    /// `tr("…")`, `tr("…", context: "…")`, `tr(number, "…", "…")`.
    private mutating func add(_ message: SourceMessage, isTr: Bool) {
        let frame = frames.count - 1
        if isTr, frames[frame].label == "context" {
            for index in frames[frame].literals { messages[index].context = message.pattern }
            return
        }
        if isTr, frames[frame].argument == 2, let first = frames[frame].literals.last {
            messages[first].plural = message.pattern
            messages[first].arguments = message.arguments
            return
        }
        frames[frame].literals.append(messages.count)
        messages.append(message)
    }

    /// The literal that begins here, whose interpolations are code again.
    private mutating func literal() -> SourceMessage {
        let isLong = looks(at: "\"\"\"")
        skip(isLong ? 3 : 1)
        var (pattern, arguments): (String, [String]) = ("", [])
        while place < text.count, !looks(at: isLong ? "\"\"\"" : "\"") {
            if looks(at: "\\(") {
                skip()
                let first = place
                interpolation()
                pattern += "{\(arguments.count)}"
                arguments.append(String(text[(first + 1)..<(place - 1)]).oneLine)
            } else if text[place] == "\\" {
                pattern += escape(isLong)
            } else if text[place] == "{" || text[place] == "}" {
                pattern += String(repeating: text[place], count: 2)
                skip()
            } else {
                pattern.append(text[place])
                skip()
            }
        }
        skip(isLong ? 3 : 1)
        return SourceMessage(
            pattern: isLong ? pattern.withoutIndentation : pattern, arguments: arguments)
    }

    private mutating func interpolation() {
        let depth = frames.count
        repeat { step() } while frames.count > depth && place < text.count
    }

    private mutating func escape(_ isLong: Bool) -> String {
        skip()
        guard let character = next else { return "" }
        if character.isNewline {
            // The line goes on in the next one, behind its indentation, which is taken off later.
            skip()
            return String.lineGoesOn
        }
        skip()
        switch character {
        case "n": return "\n"
        case "t": return "\t"
        case "u":
            var digits = ""
            skip()
            while let next, next != "}" {
                digits.append(next)
                skip()
            }
            skip()
            return Int(digits, radix: 16).flatMap(UnicodeScalar.init).map { String($0) } ?? ""
        default: return String(character)
        }
    }
}

extension String {
    fileprivate static let lineGoesOn = "\u{1}"

    /// Of a literal of several lines: without the first and the last line break, and without the indentation of
    /// its last line.
    fileprivate var withoutIndentation: String {
        // A line that goes on ends here too, and is put together again afterwards.
        let lines = replacing(Self.lineGoesOn, with: Self.lineGoesOn + "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let indentation = lines.last?.count ?? 0
        let kept = lines.dropFirst().dropLast().map { $0.dropFirst(indentation) }
        return kept.joined(separator: "\n").replacing(Self.lineGoesOn + "\n", with: "")
    }

    fileprivate var oneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
