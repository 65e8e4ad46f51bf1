import Testing

@Suite("Rules of the program's own state stand in the code")
struct InvariantShareTests {
    /// Lines of the core and the store for each of their rules. It may shrink, and never grow.
    private static let linesPerRule = 100

    @Test("the core and the store do not get fewer rules for their size")
    func share() throws {
        // given
        let files = try ["Sources/SyncCore", "Sources/Store"].flatMap {
            try Repository.swiftFiles(below: $0)
        }
        let rule = /\b(?:precondition|preconditionFailure|Invariants\.check)\(/
        // when
        let (lines, rules) = try files.reduce(into: (0, 0)) { counts, file in
            let text = try file.text()
            counts.0 += text.count { $0.isNewline }
            counts.1 += String(MaskedSource(text).characters).matches(of: rule).count
        }
        // then
        #expect(lines <= rules * Self.linesPerRule, "\(rules) rules in \(lines) lines")
        #expect(
            lines > rules * (Self.linesPerRule - 5),
            "\(rules) rules in \(lines) lines are more than are listed: lower the number")
    }
}
