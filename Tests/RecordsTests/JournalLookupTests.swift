import LocalAPI
import Records
import Testing

@Suite("Finding the one thing that a person means")
struct JournalLookupTests {
    private let trips = [
        Lookup.Entry(id: "aaaa1111bbbb", name: "Arezzo 2008"),
        Lookup.Entry(id: "aaaa2222bbbb", name: "Arezzo"),
        Lookup.Entry(id: "cafe3333bbbb", name: "Caf\u{E9} tour"),
        Lookup.Entry(id: "dddd4444bbbb", name: "cafe"),
        Lookup.Entry(id: "eeee5555bbbb", name: "Zell"),
        Lookup.Entry(id: "ffff6666bbbb", name: "ZELL"),
    ]

    private func found(_ typed: String) -> [String] {
        Lookup.matches(typed, among: trips).map { trips[$0].id }
    }

    @Test("An exact name wins over a longer one that begins with it")
    func exactName() {
        #expect(found("Arezzo") == ["aaaa2222bbbb"])
        #expect(found("arezzo 2008") == ["aaaa1111bbbb"])
    }

    @Test("Exact spelling decides between names that differ only in case")
    func exactSpelling() {
        #expect(found("ZELL") == ["ffff6666bbbb"])
        #expect(found("zell") == ["eeee5555bbbb", "ffff6666bbbb"])
    }

    @Test("Accents may be composed either way")
    func composition() {
        #expect(found("CAFE\u{301} TOUR") == ["cafe3333bbbb"])
    }

    @Test("A name that looks like an id is a name first")
    func nameBeforeID() {
        #expect(found("cafe") == ["dddd4444bbbb"])
        #expect(found("cafe3") == ["cafe3333bbbb"])
    }

    @Test("An id's beginning needs four characters")
    func idPrefix() {
        #expect(found("EEEE") == ["eeee5555bbbb"])
        #expect(found("eee").isEmpty)
        #expect(found("aaaa") == ["aaaa1111bbbb", "aaaa2222bbbb"])
        #expect(found("aaaa-1") == ["aaaa1111bbbb"])
    }

    @Test("A name's beginning is enough when it is the only one")
    func namePrefix() {
        #expect(found("caf\u{E9}") == ["cafe3333bbbb"])
        #expect(found("are") == ["aaaa1111bbbb", "aaaa2222bbbb"])
        #expect(found("Rome").isEmpty)
        #expect(found("  ").isEmpty)
    }

    @Test("An ambiguous name throws with all candidates")
    func ambiguous() throws {
        let error = #expect(throws: APIError.self) {
            try Lookup.find("aaaa", .trip, among: trips) { $0 }
        }
        #expect(error?.code == .ambiguous)
        #expect(error?.candidates.map(\.name) == ["Arezzo", "Arezzo 2008"])
        #expect(error?.candidates.map(\.shortID) == ["aaaa2222", "aaaa1111"])
    }

    @Test("An unknown name throws with a hint")
    func unknown() {
        let error = #expect(throws: APIError.self) {
            try Lookup.find("Rome\u{1B}[2J", .trip, among: trips) { $0 }
        }
        #expect(error?.code == .notFound)
        #expect(error?.hint != nil)
        #expect(error?.sentence.contains("\u{1B}") == false)
    }

    @Test("Short ids are eight characters, or as many as tell them apart")
    func shortIDs() {
        let short = ShortIDs(["0123456789ab", "0123456789cd", "fedcba987654"])
        #expect(short["0123456789ab"] == "0123456789a")
        #expect(short["0123456789cd"] == "0123456789c")
        #expect(short["fedcba987654"] == "fedcba98")
        #expect(short["77777777777"] == "77777777")
    }

    @Test("Names lose characters that control a terminal or reorder text")
    func shownText() {
        #expect(ShownText.line("a\u{1B}[31mb\nc\u{202E}d\u{2066}e\u{7F}\u{85}") == "a[31mb cde")
        #expect(ShownText.lines("a\n\tb\r\u{0}c") == "a\n\tbc")
        #expect(
            ShownText.line("\u{1F468}\u{200D}\u{1F469} \u{5E9}\u{200F}")
                == "\u{1F468}\u{200D}\u{1F469} \u{5E9}\u{200F}")
        #expect(!ShownText.isClean("a\nb"))
        #expect(ShownText.isClean("Zürich, 春"))
    }
}
