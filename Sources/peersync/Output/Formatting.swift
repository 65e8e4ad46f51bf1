package import Foundation
package import LocalAPI

/// Values as people read them.
package enum Formatting {
    /// `2008-10-22 16:28`, in German `22.10.2008 16:28`: in the time zone where it was written,
    /// else in this computer's.
    package static func time(
        _ moment: Moment, zone: @autoclosure () -> TimeZone = .current
    ) -> String {
        Sentence.time(moment, zone: zone())
    }

    /// A time as a person types it: with seconds only if it has some, and with the offset if the
    /// clock showed this time twice.
    package static func typed(_ moment: Moment, zone: TimeZone = .current) -> String {
        let text = Sentence.time(
            Moment(milliseconds: moment.milliseconds), zone: zone, isExact: true)
        guard TimeInput(zone: zone).since(text)?.milliseconds != moment.milliseconds else {
            return text
        }
        return text + Sentence.offset(zone.secondsFromGMT(for: moment.date) / 60)
    }

    /// The same with the offset, if it is known: `2008-10-22 16:28 +02:00`.
    package static func timeWithZone(_ moment: Moment) -> String {
        Sentence.timeWithZone(moment)
    }

    /// `2 minutes ago`; a future time, from a wrong clock, as a date.
    package static func ago(_ moment: Moment, now: Date = Date()) -> String {
        let seconds = now.timeIntervalSince(moment.date)
        guard !isAhead(moment, now: now), seconds < 3e9 else { return time(moment) }
        return Sentence.Status.ago(seconds: max(0, Int(seconds)))
    }

    /// A minute or more from now: it was written by a clock that was ahead.
    static func isAhead(_ moment: Moment, now: Date = Date()) -> Bool {
        now.timeIntervalSince(moment.date) <= -60
    }

    /// `in 2 minutes`, `now`.
    static func ahead(_ moment: Moment, now: Date = Date()) -> String {
        let seconds = moment.date.timeIntervalSince(now)
        guard seconds < 3e9 else { return time(moment) }
        return Sentence.Status.soon(seconds: max(0, Int(seconds)))
    }

    /// `-33.90000, 151.20000 (within 12 m)`.
    static func position(_ position: Position) -> String { Sentence.position(position) }
}
