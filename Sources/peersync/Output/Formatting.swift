package import Foundation
package import LocalAPI

/// Values as people read them.
package enum Formatting {
    /// `2008-10-22 16:28`, in German `22.10.2008 16:28`: in the time zone where it was written,
    /// else in this computer's.
    package static func time(_ moment: Moment, zone: TimeZone = .current) -> String {
        let shown = moment.knownOffset.flatMap { TimeZone(secondsFromGMT: $0 * 60) } ?? zone
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = shown
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: moment.date)
        let (year, month, day) = (
            padded(parts.year, 4), padded(parts.month, 2), padded(parts.day, 2)
        )
        let date =
            switch Language.current {
            case .english: "\(year)-\(month)-\(day)"
            case .german: "\(day).\(month).\(year)"
            }
        return "\(date) \(padded(parts.hour, 2)):\(padded(parts.minute, 2))"
    }

    /// A time as a person types it: with seconds only if it has some, and with the offset if the
    /// clock showed this time twice.
    package static func typed(_ moment: Moment, zone: TimeZone = .current) -> String {
        let (seconds, rest) = (moment.milliseconds / 1000 % 60, moment.milliseconds % 1000)
        var text = time(Moment(milliseconds: moment.milliseconds), zone: zone)
        if seconds != 0 || rest != 0 { text += ":\(padded(Int(seconds), 2))" }
        if rest != 0 { text += ".\(padded(Int(rest), 3))" }
        guard TimeInput(zone: zone).since(text)?.milliseconds != moment.milliseconds else {
            return text
        }
        return text + offset(zone.secondsFromGMT(for: moment.date) / 60)
    }

    /// The same with the offset, if it is known: `2008-10-22 16:28 +02:00`.
    package static func timeWithZone(_ moment: Moment) -> String {
        guard let minutes = moment.knownOffset else { return time(moment) }
        return "\(time(moment)) \(offset(minutes))"
    }

    /// `+02:00`.
    private static func offset(_ minutes: Int) -> String {
        let sign = minutes < 0 ? "-" : "+"
        return "\(sign)\(padded(abs(minutes) / 60, 2)):\(padded(abs(minutes) % 60, 2))"
    }

    /// `2 minutes ago`; a future time, from a wrong clock, as a date.
    package static func ago(_ moment: Moment, now: Date = Date()) -> String {
        let seconds = now.timeIntervalSince(moment.date)
        guard seconds > -60, seconds < 3e9 else { return time(moment) }
        return Sentence.Status.ago(seconds: max(0, Int(seconds)))
    }

    /// `in 2 minutes`, `now`.
    static func ahead(_ moment: Moment, now: Date = Date()) -> String {
        let seconds = moment.date.timeIntervalSince(now)
        guard seconds < 3e9 else { return time(moment) }
        return Sentence.Status.soon(seconds: max(0, Int(seconds)))
    }

    /// `-33.90000, 151.20000 (within 12 m)`.
    static func position(_ position: Position) -> String {
        let place = "\(degrees(position.latitude)), \(degrees(position.longitude))"
        guard let radius = position.radius else { return place }
        return tr("\(place) (within \(Sentence.distance(radius)))")
    }

    /// Five decimals are about a metre.
    private static func degrees(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        let text = String(format: "%.5f", value)
        return text
    }

    private static func padded(_ number: Int?, _ width: Int) -> String {
        let digits = String(abs(number ?? 0))
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Moment {
    /// Minutes east of UTC, if any place on Earth has that offset.
    fileprivate var knownOffset: Int? {
        offsetMinutes.flatMap { (-18 * 60...18 * 60).contains($0) ? $0 : nil }
    }
}
