import Foundation
import LocalAPI
import Testing
import peersync

@Suite("Files that list records")
struct RecordFileTests {
    private static let collection = SchemaView.Collection(
        name: "purchase",
        fields: [
            field("name", "text"), field("price", "decimal"), field("count", "integer"),
            field("at", "time"), field("here", "boolean"), field("facts", "json"),
            field("product", "reference"), field("place", "position"),
            SchemaView.Field(
                name: "labels", type: "set", of: "text", to: nil, strategy: "union",
                required: false, local: false, searched: false),
        ], derived: ["spent"])

    private static func field(_ name: String, _ type: String) -> SchemaView.Field {
        SchemaView.Field(
            name: name, type: type, of: nil, to: nil, strategy: "lastWrite", required: false,
            local: false, searched: false)
    }

    private func records(_ text: String) throws -> [RecordBatchDraft.NewRecord] {
        try RecordFile(of: Self.collection).records(Array(text.utf8))
    }

    @Test(
        "commas, semicolons and tabs separate columns, as in the first line",
        arguments: [",", ";", "\t"])
    func separators(separator: String) throws {
        let text = "\u{FEFF}name,price,labels\r\nMilk,1.290,cold|daily\r\n\r\n\"a\"\"b\",,\n"
        let read = try records(text.replacing(",", with: separator))
        #expect(
            read == [
                .init(
                    fields: [
                        "name": .text("Milk"), "price": .decimal("1.290"),
                        "labels": .set([.text("cold"), .text("daily")]),
                    ], line: 2),
                .init(fields: ["name": .text("a\"b")], line: 4),
            ])
    }

    @Test("quoted values keep separators, line ends and blanks; empty ones are texts")
    func quotes() throws {
        let read = try records("name,count\n\" a,\n b \",1\n\"\",2\n,3\nlast,4")
        #expect(read.map(\.line) == [2, 4, 5, 6])
        #expect(
            read.map { $0.fields["name"] } == [
                .text(" a,\n b "), .text(""), nil, .text("last"),
            ])
    }

    @Test("JSON lines accept texts as in CSV and values as shown, and lose no digit")
    func jsonLines() throws {
        let read = try records(
            """
            {"name": "Milk \\u00e9", "price": 1.290, "count": 7, "here": true}

            {"price": "0.10", "facts": {"b" : [1.50, {}]}, "labels": ["a", "b"], "name": null}
            {"price": {"decimal": "3.0"}, "facts": {"json":"[ 1]"}, "product": "Milk", "here": "no"}
            {"at": {"time": {"milliseconds": 5, "offsetMinutes": 60}}, "place": "1.5,2", "facts": 1e9}
            """)
        #expect(
            read.map(\.fields) == [
                [
                    "name": .text("Milk \u{E9}"), "price": .decimal("1.290"),
                    "count": .integer(7), "here": .boolean(true),
                ],
                [
                    "price": .decimal("0.10"), "facts": .json("{\"b\" : [1.50, {}]}"),
                    "labels": .set([.text("a"), .text("b")]), "name": .null,
                ],
                [
                    "price": .decimal("3.0"), "facts": .json("[ 1]"),
                    "product": .reference(RecordReference(id: "Milk")), "here": .boolean(false),
                ],
                [
                    "at": .time(Moment(milliseconds: 5, offsetMinutes: 60)),
                    "place": .position(
                        Position(latitude: 1.5, longitude: 2, radius: nil, altitude: nil)),
                    "facts": .json("1e9"),
                ],
            ])
        #expect(read.map(\.line) == [1, 3, 4, 5])
    }

    @Test(
        "an error in a file is reported with its line",
        arguments: [
            ("name,price\nMilk,1\nSalt\n", "Line 3: It has 1 value, and the first line names 2"),
            ("name,colour\n", "Line 1: There is no field “colour” in purchase"),
            ("name,name\n", "Line 1: “name” is there twice"),
            ("name,,price\n", "Line 1: The first line must name the fields"),
            ("name,count\nMilk,many\n", "Line 2: This value does not fit count"),
            ("name\n\"a\n\nb\n", "Line 2: A quotation mark is never closed"),
            ("name\n\"a\"b\n", "Line 2: After a closing quotation mark"),
            ("name,at\nx,soon\n", "Line 2: Write a time"),
            ("{\"name\": \"a\"}\n{\"name\": \"b\"\n", "Line 2: It is not one JSON object"),
            ("{\"name\": \"a\"} {}\n", "Line 1: It is not one JSON object"),
            ("{\"name\": \"a\", \"name\": \"b\"}", "Line 1: “name” is there twice"),
            ("{\"name\": 1}", "Line 1: This value does not fit name"),
            ("{\"name\": [\"a\"]}", "Line 1: This value does not fit name"),
            ("{\"price\": {\"decimal\": 1}}", "Line 1: This value does not fit price"),
            ("{\"name\": \"\\ud800\"}", "Line 1: It is not one JSON object"),
            ("", "There is no record in it"), ("name\n", "There is no record in it"),
        ])
    func mistakes(text: String, sentence: String) throws {
        let error = #expect(throws: APIError.self) { try records(text) }
        #expect(error?.sentence.hasPrefix(sentence) == true, "\(error?.sentence ?? "")")
        #expect(error?.code == .badInput)
    }

    @Test("bytes that are not text are reported with their line, in both forms")
    func badBytes() throws {
        for start in ["name\nx\n", "{\"name\": \"x\"}\n\n{\"name\": \""] {
            let error = #expect(throws: APIError.self) {
                try RecordFile(of: Self.collection).records(Array(start.utf8) + [0xC3, 0x28])
            }
            #expect(error == .badLine(3, Sentence.BatchLine.notUTF8))
        }
    }
}
