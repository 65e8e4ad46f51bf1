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

    @Test("that no calendar reaches do no harm", arguments: [Int64.min, .max])
    func bounds(milliseconds: Int64) {
        for offset in [-1_080, 0, 1_080] {
            let moment = Moment(milliseconds: milliseconds, offsetMinutes: offset)
            #expect(!Sentence.time(moment).isEmpty)
        }
    }
}
