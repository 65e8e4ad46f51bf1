/// A date and time of day as a wall clock showed it, with its offset from UTC if known.
///
/// Most cameras write no offset; only a caller that knows the place can guess it.
package struct LocalTime: Hashable, Sendable {
    /// 1 to 9999, Gregorian.
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    /// Minutes east of UTC, within ±18 hours; nil when unknown.
    package let utcOffsetMinutes: Int?

    /// Nil unless every part is in range and the day exists in its month. A leap second counts as second
    /// 59.
    package init?(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int,
        utcOffsetMinutes: Int? = nil
    ) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= LocalTime.days(inMonth: month, of: year), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second),
            (-1080...1080).contains(utcOffsetMinutes ?? 0)
        else { return nil }
        (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)
        self.second = min(second, 59)
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    /// Milliseconds since 1970 in UTC, with `assumedOffsetMinutes` where the offset is unknown.
    package func unixMilliseconds(assumedOffsetMinutes: Int = 0) -> Int64 {
        let minutes = hour * 60 + minute - (utcOffsetMinutes ?? assumedOffsetMinutes)
        let days = LocalTime.daysSince1970(year: year, month: month, day: day)
        return Int64(days * 86_400 + minutes * 60 + second) * 1000
    }

    /// `2008-10-22T16:28:39`, with `+02:00` when the offset is known.
    package var text: String {
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
        guard let offset = utcOffsetMinutes else { return "\(date)T\(time)" }
        let size = abs(offset)
        let sign = offset < 0 ? "-" : "+"
        return "\(date)T\(time)\(sign)\(padded(size / 60, 2)):\(padded(size % 60, 2))"
    }

    private func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2:
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to a Gregorian date; years begin in March so that the leap day is last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
