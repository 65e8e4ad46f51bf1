import Journal
import LocalAPI
import Records
import SyncCore
import Testing

@Suite("The writes of an edit of a memory")
struct JournalFieldTests {
    private let first = WriteID(commit: CommitID(sha256([1])), index: 0)
    private let second = WriteID(commit: CommitID(sha256([2])), index: 3)

    /// A memory whose title the first write set; in conflict, the second one too.
    private func shown(title: String, conflicted: Bool = false) throws -> ShownRecord {
        let log = LogID(device: .zero, incarnation: .zero)
        func write(_ id: WriteID, _ text: String, _ clock: UInt64) -> SurvivingWrite {
            SurvivingWrite(
                id: id, log: log, sequence: 1, clock: HybridTime(raw: clock), precedence: 1,
                value: .text(text))
        }
        let writes =
            [write(first, title, 2)] + (conflicted ? [write(second, "other", 1)] : [])
        let state = RecordState(fields: ["title": Register(writes)])
        return try #require(
            try SchemaLoader.load(BuiltInSchema.journal.document).shown(state, in: "memory"))
    }

    @Test("An unchanged field is not written")
    func unchanged() throws {
        let writes = try FieldWrites.writes(
            [("title", .text("Duomo")), ("weather", .null)], over: try shown(title: "Duomo"),
            seen: nil)
        #expect(writes.isEmpty)
    }

    @Test("A change replaces the shown value")
    func changed() throws {
        let writes = try FieldWrites.writes(
            [("title", .text("Dom"))], over: try shown(title: "Duomo"), seen: nil)
        #expect(writes == [Write(field: "title", value: .text("Dom"), replaces: [first])])
    }

    @Test("Writing the shown value of a conflict decides it")
    func decided() throws {
        let writes = try FieldWrites.writes(
            [("title", .text("Duomo"))], over: try shown(title: "Duomo", conflicted: true),
            seen: nil)
        #expect(writes.map { Set($0.replaces ?? []) } == [[first, second]])
    }

    @Test("A token replaces exactly its writes, and none of other fields")
    func tokens() throws {
        let shown = try shown(title: "Duomo", conflicted: true)
        let token = String(second.commit.description.prefix(16))
        let writes = try FieldWrites.writes(
            [("title", .text("Dom")), ("text", .text("x"))], over: shown, seen: token)
        #expect(writes.map(\.replaces) == [[second], []])
    }

    @Test(
        "Refuses texts that are not tokens",
        arguments: ["", ".", "ab", "0123456789abcdeg", String(repeating: "a", count: 64)])
    func badToken(text: String) {
        #expect(
            throws: APIError(
                code: .badInput, sentence: "What was seen is named in a form that makes no sense.",
                hint: "Hand back the \u{201C}seen\u{201D} as the record showed it.")
        ) { try VersionToken.seen([first], in: text) }
    }

    @Test("Refuses places and times that do not exist, but not southern ones")
    func ranges() throws {
        #expect(
            try InputCheck.position(Position(latitude: -33.9, longitude: 151.2)).latitude == -33.9)
        #expect(throws: InputCheck.badPosition) {
            try InputCheck.position(Position(latitude: 90.1, longitude: 0))
        }
        #expect(throws: InputCheck.badPosition) {
            try InputCheck.position(Position(latitude: .nan, longitude: 0))
        }
        #expect(throws: InputCheck.badPosition) {
            try InputCheck.position(Position(latitude: 0, longitude: 0, radius: .infinity))
        }
        #expect(throws: InputCheck.badTime) { try InputCheck.moment(Moment(milliseconds: .max)) }
        #expect(throws: InputCheck.badTime) {
            try InputCheck.moment(Moment(milliseconds: 0, offsetMinutes: 5000))
        }
    }

    @Test("Names are trimmed, bounded and free of control characters")
    func names() throws {
        #expect(try InputCheck.name("  Arezzo \n", .tripName) == "Arezzo")
        #expect(
            throws: APIError(
                code: .badInput, sentence: "A trip needs a name.",
                hint: "For example: peersync trip create \"Arezzo 2008\"")
        ) { try InputCheck.name(" ", .tripName) }
        #expect(throws: APIError.self) { try InputCheck.name("a\u{1B}b", .tag) }
        #expect(throws: APIError.self) { try InputCheck.name("a\u{202E}b", .tag) }
        let fitting = String(repeating: "é", count: Limits.nameBytes / 2)
        #expect(try InputCheck.name(fitting, .title) == fitting)
        #expect(throws: APIError.self) { try InputCheck.name(fitting + "é", .title) }
    }

    @Test("Out-of-range values from other devices are not shown")
    func hostileValues() {
        #expect(Moment(TimeValue(milliseconds: .min, offsetMinutes: nil)) == nil)
        #expect(Moment(TimeValue(milliseconds: 0, offsetMinutes: .max))?.offsetMinutes == nil)
        #expect(Position(PositionValue(latitude: .nan, longitude: 0)) == nil)
        let odd = PositionValue(
            latitude: 1, longitude: 2, radiusMetres: -.infinity, altitudeMetres: .nan)
        #expect(Position(odd) == Position(latitude: 1, longitude: 2))
    }
}
