import Foundation
import Testing

/// One function with the lines from its name to its closing brace.
struct FunctionSpan {
    let name: String
    let firstLine: Int
    let lineCount: Int

    /// The functions and initialisers of a formatted file: a closing brace stands as far left as the
    /// line that the function begins with.
    static func all(in lines: [(number: Int, text: String)]) throws -> [FunctionSpan] {
        let start = /^(\s*)(?:@\S+\s+)*(?:[a-z]+(?:\(set\))?\s+)*(func\s+[^(<\s]+|init\??(?=[(<]))/
        return lines.indices.compactMap { index in
            let line = lines[index].text
            // The pattern is slow, and most lines have neither word.
            guard line.contains("func ") || line.contains("init"),
                let match = line.firstMatch(of: start)
            else { return nil }
            let end = lines[index...].firstIndex { line in
                line.number > lines[index].number && line.text.hasPrefix(match.1 + "}")
                    || line.text.hasPrefix(match.1) && line.text.hasSuffix("}")
                        && line.text.contains("{")
            }
            guard let end else { return nil }
            return FunctionSpan(
                name: String(match.2), firstLine: lines[index].number,
                lineCount: end - index + 1)
        }
    }
}

@Suite("How the code reads")
struct StyleTests {
    private static let longestFile = 500
    private static let longestFunction = 50
    /// Longer ones, with their length and why: they may shrink, not grow.
    private static let longFunctions: [String: Int] = [
        // Every part of an agent is made here, in the order in which they need each other.
        "Sources/Agent/Program/AgentRuntime.swift init": 55
    ]

    @Test("no file is too long to be read in one go")
    func files() throws {
        for file in try Repository.swiftFiles() {
            let count = try file.lines().count - 1
            #expect(count <= Self.longestFile, "\(file) has \(count) lines")
        }
    }

    @Test("no function is longer than a screen")
    func functions() throws {
        for file in try Repository.swiftFiles() {
            for function in try FunctionSpan.all(in: file.lines()) {
                let limit = Self.longFunctions["\(file) \(function.name)"] ?? Self.longestFunction
                #expect(
                    function.lineCount <= limit,
                    "\(file):\(function.firstLine) \(function.name): \(function.lineCount) lines")
            }
        }
    }

    @Test("a function's length is counted from its name to its closing brace")
    func counting() throws {
        let text = "struct A {\n    func b(\n        c: Int\n    ) {\n        d()\n    }\n}"
        let lines = text.components(separatedBy: "\n").enumerated()
        let spans = try FunctionSpan.all(in: lines.map { ($0.offset + 1, $0.element) })
        #expect(spans.map(\.name) == ["func b"])
        #expect(spans.map(\.firstLine) == [2])
        #expect(spans.map(\.lineCount) == [5])
    }

    // In two halves each, so that this file does not break its own rule.
    private static let forbiddenWords = [
        "try" + "!", "as" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME", "XX" + "X",
    ]

    @Test("nothing is left for later, and nothing ends the program by surprise")
    func words() throws {
        for file in try Repository.swiftFiles() {
            let text = try file.text()
            for word in Self.forbiddenWords where text.contains(word) {
                Issue.record("\(file) has \(word)")
            }
        }
    }

    @Test("nothing is public: one package, one program")
    func access() throws {
        let open = /^\s*(?:@\S+\s+)*(?:public|open)\s+[a-z]/
        for file in try Repository.swiftFiles() {
            for (number, line) in try file.lines()
            where line.contains("public ") || line.contains("open ") {
                #expect(line.firstMatch(of: open) == nil, "\(file):\(number) \(line)")
            }
        }
    }

    @Test("types are named for what they are; only NIO's are handlers")
    func names() throws {
        let kind = /\b(?:class|struct|enum|actor|protocol)\s+(\w+)/
        let vague = ["Manager", "Helper", "Helpers", "Utils", "Utilities"]
        for file in try Repository.swiftFiles(below: "Sources") {
            let endings = vague + (file.path.hasPrefix("Sources/Transport/") ? [] : ["Handler"])
            let text = try file.text()
            guard endings.contains(where: { text.contains($0) }) else { continue }
            for match in text.matches(of: kind) {
                let isVague = endings.contains { match.1.hasSuffix($0) }
                #expect(!isVague, "\(file) has \(match.1)")
            }
        }
    }

    @Test("sentences for people stand in the catalogue")
    func sentences() throws {
        // A literal that begins like a sentence and ends like one; logs begin in lower case.
        let sentence = /"[A-Z][^"]* [^"]*\."/
        let files =
            try Repository.swiftFiles(below: "Sources/Agent")
            + Repository.swiftFiles(below: "Sources/peersync")
        for file in files {
            for (number, line) in try file.lines()
            where line.contains(".\"") && !line.contains("///") {
                #expect(
                    line.firstMatch(of: sentence) == nil,
                    "\(file):\(number) says something that the catalogue should say: \(line)")
            }
        }
    }
}
