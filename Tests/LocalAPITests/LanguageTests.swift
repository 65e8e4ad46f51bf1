import Foundation
import LocalAPI
import Testing

@Suite("Languages")
struct LanguageTests {
    @Test(
        "the environment names the language, as for every program with translations",
        arguments: [
            (["LANG": "de_AT.UTF-8"], Language.german), (["LANG": "de_DE"], .german),
            (["LC_ALL": "", "LC_MESSAGES": "de", "LANG": "en_GB.UTF-8"], .german),
            (["LC_ALL": "C", "LANG": "de_AT.UTF-8"], .english), (["LANG": "fr_FR"], .english),
            ([:], .english),
        ])
    func environment(environment: [String: String], language: Language) {
        #expect(Language(environment: environment) == language)
    }

    @Test(
        "speaks the preferred language of those that a client accepts",
        arguments: [
            ("de-AT", Language.german), ("fr, de;q=0.3, en;q=0.8", .english),
            ("en;q=0.5,de", .german), ("de;q=0, en", .english), ("en, de", .english),
            ("fr, *", nil), ("", nil),
        ])
    func accepted(header: String, language: Language?) {
        #expect(Language(accepting: header) == language)
    }

    @Test("each task is answered in its own language")
    func tasks() async {
        func spoken() -> String { Sentence.count(3, "trip", "trips") }
        async let german = Language.$asked.withValue(.german) {
            await Task { spoken() }.value
        }
        #expect(spoken() == "3 trips")
        #expect(await german == "3 Reisen")
    }

    @Test("an error keeps its message, and becomes text for its reader")
    func errors() throws {
        // given
        let error = APIError.malformedCode
        let english = error.sentence
        // when
        let json = try Language.$asked.withValue(.german) { try JSONCoding.encode(error) }
        let read = try JSONCoding.decode(APIError.self, from: json)
        // then
        #expect(error.sentence == english)
        #expect(read.sentence != english && read.hint != error.hint)
        #expect(read != error)
        Language.$asked.withValue(.german) { #expect(read == error) }
    }

    @Test("a client that speaks German hears German, from an agent that speaks English")
    func client() async throws {
        let failure = APIError.malformedCode
        func heard() async -> String? {
            await #expect(throws: APIError.self) {
                try await withServer(RecordingService(failure: failure)) { path in
                    try await LocalClient(socketPath: path).call(\.trips.list)
                }
            }?.sentence
        }
        let english = await heard()
        let german = await Language.$asked.withValue(.german) { await heard() }
        #expect(english == failure.sentence)
        #expect(german == Language.$asked.withValue(.german) { failure.sentence })
        #expect(german != english)
    }

    @Test("arguments follow the order of the translation; literal braces stay")
    func filling() {
        let translation = Translation(
            po: """
                msgid ""
                msgstr ""

                #, python-brace-format
                msgid "{0} gives {1} {{all}}"
                msgstr "{1} {{alles}} "
                "bekommt\\n\\"von\\" {0}"

                #, fuzzy
                msgid "doubtful"
                msgstr "zweifelhaft"

                msgctxt "sync"
                msgid "off"
                msgstr "aus"

                msgid "one"
                msgid_plural "{0} things"
                msgstr[0] "eins"
                msgstr[1] "{0} Dinge"
                """.utf8)
        func said(_ message: Message, _ context: String? = nil) -> String {
            tr(message, context: context, in: translation)
        }
        #expect(said("\("Ann") gives \("Ben") {all}") == "Ben {alles} bekommt\n\"von\" Ann")
        #expect(said("doubtful") == "doubtful")
        #expect(said("off") == "off" && said("off", "sync") == "aus")
        #expect(said("not \("there") {yet}") == "not there {yet}")
        for (number, text) in [(1, "eins"), (4, "4 Dinge")] {
            #expect(tr(number, "one", "\(number) things", in: translation) == text)
        }
    }

    @Test("numbers and names look as they do in the language")
    func formats() {
        #expect(Sentence.size(3_200_000) == "3.2 MB")
        #expect(Sentence.name("Kreta") == "\u{201C}Kreta\u{201D}")
        Language.$asked.withValue(.german) {
            #expect(Sentence.size(3_200_000) == "3,2 MB")
            #expect(Sentence.distance(3_400) == "3,4 km")
            #expect(Sentence.name("Kreta") == "\u{201E}Kreta\u{201C}")
            #expect(Language.current.decimal("-1.29") == "-1,29")
        }
    }

    @Test("a stored message appears in its reader's language, with its arguments")
    func stored() throws {
        let inner: Message = "Try again."
        let message: Message = "{\(3)} \(inner)"
        let kept = try JSONCoding.decode(
            StoredMessage.self, from: JSONCoding.encode(StoredMessage(message)))
        #expect(kept.message.text == "{3} Try again.")
        let german = kept.message.text(in: .german)
        #expect(german == message.text(in: .german) && german != kept.message.text)
    }

    @Test("a decimal comma is accepted in German input")
    func decimalComma() throws {
        func read(_ text: String, _ comma: Bool) throws -> FieldValue {
            try TypedText(text, folder: "/", zone: "UTC", decimalComma: comma)
                .value(as: "decimal", of: "price")
        }
        #expect(try read("1,29", true) == .decimal("1.29"))
        #expect(try read("1.29", true) == .decimal("1.29"))
        #expect(try read("1.000,5", true) == .decimal("1000.5"))
        #expect(try read("1,29", false) == .decimal("1,29"))
    }

    @Test(
        "days can be typed as people write them in German",
        arguments: [
            ("22.10.2008 16:28", "2008-10-22 16:28"), ("1.3.2008", "2008-03-01 00:00"),
            ("heute 9:05", "today 9:05"), ("gestern", "yesterday"),
        ])
    func germanDays(german: String, english: String) throws {
        let input = TimeInput(zone: TimeZone(secondsFromGMT: 7200) ?? .gmt)
        #expect(try input.start(german) == input.start(english))
    }
}
