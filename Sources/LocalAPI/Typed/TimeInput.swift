package import Foundation

/// Times as people type them: `2008-10-22 16:28`, ISO 8601 with `T`, seconds, `Z` or `+02:00`,
/// `today 14:30`, `yesterday 9:05`, `now`; in any language also `22.10.2008 16:28`, `heute 14:30`; where the
/// language is German also `22.10.08` and `8.30`. Without a zone it is the local time of this computer.
package struct TimeInput {
    let now: Date
    let zone: TimeZone
    let language: Language

    package init(
        now: Date = Date(), zone: TimeZone = .current, language: Language = .current
    ) {
        (self.now, self.zone, self.language) = (now, zone, language)
    }

    /// A day or a time; a day alone means its first moment. Throws ``APIError`` with the mistake.
    package func start(_ text: String) throws -> Moment {
        try edge(text, daysLater: 0)
    }

    /// The same, or `all` for the beginning of everything; nil for an invalid text.
    package func since(_ text: String) -> Moment? {
        if text == "all" || text == "alles" { return Moment(milliseconds: 0) }
        do {
            return try start(text)
        } catch {
            return nil
        }
    }

    /// A day or a time, exclusive; a day alone means the first moment of the next one.
    package func end(_ text: String) throws -> Moment {
        try edge(text, daysLater: 1)
    }

    private func edge(_ text: String, daysLater: Int) throws -> Moment {
        let text = text.trimmedLine
        if ["now", "jetzt"].contains(text.lowercased()) { return moment(of: now) }
        let (day, time) = try Self.split(text)
        let parts = try calendarDay(day)
        if let time { return try moment(day: parts, time: time) }
        let start = try moment(day: parts, time: "00:00")
        guard let date = calendar(zone).date(byAdding: .day, value: daysLater, to: start.date)
        else {
            throw APIError.mistyped(OptionHelp.noSuchDate)
        }
        return moment(of: date)
    }

    private static let days = [
        "today": 0, "yesterday": -1, "tomorrow": 1, "heute": 0, "gestern": -1, "morgen": 1,
        "vorgestern": -2, "übermorgen": 2,
    ]

    private typealias Day = (year: Int, month: Int, day: Int)

    /// The parts before and after the first space or `T`.
    private static func split(_ text: String) throws -> (day: String, time: String?) {
        let parts = text.split(maxSplits: 1) { $0 == " " }.map(String.init)
        if parts.count == 2 { return (parts[0], parts[1].trimmedLine) }
        guard let first = parts.first else { throw APIError.mistyped(OptionHelp.badTime) }
        guard first.first?.isNumber == true,
            let mark = first.firstIndex(where: { "Tt".contains($0) })
        else { return (first, nil) }
        return (String(first[..<mark]), String(first[first.index(after: mark)...]))
    }

    private func calendarDay(_ text: String) throws -> Day {
        if let offset = Self.days[text.lowercased()] {
            let calendar = calendar(zone)
            guard let date = calendar.date(byAdding: .day, value: offset, to: now) else {
                throw APIError.mistyped(OptionHelp.noSuchDate)
            }
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            return (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        }
        let dotted = text.split(separator: ".", omittingEmptySubsequences: false)
        let parts =
            dotted.count == 3
            ? dotted.reversed() : text.split(separator: "-", omittingEmptySubsequences: false)
        let isShort = language == .german && dotted.count == 3 && parts.first?.count == 2
        guard parts.count == 3,
            let year = isShort ? fullYear(parts[0]) : Self.digits(parts[0], 4...4),
            let month = Self.digits(parts[1], 1...2), let day = Self.digits(parts[2], 1...2)
        else { throw APIError.mistyped(OptionHelp.badTime) }
        return (year, month, day)
    }

    /// Of two digits the latest year that is at most ``LocalLimits/shortYearsAhead`` years ahead.
    private func fullYear(_ text: Substring) -> Int? {
        guard let digits = Self.digits(text, 2...2) else { return nil }
        let latest = calendar(zone).component(.year, from: now) + LocalLimits.shortYearsAhead
        return latest - (latest - digits) % 100
    }

    /// `time` is `16:28`, `16:28:05`, `16:28:05.123`, each with or without `Z`, `+02:00`, `-0330`; in
    /// German also `16.28`.
    private func moment(day: Day, time: String) throws -> Moment {
        let (clock, offset) = try Self.splitOffset(time)
        let isDotted = language == .german && !clock.contains(":")
        let parts = clock.split(separator: isDotted ? "." : ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let hour = Self.digits(parts[0], 1...2),
            let minute = Self.digits(parts[1], 2...2)
        else { throw APIError.mistyped(OptionHelp.badTime) }
        let (second, millisecond) = try parts.count == 3 ? Self.seconds(parts[2]) : (0, 0)
        guard hour < 24, minute < 60, second < 60 else {
            throw APIError.mistyped(OptionHelp.noSuchDate)
        }
        let shown = offset.flatMap { TimeZone(secondsFromGMT: $0 * 60) } ?? zone
        let calendar = calendar(shown)
        let components = DateComponents(
            year: day.year, month: day.month, day: day.day, hour: hour, minute: minute,
            second: second)
        // A calendar would turn the 31st of April into a day of May.
        guard (1...12).contains(day.month), let date = calendar.date(from: components),
            calendar.component(.day, from: date) == day.day,
            calendar.component(.month, from: date) == day.month
        else { throw APIError.mistyped(OptionHelp.noSuchDate) }
        let whole = Int64(date.timeIntervalSince1970.rounded()) * 1000 + Int64(millisecond)
        return Moment(
            milliseconds: whole, offsetMinutes: offset ?? zone.secondsFromGMT(for: date) / 60)
    }

    private static func splitOffset(_ time: String) throws -> (clock: String, minutes: Int?) {
        if let last = time.last, "Zz".contains(last) { return (String(time.dropLast()), 0) }
        guard let sign = time.lastIndex(where: { "+-".contains($0) }) else { return (time, nil) }
        let digits = time[time.index(after: sign)...].filter { $0 != ":" }
        guard digits.count == 4 || digits.count == 2,
            let hours = Self.digits(digits.prefix(2), 2...2),
            let minutes = digits.count == 2 ? 0 : Self.digits(digits.suffix(2), 2...2),
            hours <= 18, minutes < 60
        else { throw APIError.mistyped(OptionHelp.badTime) }
        let total = hours * 60 + minutes
        return (String(time[..<sign]).trimmedLine, time[sign] == "-" ? -total : total)
    }

    private static func seconds(_ text: Substring) throws -> (Int, Int) {
        let parts = text.split(whereSeparator: { ".,".contains($0) })
        guard parts.count == 1 || parts.count == 2, let second = digits(parts[0], 2...2) else {
            throw APIError.mistyped(OptionHelp.badTime)
        }
        guard parts.count == 2 else { return (second, 0) }
        guard digits(parts[1], 1...9) != nil, let thousandths = Int((parts[1] + "00").prefix(3))
        else { throw APIError.mistyped(OptionHelp.badTime) }
        return (second, thousandths)
    }

    private static func digits(_ text: some StringProtocol, _ length: ClosedRange<Int>) -> Int? {
        guard length.contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int(text)
    }

    private func moment(of date: Date) -> Moment {
        Moment(
            milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()),
            offsetMinutes: zone.secondsFromGMT(for: date) / 60)
    }

    private func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}

extension LocalLimits {
    /// How far in the future the year of a date with two digits may lie: plans reach that far, and a journal
    /// goes back further.
    static let shortYearsAhead = 20
}
