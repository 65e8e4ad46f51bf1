import Records
import Testing

@Suite struct ShownNameTests {
    @Test(
        "names of others are shown without deceptive characters, and cut to 32",
        arguments: [
            ("Ben", "Ben"), ("  Ben\u{3000} ", "Ben"), ("B\u{200B}e\u{2060}n\u{FEFF}", "Ben"),
            ("Ben\u{1B}[31m", "Ben[31m"), ("\u{202E}neB\u{202C}", "neB"), ("B\ne\tn", "B e n"),
            ("\u{3164}\u{115F}\u{2800}", ""), ("\u{E0041}\u{E007F}", ""), (" \u{AD}\u{200C} ", ""),
            ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("❤\u{FE0F}", "❤\u{FE0F}"),
            (String(repeating: "é", count: 32), String(repeating: "é", count: 32)),
            (String(repeating: "é", count: 33), String(repeating: "é", count: 31) + "\u{2026}"),
        ])
    func names(given: String, shown: String) {
        #expect(ShownText.name(given) == shown)
    }
}
