import LocalAPI
import Records
import Testing

@Suite("Parts of names, and misspelt names")
struct NamesByPartTests {
    private static let names = [
        "Arezzo 2008", "See the northern lights", "North of Arezzo", "Duomo", "Caf\u{E9} Duomo",
        "Ann",
    ]

    private func meant(_ typed: String) -> [String] {
        let entries = Self.names.enumerated().map { Lookup.Entry(id: "\($0)f", name: $1) }
        return Lookup.matches(typed, among: entries).map { Self.names[$0] }
    }

    @Test("An option is called as the command calls it, and not as another one that is spelt alike")
    func options() {
        // given
        let help = "OPTIONS:\n  --title <title>  Its title.\n  --home <dir>  Where all is kept.\n"
        // when
        func meant(_ typed: String, _ guess: String) -> String? {
            SimilarNames.option(typed, guess: guess, help: help)
        }
        // then
        #expect(meant("--name", "--home") == "--title")
        #expect(meant("--titel", "--title") == "--title")
        #expect(meant("--weather", "--home") == nil)
    }

    @Test(
        "a whole name goes before a beginning, that before words of it, and these before a part",
        arguments: [
            ("duomo", ["Duomo"]), ("arezzo", ["Arezzo 2008"]), ("2008", ["Arezzo 2008"]),
            ("northern", ["See the northern lights"]), ("see lights", ["See the northern lights"]),
            ("lights see", []), ("north", ["North of Arezzo"]),
            ("caf\u{E9} d", ["Caf\u{E9} Duomo"]),
            ("zzo", ["Arezzo 2008", "North of Arezzo"]), ("zo", []), ("", []), ("rome", []),
        ])
    func parts(typed: String, expected: [String]) {
        #expect(meant(typed) == expected)
    }

    @Test(
        "equal names are told apart by the beginning of the id after them",
        arguments: [
            ("Rome (3f2a)", ["3f2a91"]), ("rome (3F2A9)", ["3f2a91"]), ("Rome (77b1)", ["77b1c0"]),
            ("Rome", ["3f2a91", "77b1c0"]), ("Rome (3f2)", []), ("Oslo (3f2a)", []),
            ("Rome (old)", ["0001aa"]),
        ])
    func toldApart(typed: String, expected: [String]) {
        let entries = [("3f2a91", "Rome"), ("77b1c0", "Rome"), ("0001aa", "Rome (old)")]
            .map { Lookup.Entry(id: $0, name: $1) }
        #expect(Lookup.matches(typed, among: entries).map { entries[$0].id } == expected)
    }

    @Test(
        "suggests names that differ by a few letters, the nearest first",
        arguments: [
            ("Arezo 2008", ["Arezzo 2008"]), ("doumo", ["Duomo"]), ("DUOMOO", ["Duomo"]),
            ("Anna", ["Ann"]), ("An", ["Ann"]), ("Rome", []), ("", []), ("xyz", []),
            ("Arezo", ["Arezzo 2008", "North of Arezzo"]),
            ("nothern lights", ["See the northern lights"]),
            ("lihgts", ["See the northern lights"]), ("tha", []),
        ])
    func similar(typed: String, expected: [String]) {
        #expect(SimilarNames.of(typed, among: Self.names) == expected)
    }

    @Test(
        "Suggests names whatever the accents, and those that begin with what is typed",
        arguments: [
            ("worther", ["W\u{F6}rthersee"]), ("woerther", ["W\u{F6}rthersee"]),
            ("Worthersee", ["W\u{F6}rthersee"]), ("Woertersee", ["W\u{F6}rthersee"]),
            ("strass", ["Gro\u{DF}e Stra\u{DF}e"]), ("cafe", ["Caf\u{E9}"]), ("wor", []),
        ])
    func similarLetters(typed: String, expected: [String]) {
        // given
        let names = ["W\u{F6}rthersee", "Gro\u{DF}e Stra\u{DF}e", "Caf\u{E9}"]
        // when
        let similar = SimilarNames.of(typed, among: names)
        // then
        #expect(similar == expected)
    }

    @Test(
        "Suggests the commands that do what other programs call so, or else the nearest names",
        arguments: [
            ("export", ["archive"]), ("EXPORT", ["archive"]), ("update", ["change"]),
            ("show", ["get"]), ("delet", ["delete"]), ("frobnicate", []), ("archive", ["archive"]),
        ])
    func commands(typed: String, expected: [String]) {
        let known = ["archive", "change", "delete", "get", "import"]
        #expect(SimilarNames.commands(typed, among: known) == expected)
    }

    @Test("suggests no empty name")
    func empty() {
        #expect(SimilarNames.of("0", among: ["", "1"]) == ["1"])
    }

    @Test("suggests the three nearest names, each once")
    func few() {
        let found = SimilarNames.of(
            "memory", among: ["memoru", "memory2", "memo", "memry", "memry"])
        #expect(found == ["memoru", "memory2", "memry"])
    }

    @Test("a full name means all things of that name, ignoring case; a part means all that it fits")
    func allMatches() {
        let names = ["sun", "Sun", "golden hour", "blue hour"]
        let entries = names.enumerated().map { Lookup.Entry(id: "\($0)f", name: $1) }
        func meant(_ typed: String) -> [String] {
            Lookup.allMatches(typed, among: entries).map { names[$0] }
        }
        #expect(meant("sun") == ["sun", "Sun"])
        #expect(meant("golden") == ["golden hour"])
        #expect(meant("hour") == ["golden hour", "blue hour"])
        #expect(meant("rain") == [])
    }

    @Test("an unknown name gets a near one as suggestion")
    func hint() {
        let names = Self.names
        #expect(
            throws: APIError.unknown(.trip, "Arezo 2008", similar: ["Arezzo 2008"])
        ) {
            try Lookup.find("Arezo 2008", .trip, among: names) { Lookup.Entry(id: $0, name: $0) }
        }
    }
}
