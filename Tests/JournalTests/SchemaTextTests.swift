import Journal
import Records
import SyncCore
import TestKit
import Testing

@Suite("The text of a schema")
struct SchemaTextTests {
    private static let head = "schema: 1\nname: a\nversion: 1\n"

    /// Each level names the one before ten times, and the last one is a key.
    private static let aliases =
        head + "a0: &a0 {x: y}\n"
        + (1...20).map { level in
            "a\(level): &a\(level) {"
                + (0..<10).map { "k\($0): *a\(level - 1)" }
                .joined(separator: ", ") + "}\n"
        }.joined() + "collections: {*a20 : x}\n"

    private static func nested(_ opening: String, _ closing: String) -> String {
        let pieces = (0..<20_000).map(String.init).joined(separator: ", ")
        return head + "collections: " + String(repeating: opening, count: 900)
            + "{" + pieces + "}" + String(repeating: closing, count: 900) + "\n"
    }

    @Test(
        "keys that would keep a YAML library busy for hours are refused, with their line",
        arguments: [
            (aliases, 4), (nested("{", "}"), 4), (nested("{ ", " : 1}"), 4),
            (nested("{? ", " : 1}"), 4), (head + "? [a]\n: 1\n", 4),
            (head + "collections:\n  ? - a\n  : 1\n", 5), (head + "x: [[a], {b: c}]\n", 4),
            (head + "x: \"&a\"\n", 4),
        ])
    func bombs(document: String, line: Int) throws {
        let seconds = ProcessorTime.seconds {
            let failure = #expect(throws: SchemaLoader.Failure.self) {
                try SchemaLoader.load(Array(document.utf8))
            }
            #expect(failure?.line == line)
        }
        #expect(seconds < 2)
    }

    @Test(
        "a number is written in plain digits",
        arguments: [
            "9223372036854775807:1", "1:1:1:1:1:1:1:1:1:1:1", "0x10", "1_0", "'1'", "99999999999",
            "-1", "1.0", "",
        ])
    func numbers(number: String) {
        for document in [
            "schema: \(number)\nname: a\nversion: 1\ncollections: {}\n",
            "schema: 1\nname: a\nversion: \(number)\ncollections: {}\n",
        ] {
            #expect(throws: SchemaLoader.Failure.self) {
                try SchemaLoader.load(Array(document.utf8))
            }
        }
    }

    @Test("documents without these keys are read")
    func plain() throws {
        let document =
            "# Who? R&D, and others.\nschema: 1\nname: R&D\nversion: 1\n"
            + "collections:\n  a:\n    fields:\n      b: {type: set, of: {type: text}}\n"
        let schema = try SchemaLoader.load(Array(document.utf8))
        #expect(schema.collections.map(\.name) == Schema.everywhere.map(\.name) + ["a"])
        _ = try SchemaLoader.load(BuiltInSchema.journal.document)
    }

    @Test("a field takes the strategies that fit its type, and no other")
    func strategies() throws {
        func document(_ field: String) -> [UInt8] {
            let text =
                SchemaTextTests.head + "collections:\n  a:\n    fields:\n      b: {\(field)}\n"
            return Array(text.utf8)
        }
        let fitting: [(String, MergeStrategy)] = [
            ("type: text", .lastWrite), ("type: text, strategy: longest", .longest),
            ("type: text, strategy: mergeText", .mergeText),
            ("type: position, strategy: mostAccurate", .mostAccurate),
            ("type: boolean, strategy: userChoice", .userChoice),
            ("type: set, of: {type: text}", .union),
        ]
        for (field, strategy) in fitting {
            let schema = try SchemaLoader.load(document(field))
            #expect(schema.collection("a")?.field("b")?.strategy == strategy)
        }
        for field in [
            "type: integer, strategy: longest", "type: position, strategy: mergeText",
            "type: text, strategy: union", "type: text, strategy: newest",
            "type: set, of: {type: text}, strategy: lastWrite",
        ] {
            let failure = #expect(throws: SchemaLoader.Failure.self) {
                try SchemaLoader.load(document(field))
            }
            #expect(failure?.line == 7)
        }
    }
}
