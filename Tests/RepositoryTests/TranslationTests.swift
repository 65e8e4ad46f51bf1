import Foundation
import Testing

@Suite("Texts for people, and their translation")
struct TranslationTests {
    private static let path = "Sources/CMessages/de_AT.po"

    private static func messages() throws -> [(file: String, message: SourceMessage)] {
        try Repository.swiftFiles(below: "Sources").flatMap { file in
            SourceMessages(try file.text()).messages.map { (file.name, $0) }
        }
    }

    private static func stored() throws -> String {
        try RepositoryFile(path: path).text()
    }

    @Test("every text is in the translation, in the order of the source")
    func complete() throws {
        // given
        let stored = try Self.stored()
        let current = TranslationFile(try Self.messages(), from: TranslationFile(stored)).text
        // when somebody asks for it
        if ProcessInfo.processInfo.environment["PEERSYNC_WRITE_MESSAGES"] == "1" {
            let file = Repository.root.appendingPathComponent(Self.path)
            try Data(current.utf8).write(to: file)
        } else {
            // then
            #expect(current == stored, "write it again with PEERSYNC_WRITE_MESSAGES=1")
        }
    }

    @Test("every text is translated, with all that is filled in, and the blanks around it")
    func translated() throws {
        let entries = TranslationFile(try Self.stored()).entries
        #expect(entries.count > 2000)
        for entry in entries {
            let pattern = entry.message.pattern
            #expect(!entry.texts.isEmpty, "not translated: \(pattern)")
            for text in entry.texts {
                #expect(ends(text) == ends(pattern), "other blanks or line breaks: \(text)")
            }
            guard let last = entry.texts.last else { continue }
            #expect(
                places(last) == places(entry.message.plural ?? pattern),
                "not the same is filled in: \(last)")
        }
    }

    private func places(_ text: String) -> Set<Substring> {
        let single = text.replacing("{{", with: "").replacing("}}", with: "")
        return Set(single.matches(of: /\{\d+\}/).map(\.output))
    }

    private func ends(_ text: String) -> [Substring] {
        [text.prefix { $0.isWhitespace }, text.suffix(1).filter { $0.isWhitespace }[...]]
    }

    @Test("each literal of the catalogue that has three words is a text that is translated")
    func nothingForgotten() throws {
        let command = /(^|[\s'])((peersync|sudo|systemctl|echo)\b.*|--[a-z-]+( \{\d+\})?)/
        for file in try Repository.swiftFiles(below: "Sources/LocalAPI/Catalogue") {
            for other in SourceMessages(try file.text()).others {
                let rest = other.text.replacing(command, with: "").replacing(/\{\d+\}/, with: "")
                #expect(
                    rest.firstMatch(of: /[a-z]{2,} .*[a-z]{2,} .*[a-z]{2,}/) == nil,
                    "\(file):\(other.line): \(other.text)")
            }
        }
    }

    @Test("texts are found in calls, with their forms, contexts and what is filled in")
    func found() {
        let source = #"""
            tr("Nothing answers at \(name("a")).")
            tr(count, "one \(thing) is", "\(count) \(thing)s are")
            tr("off", context: "sync")
            APIError(
                code: .failed, sentence: isOne ? "One." : "Two.",
                hint: """
                    A long \
                    line, {braced}.
                      Next.
                    """)
            Sentence.count(trips, "trip", "trips")
            CommandHelp("What it does.", examples: ["peersync list"])
            // tr("no")
            other("no text")
            """#
        let found = SourceMessages(source)
        #expect(
            found.messages == [
                SourceMessage(pattern: "Nothing answers at {0}.", arguments: ["name(\"a\")"]),
                SourceMessage(
                    pattern: "one {0} is", plural: "{0} {1}s are", arguments: ["count", "thing"]),
                SourceMessage(context: "sync", pattern: "off"), SourceMessage(pattern: "One."),
                SourceMessage(pattern: "Two."),
                SourceMessage(pattern: "A long line, {{braced}}.\n  Next."),
                SourceMessage(pattern: "{0} trip", plural: "{0} trips"),
                SourceMessage(pattern: "What it does."),
            ])
        #expect(found.others.map(\.text) == ["a", "peersync list", "no text"])
        #expect(found.others.last?.line == 14)
    }

    @Test("a translation that is written and read again is the same")
    func written() {
        // given
        let messages = [
            SourceMessage(pattern: "a \"b\"\n\\c", arguments: ["x"]),
            SourceMessage(context: "sync", pattern: "off"),
            SourceMessage(pattern: "{0} trip", plural: "{0} trips"),
        ].map { ("A.swift", $0) }
        let old = """
            msgid ""
            msgstr ""
            "Language: de_AT\\n"

            msgctxt "sync"
            msgid "off"
            msgstr "aus"

            msgid "gone"
            msgstr "weg"

            msgid "{0} trip"
            msgid_plural "{0} trips"
            msgstr[0] "{0} Reise"
            msgstr[1] "{0} Reisen"
            """
        // when
        let file = TranslationFile(messages, from: TranslationFile(old))
        let again = TranslationFile(messages, from: TranslationFile(file.text))
        // then
        #expect(file.text == again.text)
        #expect(file.entries.map(\.texts) == [[], ["aus"], ["{0} Reise", "{0} Reisen"]])
    }
}
