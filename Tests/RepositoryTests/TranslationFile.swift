/// A translation in gettext's format, as it stands in the repository.
struct TranslationFile {
    struct Entry {
        var message: SourceMessage
        /// Files with it.
        var places: [String]
        /// One text, or those for one and for any other number; empty where it is not translated.
        var texts: [String]
    }

    private(set) var header: [String] = []
    private(set) var entries: [Entry] = []

    /// Of the text of a file.
    init(_ text: String) {
        for block in text.split(separator: "\n\n") { read(block) }
    }

    /// The texts of `old` for the messages of the source, in the order of the source.
    init(_ messages: [(file: String, message: SourceMessage)], from old: TranslationFile) {
        header = old.header
        let known = Dictionary(
            old.entries.map { (Self.key($0.message), $0.texts) },
            uniquingKeysWith: { one, _ in one })
        var places: [String: Int] = [:]
        for (file, message) in messages {
            let key = Self.key(message)
            if let place = places[key] {
                if !entries[place].places.contains(file) { entries[place].places.append(file) }
                if entries[place].message.plural == nil {
                    entries[place].message.plural = message.plural
                }
                continue
            }
            places[key] = entries.count
            entries.append(Entry(message: message, places: [file], texts: known[key] ?? []))
        }
    }

    static func key(_ message: SourceMessage) -> String {
        (message.context.map { $0 + "\u{4}" } ?? "") + message.pattern
    }

    var text: String {
        ([header.joined(separator: "\n")] + entries.map(Self.text)).joined(separator: "\n\n") + "\n"
    }

    private static func text(_ entry: Entry) -> String {
        let message = entry.message
        var lines = message.arguments.enumerated().map { "#. {\($0)}: \($1)" }
        lines.append("#: " + entry.places.joined(separator: " "))
        if message.pattern.contains("{") { lines.append("#, python-brace-format") }
        if let context = message.context { lines.append("msgctxt \(quoted(context))") }
        lines.append("msgid \(quoted(message.pattern))")
        guard let plural = message.plural else {
            return (lines + ["msgstr \(quoted(entry.texts.first ?? ""))"]).joined(separator: "\n")
        }
        let texts = entry.texts.count == 2 ? entry.texts : ["", ""]
        lines.append("msgid_plural \(quoted(plural))")
        lines += texts.enumerated().map { "msgstr[\($0)] \(quoted($1))" }
        return lines.joined(separator: "\n")
    }

    /// In quotation marks; a text of several lines has each on a line of its own.
    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\t", with: "\\t")
        let lines = escaped.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1 else { return "\"\(escaped)\"" }
        let ended = lines.enumerated().map { $0 < lines.count - 1 ? "\"\($1)\\n\"" : "\"\($1)\"" }
        return (["\"\""] + ended.filter { $0 != "\"\"" }).joined(separator: "\n")
    }

    private mutating func read(_ block: Substring) {
        let lines = block.split(separator: "\n")
        var (key, parts): (String, [String: String]) = ("", [:])
        for line in lines where !line.hasPrefix("#") {
            let word = line.prefix { $0 != " " && $0 != "\"" }
            if !word.isEmpty { key = String(word) }
            let text = line.drop { $0 != "\"" }.dropFirst().dropLast()
            parts[key, default: ""] += Self.unescaped(text)
        }
        guard let pattern = parts["msgid"] else { return }
        guard !pattern.isEmpty else {
            header = lines.map(String.init)
            return
        }
        let texts = ["msgstr", "msgstr[0]", "msgstr[1]"].compactMap { parts[$0] }
        entries.append(
            Entry(
                message: SourceMessage(
                    context: parts["msgctxt"], pattern: pattern, plural: parts["msgid_plural"]),
                places: [], texts: texts.contains("") ? [] : texts))
    }

    private static func unescaped(_ text: Substring) -> String {
        var (result, rest) = ("", text)
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            result.append(next == "n" ? "\n" : next == "t" ? "\t" : next)
        }
        return result
    }
}
