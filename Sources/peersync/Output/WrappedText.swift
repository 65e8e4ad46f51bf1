/// Text wrapped between words for a narrow terminal.
///
/// A command that people copy stays on one line: the terminal wraps it, and copying joins it again.
package enum WrappedText {
    /// The text in lines of at most `width` columns, if its words allow. Continued lines are
    /// indented by two columns.
    package static func wrapped(_ text: String, to width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { wrapped(line: $0, to: width) }.joined(separator: "\n")
    }

    private static func wrapped(line: Substring, to width: Int) -> String {
        guard TextWidth.columns(String(line)) > width else { return String(line) }
        let margin = String(line.prefix { $0 == " " })
        let room = width - margin.count
        return margin
            + lines(line.dropFirst(margin.count), first: room, next: room - 2)
            .joined(separator: "\n\(margin)  ")
    }

    /// One line of text in lines of at most `first` and then `next` columns, if its words allow; without indents.
    static func lines(_ text: Substring, first: Int, next: Int) -> [String] {
        var (lines, current): ([String], String) = ([], "")
        for piece in pieces(text) {
            let longer = current + piece
            let width = lines.isEmpty ? first : next
            if !current.isEmpty, TextWidth.columns(longer) > width {
                lines.append(current)
                current = String(piece.drop { $0 == " " })
            } else {
                current = longer
            }
        }
        return lines + [current]
    }

    /// Words with the blanks before them; all words of a command are one piece, up to a comma or semicolon.
    private static func pieces(_ line: Substring) -> [String] {
        var pieces: [String] = []
        var (isCommand, isQuoted) = (false, false)
        var rest = line
        while !rest.isEmpty {
            let blanks = rest.prefix { $0 == " " }
            let word = rest.dropFirst(blanks.count).prefix { $0 != " " }
            rest = rest.dropFirst(blanks.count + word.count)
            let last = pieces.last?.last
            let ends = blanks.count > 1 || last == "," || last == ";"
            if isCommand, ends, !isWithinQuotes(pieces.last ?? "") { isCommand = false }
            if (isCommand || isQuoted) && !pieces.isEmpty {
                pieces[pieces.count - 1] += blanks + word
            } else {
                pieces.append(String(blanks + word))
            }
            let name = word.unicodeScalars.filter { Style(rawValue: $0.value) == nil }
            let starts = String(String.UnicodeScalarView(name)) == "peersync"
            if starts, last == nil || last == ":" { isCommand = true }
            if isQuoted {
                isQuoted = !word.contains("'")
            } else if !isCommand {
                isQuoted = word.first == "'" && !word.dropFirst().contains("'")
            }
        }
        return pieces
    }

    private static func isWithinQuotes(_ piece: String) -> Bool {
        piece.count { $0 == "'" } % 2 == 1
    }
}
