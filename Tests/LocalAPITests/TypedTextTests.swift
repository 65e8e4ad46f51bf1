import LocalAPI
import Testing

struct TypedTextTests {
    private func read(
        _ text: String, as type: String, decimalComma: Bool = false
    ) throws -> FieldValue {
        try TypedText(text, folder: "/tmp", zone: "Europe/Rome", decimalComma: decimalComma)
            .value(as: type, of: "field")
    }

    @Test(
        "A mark between thousands is left out where decimals follow it",
        arguments: [
            ("1.299,50", true, "1299.50"), ("-1.299.500,5", true, "-1299500.5"),
            ("1,29", true, "1.29"), ("1.29", true, "1.29"), ("1,299.50", false, "1299.50"),
            ("+12,299,000.5", false, "+12299000.5"), ("1.29", false, "1.29"),
            // Not clear, or no number: refused later.
            ("1,299", false, "1,299"), ("1.299,50", false, "1.299,50"),
            ("1,299.50", true, "1,299.50"), ("12.99,50", true, "12.99,50"),
            ("1299.500,5", true, "1299.500,5"), (".299,5", true, ".299,5"),
        ])
    func thousands(text: String, decimalComma: Bool, number: String) throws {
        #expect(try read(text, as: "decimal", decimalComma: decimalComma) == .decimal(number))
    }

    @Test(
        "A dot before three digits is asked about where decimals have a comma",
        arguments: ["1.290", "-12.000", "+999.999"])
    func unclear(text: String) throws {
        #expect(throws: APIError.unclear(text)) {
            try read(text, as: "decimal", decimalComma: true)
        }
        #expect(try read(text, as: "decimal") == .decimal(text))
    }

    @Test(
        "A dot that can only stand before decimals is one",
        arguments: ["1.29", "0.125", "1290.500", "1.2900", "1.29a", "12.", "1.299.500"])
    func decimals(text: String) throws {
        #expect(try read(text, as: "decimal", decimalComma: true) == .decimal(text))
    }

    @Test(
        "typed text is read as the type of its field",
        arguments: [
            ("Milk", "text", .text("Milk")), ("", "text", .text("")),
            ("-12", "integer", .integer(-12)),
            ("-0003.900", "decimal", .decimal("-0003.900")), ("Yes", "boolean", .boolean(true)),
            ("off", "boolean", .boolean(false)), ("{\"a\": 1.10}", "json", .json("{\"a\": 1.10}")),
            ("Crete", "reference", .reference(RecordReference(id: "Crete"))),
            ("", "integer", .null), ("", "blob", .null), ("a", "set", .text("a")),
            (
                "-33.9,151.2,12.5", "position",
                .position(Position(latitude: -33.9, longitude: 151.2, radius: 12.5))
            ),
            // Rome is two hours ahead of UTC in summer.
            (
                "2024-07-01 12:00", "time",
                .time(Moment(milliseconds: 1_719_828_000_000, offsetMinutes: 120))
            ),
        ] as [(String, String, FieldValue)])
    func types(text: String, type: String, value: FieldValue) throws {
        #expect(try read(text, as: type) == value)
    }

    @Test(
        "text that is not a value of its type is reported",
        arguments: [
            ("1.5", "integer", APIError.wrongType("field", type: "integer")),
            ("perhaps", "boolean", APIError.wrongType("field", type: "boolean")),
            ("1,2,x", "position", APIError.wrongType("field", type: "position")),
            ("91,0", "position", APIError.mistyped(OptionHelp.latitudeRange)),
            ("soon", "time", APIError.mistyped(OptionHelp.badTime)),
            ("none.jpg", "blob", APIError.noSuchFile("none.jpg")),
        ])
    func mistakes(text: String, type: String, error: APIError) {
        #expect(throws: error) { try read(text, as: type) }
    }

    @Test("a path begins where it was typed")
    func folder() throws {
        let typed = TypedText("hosts", folder: "/etc", zone: "UTC")
        guard case .blob(let blob) = try typed.value(as: "blob", of: "photo") else {
            Issue.record("no file")
            return
        }
        #expect(blob.path == "/etc/hosts")
    }
}
