internal import CMessages

/// The texts of one language, by their keys. Missing texts appear in English.
package struct Translation: Sendable {
    /// One text, or the forms of one that counts: for one, and for any other number.
    private let texts: [String: [String]]

    private static let german = unsafe Translation(
        po: UnsafeBufferPointer(start: peersync_de_AT, count: peersync_de_AT_size))

    /// Nil for English; loaded from the program when first needed.
    package static var current: Translation? {
        switch Language.current {
        case .english: nil
        case .german: german
        }
    }

    func text(of key: String) -> String? { texts[key]?.first }

    func text(of key: String, count: Int) -> String? {
        texts[key].flatMap { count == 1 ? $0.first : $0.last }
    }

    /// Reads a file in gettext's format (GNU gettext manual, “The Format of PO Files”), in UTF-8. Leaves
    /// out untranslated and doubtful entries.
    package init(po: some Sequence<UInt8>) {
        var reader = POReader()
        for line in po.split(separator: UInt8(ascii: "\n")) { reader.read(line[...]) }
        reader.finish()
        texts = reader.texts
    }
}

/// Reads a translation line by line.
private struct POReader {
    private enum Part {
        case context, key, plural, text
    }

    private(set) var texts: [String: [String]] = [:]
    private var part: Part?
    private var key: [UInt8] = []
    private var forms: [[UInt8]] = []
    private var isDoubtful = false
    private var isNextDoubtful = false

    mutating func read(_ line: ArraySlice<UInt8>) {
        guard line.first != UInt8(ascii: "#") else {
            isNextDoubtful =
                isNextDoubtful || line.starts(with: "#, ".utf8) && line.contains("fuzzy")
            return
        }
        guard let quote = line.firstIndex(of: UInt8(ascii: "\"")) else { return }
        begin(line[..<quote])
        let text = unescaped(line[line.index(after: quote)...])
        switch part {
        case .context: key += text + [Message.endOfContext]
        case .key: key += text
        case .text: forms[forms.count - 1] += text
        case .plural, nil: break
        }
    }

    /// The part that a line begins with; other lines continue the last part.
    private mutating func begin(_ keyword: ArraySlice<UInt8>) {
        if keyword.starts(with: "msgid_plural".utf8) {
            part = .plural
        } else if keyword.starts(with: "msgctxt".utf8) {
            beginEntry(.context)
        } else if keyword.starts(with: "msgid".utf8) {
            if part == .context { part = .key } else { beginEntry(.key) }
        } else if keyword.starts(with: "msgstr".utf8) {
            part = .text
            forms.append([])
        }
    }

    private mutating func beginEntry(_ first: Part) {
        finish()
        (part, isDoubtful, isNextDoubtful) = (first, isNextDoubtful, false)
    }

    /// Keeps the entry that was read.
    mutating func finish() {
        if !key.isEmpty, !isDoubtful, !forms.isEmpty, forms.allSatisfy({ !$0.isEmpty }) {
            texts[String(decoding: key, as: UTF8.self)] = forms.map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        (key, forms) = ([], [])
    }

    /// Up to the closing quotation mark.
    private func unescaped(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                text.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
            default: text.append(next)
            }
        }
        return text
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ word: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains(word)
    }
}
