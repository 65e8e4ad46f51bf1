package import Foundation

/// Times and positions in the language of the reader.
extension Sentence {
    /// `2008-10-22 16:28`, in German `22.10.2008 16:28`: in the time zone where it was written, else in
    /// `zone`. With `isExact` also seconds and milliseconds, if it has some.
    package static func time(
        _ moment: Moment, zone: @autoclosure () -> TimeZone = .current, isExact: Bool = false
    ) -> String {
        let time = civil(moment, zone)
        let (year, month, day) = (
            padded(time.year, 4), padded(time.month, 2), padded(time.day, 2)
        )
        let date =
            switch Language.current {
            case .english: "\(year)-\(month)-\(day)"
            case .german: "\(day).\(month).\(year)"
            }
        let text = "\(date) \(padded(time.hour, 2)):\(padded(time.minute, 2))"
        return isExact ? text + seconds(of: moment) : text
    }

    private typealias Parts = (year: Int?, month: Int?, day: Int?, hour: Int?, minute: Int?)

    /// In the time zone where it was written, else in `zone`.
    private static func civil(_ moment: Moment, _ zone: () -> TimeZone) -> Parts {
        let known = moment.knownOffset.map { 60 * $0 }
        let zone = known == nil ? zone() : nil
        let offset = known ?? zone?.secondsFromGMT(for: moment.date) ?? 0
        let clock = moment.milliseconds.addingReportingOverflow(1_000 * Int64(offset))
        if !clock.overflow, let civil = CivilTime(milliseconds: clock.partialValue) {
            return (civil.year, civil.month, civil.day, civil.hour, civil.minute)
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone ?? TimeZone(secondsFromGMT: offset) ?? .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: moment.date)
        return (parts.year, parts.month, parts.day, parts.hour, parts.minute)
    }

    /// `:05` or `:05.120`; empty for a whole minute.
    private static func seconds(of moment: Moment) -> String {
        let seconds = (moment.milliseconds % 60_000 + 60_000) % 60_000
        guard seconds != 0 else { return "" }
        let (whole, rest) = (":\(padded(Int(seconds / 1000), 2))", Int(seconds % 1000))
        return rest == 0 ? whole : "\(whole).\(padded(rest, 3))"
    }

    /// The same with the offset, if it is known: `2008-10-22 16:28 +02:00`.
    package static func timeWithZone(_ moment: Moment, isExact: Bool = false) -> String {
        let text = time(moment, isExact: isExact)
        guard let minutes = moment.knownOffset else { return text }
        return "\(text) \(offset(minutes))"
    }

    /// `+02:00`.
    package static func offset(_ minutes: Int) -> String {
        let sign = minutes < 0 ? "-" : "+"
        return "\(sign)\(padded(abs(minutes) / 60, 2)):\(padded(abs(minutes) % 60, 2))"
    }

    /// `-33.90000, 151.20000 (within 12 m)`.
    package static func position(_ position: Position) -> String {
        let place = "\(degrees(position.latitude)), \(degrees(position.longitude))"
        guard let radius = position.radius else { return place }
        return tr("\(place) (within \(distance(radius)))")
    }

    /// Five decimals are about a metre.
    private static func degrees(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        return String(format: "%.5f", value)
    }

    private static func padded(_ number: Int?, _ width: Int) -> String {
        let digits = String(abs(number ?? 0))
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Moment {
    /// Minutes east of UTC, if any place on Earth has that offset.
    fileprivate var knownOffset: Int? {
        offsetMinutes.flatMap { abs($0) <= LocalLimits.offsetMinutes ? $0 : nil }
    }
}

extension Sentence.Status {
    /// `3 days 2 hours`: the two greatest units. From 60 days on months and years, rounded to a month.
    package static func exactDuration(_ seconds: Int) -> String {
        switch LongTime(seconds) {
        case .days: break
        case .months(let months): return by(months: months)
        case .years(let years, let months):
            let whole = tr(years, "\(years) year", "\(years) years", context: "by")
            return months == 0 ? whole : "\(whole) \(by(months: months))"
        }
        let units: [(Int, (Int) -> String)] = [
            (86_400, { tr($0, "\($0) day", "\($0) days", context: "by") }),
            (3600, { tr($0, "\($0) hour", "\($0) hours", context: "by") }),
            (60, { tr($0, "\($0) minute", "\($0) minutes", context: "by") }),
            (1, { tr($0, "\($0) second", "\($0) seconds", context: "by") }),
        ]
        guard let first = units.firstIndex(where: { seconds >= $0.0 }) else {
            return tr("0 seconds")
        }
        var rest = seconds
        var parts: [String] = []
        for (size, text) in units[first...].prefix(2) where rest >= size {
            parts.append(text(rest / size))
            rest %= size
        }
        return parts.joined(separator: " ")
    }

    private static func by(months: Int) -> String {
        tr(months, "\(months) month", "\(months) months", context: "by")
    }
}
