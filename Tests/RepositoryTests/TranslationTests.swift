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

    /// Targets that speak to people.
    private static let speaking = [
        "LocalAPI", "Records", "Journal", "Device", "Networking", "Files", "Status", "Doctor",
        "Agent", "peersync",
    ]
    /// What takes words for logs, for programs or about faults of this one, in English.
    private static let silentCalls: Set<Substring> = [
        "note", "noteError", "notWritten", "couldNotRead", "reading", "attempt", "changeRights",
        "LogLine", "precondition", "preconditionFailure", "corrupt", "Context", "strangeAnswer",
        "unreadableRequest", "hasSuffix",
    ]
    /// The description of the local API, and words that logs take.
    private static let silentFiles: Set = [
        "AgentOperations.swift", "DeviceOperations.swift", "MemoryOperations.swift",
        "RecordOperations.swift", "SpaceOperations.swift", "TripOperations.swift",
        "VaultOperations.swift", "QueryCoding.swift", "HandlerTable.swift", "API.swift",
        "JSONCoding.swift", "NodeLoop.swift", "SessionLog.swift",
        "SessionService.swift", "SessionService+Engine.swift",
    ]

    /// Three words, or a whole sentence; what is only typed into a shell is none.
    private static func isText(_ literal: String) -> Bool {
        let command = /(^|[\s'])((peersync|sudo|systemctl|echo)\b.*|--[a-z-]+( \{\d+\})?)/
        let rest = literal.replacing(command, with: "").replacing(/\{\d+\}/, with: "")
        return rest.contains(/[a-z]{2,} .*[a-z]{2,} .*[a-z]{2,}/)
            || rest.contains(/^[A-Z][^"]* [^"]*\.$/)
    }

    @Test("each literal that people read is a text that is translated")
    func nothingForgotten() throws {
        for file in try Self.speaking.flatMap({ try Repository.swiftFiles(below: "Sources/" + $0) })
        where !Self.silentFiles.contains(file.name) {
            for other in SourceMessages(try file.text()).others {
                let call = other.call.split(separator: ".").last ?? ""
                let isSilent = Self.silentCalls.contains(call) || other.text.hasPrefix("<!DOCTYPE")
                #expect(
                    isSilent || !Self.isText(other.text),
                    "\(file):\(other.line) says in English alone: \(other.text)")
            }
        }
    }

    @Test(
        "three words or a sentence are a text, a command is none",
        arguments: [
            ("Not now.", true), ("that is so", true), ("{0} is not called lost", true),
            ("peersync trip list", false), ("created_at", false), ("two words", false),
        ])
    func texts(_ literal: String, isText: Bool) {
        #expect(Self.isText(literal) == isText)
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
            CommandConfiguration("list", "What it does.", examples: ["peersync list"])
            @Flag(help: .tr("Also the rest.", valueName: "rest"))
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
                SourceMessage(pattern: "What it does."), SourceMessage(pattern: "Also the rest."),
            ])
        #expect(found.others.map(\.text) == ["a", "list", "peersync list", "rest", "no text"])
        #expect(found.others.last?.line == 15)
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
