import Testing

@Suite("Tests that depend on time")
struct TimedTests {
    /// `Tests/run` runs suites with a time limit one after another, without others beside them.
    private static let limit = ".timeLimit" + "("
    private static let measures = [
        ".duration(" + "to:", "ContinuousClock.now" + " -", "SuspendingClock" + "(",
        "clock" + "() -",
        ".now - " + "started", "Date" + "() -",
    ]

    private static func tests() throws -> [RepositoryFile] {
        try Repository.swiftFiles(below: "Tests").filter {
            $0.name.hasSuffix("Tests.swift") && $0.name != "TimedTests.swift"
        }
    }

    @Test("whatever measures how long something takes has a time limit, and so runs alone")
    func measuring() throws {
        for file in try Self.tests() {
            let text = try file.text()
            for measure in Self.measures where text.contains(measure) {
                #expect(text.contains(Self.limit), "\(file) has \(measure)")
            }
        }
    }

    @Test("a file with a time limit is named for its suite, by which it is found")
    func names() throws {
        let limited = try Self.tests().filter { try $0.text().contains(Self.limit) }
        try #require(!limited.isEmpty)
        let suites = limited.map { String($0.name.prefix { $0 != "." }) }
        for (file, suite) in zip(limited, suites) {
            let text = try file.text()
            let isFound =
                text.contains("struct \(suite) ")
                || suites.contains { text.contains("extension \($0) {") }
            #expect(isFound, "\(file) has no suite \(suite)")
        }
        let script = try RepositoryFile(path: "Tests/run").text()
        let search = #"grep -rl '\.timeLimit"# + "(' Tests --include='*Tests.swift'"
        #expect(script.contains(search))
    }
}
