import Testing

@Suite("What is logged")
struct LogTests {
    /// The keys of a line besides time, level and action.
    private static let keys: Set = ["phase", "record", "details", "device", "person"]

    @Test("the agent logs in one way, so that every line has the fixed keys")
    func agent() throws {
        let call = /\b(?:logger|log)\.(?:trace|debug|info|notice|warning|error|critical)\(/
        for target in ["Device", "Networking", "Files", "Status", "Doctor", "Agent"] {
            for file in try Repository.swiftFiles(below: "Sources/" + target) {
                for (number, line) in try file.lines() where line.firstMatch(of: call) != nil {
                    Issue.record("\(file):\(number) does not log with note: \(line)")
                }
            }
        }
    }

    @Test("what Transport and Discovery log has the fixed keys")
    func below() throws {
        let metadata = /metadata: \[\s*((?:"\w+": .*?)+?)\]\)/.dotMatchesNewlines()
        let top = /"(\w+)": (?:"[^"]*"|\[[^\]]*\]|\.dictionary)/
        var found = 0
        for folder in ["Sources/Transport", "Sources/Discovery"] {
            for file in try Repository.swiftFiles(below: folder) {
                for match in try file.text().matches(of: metadata) {
                    let keys = match.1.matches(of: top).map { String($0.1) }
                    #expect(keys.first == "phase", "\(file): \(match.0)")
                    #expect(Set(keys).isSubset(of: Self.keys), "\(file): \(keys)")
                    found += 1
                }
            }
        }
        #expect(found >= 5)
    }
}
