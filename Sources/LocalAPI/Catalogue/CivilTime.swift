/// A date of the Gregorian calendar and a time of day.
struct CivilTime {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int

    /// The time on a clock, in milliseconds after the beginning of 1970 on the same clock; nil before the calendar was
    /// introduced. A calendar of Foundation takes a millisecond until its first answer.
    init?(milliseconds: Int64) {
        guard milliseconds >= CivilTime.firstDay * 86_400_000 else { return nil }
        let (days, rest) = CivilTime.divided(milliseconds, by: 86_400_000)
        (hour, minute) = (Int(rest / 3_600_000), Int(rest / 60_000 % 60))
        // Years are counted from the first of March, so that a leap day is the last of one; the numbers are the days of
        // four centuries, of four years and of one.
        let (era, dayOfEra) = CivilTime.divided(days + 719_468, by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Five months, from March or August on, have 153 days.
        let march = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * march + 2) / 5 + 1)
        month = Int(march < 10 ? march + 3 : march - 9)
        year = Int(yearOfEra + 400 * era) + (month <= 2 ? 1 : 0)
    }

    /// 15 October 1582, in days after the beginning of 1970.
    private static let firstDay: Int64 = -141_427

    /// Rounded down, and the rest, which is never negative.
    private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
        let rest = (number % divisor + divisor) % divisor
        return ((number - rest) / divisor, rest)
    }
}
