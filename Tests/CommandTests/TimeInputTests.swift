import Foundation
import LocalAPI
import Testing
import peersync

struct TimeInputTests {
    /// 2026-11-21 12:00 in Vienna, which is an hour ahead of UTC in winter and two in summer.
    private let input: TimeInput
    /// The same, of somebody who speaks German.
    private let german: TimeInput

    init() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        let now = Date(timeIntervalSince1970: 1_795_258_800)
        input = TimeInput(now: now, zone: zone, language: .english)
        german = TimeInput(now: now, zone: zone, language: .german)
    }

    @Test(
        "a time as people type it is understood",
        arguments: [
            ("2008-10-22 16:28", 1_224_685_680_000, 120),
            ("2008-10-22T16:28", 1_224_685_680_000, 120),
            ("2008-12-22 16:28", 1_229_959_680_000, 60),
            ("2008-10-22 16:28:05", 1_224_685_685_000, 120),
            ("2008-10-22T16:28:05.25", 1_224_685_685_250, 120),
            ("2008-10-22T16:28Z", 1_224_692_880_000, 0),
            ("2008-10-22T16:28:00+02:00", 1_224_685_680_000, 120),
            ("2008-10-22 16:28 +0200", 1_224_685_680_000, 120),
            ("2008-10-22T16:28-03:30", 1_224_705_480_000, -210),
            ("2008-10-22T16:28+05", 1_224_674_880_000, 300),
            ("2008-10-22T16:28+18:00", 1_224_628_080_000, 1080),
            ("2008-10-22T16:28-18:00", 1_224_757_680_000, -1080),
            ("today 14:30", 1_795_267_800_000, 60),
            ("yesterday 9:05", 1_795_161_900_000, 60),
            ("now", 1_795_258_800_000, 60),
            ("  2008-10-22   16:28 ", 1_224_685_680_000, 120),
            ("1969-12-31T23:59:59Z", -1000, 0),
            ("2024-02-29 00:00Z", 1_709_164_800_000, 0),
            ("22.7.2026", 1_784_671_200_000, 120), ("2026-07-22", 1_784_671_200_000, 120),
            ("today", 1_795_215_600_000, 60), ("vorgestern 9:05", 1_795_075_500_000, 60),
            ("Übermorgen", 1_795_388_400_000, 60),
        ])
    func understood(text: String, milliseconds: Int64, offset: Int) throws {
        let moment = try input.start(text)
        #expect(moment == Moment(milliseconds: milliseconds, offsetMinutes: offset))
    }

    @Test(
        "a text that is not a time is refused",
        arguments: [
            "", "soon", "16:28", "2008-02-30", "2008-02-30 10:00", "2023-02-29 10:00",
            "2008-13-01 10:00", "2008-00-01 10:00", "2008-10-00 10:00", "2008-10-22 24:00",
            "2008-10-22 10:60", "2008-10-22 1:2", "22.10.08 16:28", "08-10-22 16:28",
            "2008-10-22T16:28+18:01", "2008-10-22T16:28-18:59", "2008-10-22T16:28+99:00",
            "2008-10-22T16:28+2", "2008-10-22 16:28:61", "22.7.26",
            "２００８-10-22 16:28", "2008-10-22 -1:30", "99999-10-22 16:28",
        ])
    func refused(text: String) {
        #expect(throws: APIError.self) { try input.start(text) }
    }

    @Test(
        "in German a year may have two digits, and a point may stand between hour and minute",
        arguments: [
            ("22.10.2008 16.28", "2008-10-22 16:28"), ("22.10.08 16:28", "2008-10-22 16:28"),
            ("20.8.26", "2026-08-20"), ("20.8.26 8.30", "2026-08-20 8:30"),
            ("heute 8.30", "today 8:30"), ("20.8.46", "2046-08-20"), ("20.8.47", "1947-08-20"),
            ("20.8.2026 8.30 +0200", "2026-08-20 8:30 +0200"),
            ("heute 8.30 Uhr", "today 8:30"), ("20.8.2026 8:30 Uhr", "2026-08-20 8:30"),
            ("gestern 8 Uhr", "yesterday 8:00"), ("heute 08:30uhr", "today 08:30"),
            ("20.8.26 8:30:05 Uhr +0200", "2026-08-20 8:30:05 +0200"),
            ("22. Oktober 2008", "2008-10-22"), ("22 oktober 08", "2008-10-22"),
            ("1. Jänner 2008", "2008-01-01"), ("1. Januar 2008", "2008-01-01"),
            ("3. Feber 2008", "2008-02-03"), ("3. MÄRZ 2008", "2008-03-03"),
            ("22. Okt. 2008 16:28", "2008-10-22 16:28"),
            ("22. Oktober 2008, 16:28 Uhr", "2008-10-22 16:28"),
            ("22. Oktober 2008 um 16 Uhr", "2008-10-22 16:00"),
            ("22.10.2008, 16:28 Uhr", "2008-10-22 16:28"),
        ])
    func understoodInGerman(text: String, english: String) throws {
        // when
        let moment = try german.start(text)
        // then
        #expect(try moment == input.start(english))
        #expect(throws: APIError.self) { try input.start(text) }
    }

    @Test(
        "what is no time in German is refused",
        arguments: [
            "20.8", "26-08-20", "20.8.026", "20.8.26 8.3", "31.2.26", "8.30", "20.8.26 8.",
            "heute Uhr", "8 Uhr", "heute 8", "heute 8.3 Uhr", "heute 24 Uhr", "22. Oktober",
            "22. Ok 2008", "22. Oktobers 2008", "22.. Oktober 2008", "31. Juni 2008",
            "22. October 2008", "22.10.2008,", "22.10.2008, ",
        ])
    func refusedInGerman(text: String) {
        #expect(throws: APIError.self) { try german.start(text) }
    }

    @Test(
        "in English a month may have its name",
        arguments: [
            ("22 October 2008", "2008-10-22"), ("22 Oct 2008 16:28", "2008-10-22 16:28"),
            ("1 may 2008, 16:28", "2008-05-01 16:28"),
            ("3 Sept. 2008 at 9:05", "2008-09-03 9:05"), ("22.10.2008, 16:28", "2008-10-22 16:28"),
        ])
    func namedMonth(text: String, numbers: String) throws {
        #expect(try input.start(text) == input.start(numbers))
    }

    @Test("what is printed is understood, in the language in which it is printed")
    func printed() throws {
        for name in ["Europe/Vienna", "America/St_Johns", "Asia/Kathmandu"] {
            let zone = try #require(TimeZone(identifier: name))
            for language in Language.allCases {
                let input = TimeInput(zone: zone, language: language)
                // From 1975 to 2075, and each minute of an hour that the clocks in Vienna show twice.
                let century = stride(
                    from: Int64(157_766_400_500), to: 3_313_526_400_000, by: 987_654_321)
                let night = stride(
                    from: Int64(1_224_979_200_000), to: 1_224_986_400_000, by: 60_000)
                let moments = Array(century) + Array(night)
                try Language.$asked.withValue(language) { () throws in
                    for milliseconds in moments {
                        let moment = Moment(milliseconds: milliseconds)
                        let shown = Formatting.time(moment, zone: zone)
                        #expect(try Formatting.time(input.start(shown), zone: zone) == shown)
                        let exact = Formatting.typed(moment, zone: zone)
                        #expect(try input.start(exact).milliseconds == milliseconds, "\(exact)")
                        let zoned = Moment(
                            milliseconds: milliseconds - milliseconds % 60_000, offsetMinutes: 345)
                        let withZone = Formatting.timeWithZone(zoned)
                        #expect(try input.start(withZone) == zoned, "\(withZone)")
                        let dated = Sentence.timeWithZone(
                            Moment(milliseconds: milliseconds, offsetMinutes: 120), isExact: true)
                        #expect(try input.start(dated).milliseconds == milliseconds, "\(dated)")
                    }
                }
            }
        }
    }

    @Test("a day alone starts at its first moment and ends at the first of the next day")
    func days() throws {
        let start = try input.start("2008-10-25")
        let end = try input.end("2008-10-26")
        // The clocks go back in the night to the 26th: it is 25 hours long.
        #expect(start.milliseconds == 1_224_885_600_000)
        #expect(end.milliseconds == 1_225_062_000_000)
        #expect(end.milliseconds - start.milliseconds == 49 * 3_600_000)
    }

    @Test("a time that the clocks skip is refused with the times before and after")
    func skipped() throws {
        // given
        let island = TimeInput(zone: try #require(TimeZone(identifier: "Australia/Lord_Howe")))
        // when, then
        let vienna = APIError.mistyped(
            OptionHelp.skippedTime("2026-03-29 01:30", "2026-03-29 03:30"))
        #expect(throws: vienna) { try input.start("2026-03-29 02:30") }
        #expect(throws: vienna) { try german.end("29.3.26 2.30 Uhr") }
        // There the clocks go forward by half an hour.
        let islands = APIError.mistyped(
            OptionHelp.skippedTime("2026-10-04 01:40", "2026-10-04 02:40"))
        #expect(throws: islands) { try island.start("2026-10-04 02:10") }
        let last = try input.start("2026-03-29 01:59:59")
        let next = try input.start("2026-03-29 03:00")
        #expect(next.milliseconds - last.milliseconds == 1000)
        // No moment is looked for by such a text, and by others no mistake is found.
        #expect(input.skipped("2026-03-29 02:30") == vienna)
        #expect(input.skipped("Duomo") == nil && input.skipped("2026-03-29 03:30") == nil)
        // A time with an offset always exists.
        let exact = try input.start("2026-03-29 02:30 +0100")
        #expect(try exact.milliseconds == input.start("2026-03-29 01:30Z").milliseconds)
    }

    @Test("where the clocks skip midnight, a day begins later, and the next one at midnight")
    func skippedMidnight() throws {
        // given
        let input = TimeInput(zone: try #require(TimeZone(identifier: "America/Sao_Paulo")))
        // when
        let start = try input.start("2018-11-04")
        let end = try input.end("2018-11-04")
        // then
        #expect(try start == input.start("2018-11-04 01:00"))
        #expect(try end == input.start("2018-11-05 00:00"))
    }

    @Test("a moment that a person named comes before a time that only German knows")
    func namedMoment() async throws {
        // given
        let mark = MarkView(name: "20.8.26", at: Moment(milliseconds: 7))
        func read(_ input: TimeInput, _ text: String) async throws -> Moment? {
            try await input.since(text) { [mark] }
        }
        // when, then
        #expect(try await read(german, "20.8.26") == mark.at)
        #expect(try await read(german, " 20.8.26 ") == mark.at)
        #expect(try await read(german, "21.8.26") == german.start("21.8.26"))
        #expect(try await read(input, "20.8.26") == nil)
        let day = try await input.since("2026-08-20") {
            Issue.record("asked for names")
            return []
        }
        #expect(try day == input.start("2026-08-20"))
    }

    @Test("a day with a time is that time at both ends")
    func edges() throws {
        let start = try input.start("2008-10-22 16:28")
        let end = try input.end("2008-10-22 16:28")
        #expect(start == end)
    }
}
