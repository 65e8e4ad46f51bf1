import Foundation
import LocalAPI
import Testing

@Suite("Times in sentences")
struct TimeSentenceTests {
    /// What a calendar of Foundation says.
    private func expected(_ moment: Moment, _ zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: moment.date)
        func padded(_ number: Int?, _ width: Int) -> String {
            String(format: "%0\(width)d", number ?? 0)
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2)) "
            + "\(padded(parts.hour, 2)):\(padded(parts.minute, 2))"
    }

    @Test(
        "are those of the calendar, in every zone and year",
        arguments: ["Europe/Vienna", "Asia/Tokyo", "America/St_Johns", "Pacific/Apia"])
    func calendar(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        // From 1400 to 2400, at all times of day and of the year.
        for milliseconds in stride(
            from: Int64(-17_987_443_200_001), to: 13_569_465_600_000, by: 1_234_567_891)
        {
            let moment = Moment(milliseconds: milliseconds)
            #expect(
                Sentence.time(moment, zone: zone) == expected(moment, zone), "\(milliseconds)")
        }
    }

    @Test("are those of the calendar around midnight, leap days and the turn of centuries")
    func turns() {
        let days: [Int64] = [
            -141_427, -141_426, -25_509, -25_508, -1, 0, 789, 790, 11_015, 11_016, 47_540, 47_541,
        ]
        for day in days {
            for offset: Int64 in [-1, 0, 1, 59_999, 60_000] {
                let moment = Moment(milliseconds: day * 86_400_000 + offset, offsetMinutes: 0)
                #expect(Sentence.time(moment) == expected(moment, .gmt), "\(day) \(offset)")
            }
        }
    }

    @Test("Long durations are in months and years, in English and in German")
    func longDurations() {
        // given
        let days = [59, 60, 700, 1094, 1095, 1250].map { $0 * 86_400 }
        // when
        let ago = days.map { Sentence.Status.ago(seconds: $0) }
        let exact = days.map { Sentence.Status.exactDuration($0) }
        let german = Language.$asked.withValue(.german) {
            days.map { "\(Sentence.Status.ago(seconds: $0)), \(Sentence.Status.duration($0))" }
        }
        // then
        #expect(
            ago == [
                "59 days ago", "2 months ago", "23 months ago", "3 years ago", "3 years ago",
                "3 years ago",
            ])
        #expect(
            exact == [
                "59 days", "2 months", "23 months", "3 years", "3 years", "3 years 5 months",
            ])
        #expect(
            german == [
                "vor 59 Tagen, 59 Tage", "vor 2 Monaten, 2 Monate", "vor 23 Monaten, 23 Monate",
                "vor 3 Jahren, 3 Jahre", "vor 3 Jahren, 3 Jahre", "vor 3 Jahren, 3 Jahre",
            ])
    }

    @Test("that no calendar reaches do no harm", arguments: [Int64.min, .max])
    func bounds(milliseconds: Int64) {
        for offset in [-1_080, 0, 1_080] {
            let moment = Moment(milliseconds: milliseconds, offsetMinutes: offset)
            #expect(!Sentence.time(moment).isEmpty)
        }
    }
}
