package import Foundation

/// Times as people type them: `2008-10-22 16:28`, ISO 8601 with `T`, seconds, `Z` or `+02:00`,
/// `today 14:30`, `yesterday 9:05`, `now`; in any language also `22.10.2008 16:28`, `heute 14:30`, and a comma
/// after the day; where the language is German also `22.10.08`, `22. Oktober 2008`, `8.30`, `8:30 Uhr` and
/// `8 Uhr`, where it is English `22 October 2008`. Without a zone it is the local time of this computer; a
/// local time that the clocks skip is refused.
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

    /// The error for a time that the clocks of this zone skip; nil for other texts.
    package func skipped(_ text: String) -> APIError? {
        guard TimeInput(now: now, zone: .gmt, language: language).since(text) != nil else {
            return nil
        }
        do {
            _ = try start(text)
            return nil
        } catch {
            return error as? APIError
        }
    }

    /// ``since(_:)`` where a moment may be meant that has exactly this name. A text that is a time in every
    /// language is no name of a moment; only for other times does it ask for `marks`.
    package func since(
        _ text: String, marks: () async throws -> [MarkView]
    ) async throws -> Moment? {
        guard let time = since(text) else { return nil }
        let isAlwaysTime = Language.allCases.allSatisfy { language in
            TimeInput(now: now, zone: zone, language: language).since(text) != nil
        }
        if isAlwaysTime { return time }
        return try await marks().first { $0.name == text.trimmedLine }?.at ?? time
    }

    /// A day or a time, exclusive; a day alone means the first moment of the next one.
    package func end(_ text: String) throws -> Moment {
        try edge(text, daysLater: 1)
    }

    private func edge(_ text: String, daysLater: Int) throws -> Moment {
        let text = text.trimmedLine
        if ["now", "jetzt"].contains(text.lowercased()) { return moment(of: now) }
        let (day, time) = try Self.split(withMonthAsNumber(text))
        let parts = try calendarDay(day)
        if let time { return try moment(day: parts, time: time) }
        let calendar = calendar(zone)
        let noon = try date(of: parts, at: (12, 0, 0), in: calendar)
        guard let date = calendar.date(byAdding: .day, value: daysLater, to: noon) else {
            throw APIError.mistyped(OptionHelp.noSuchDate)
        }
        // Where the clocks skip midnight, a day begins later.
        return moment(of: calendar.startOfDay(for: date))
    }

    private static let days = [
        "today": 0, "yesterday": -1, "tomorrow": 1, "heute": 0, "gestern": -1, "morgen": 1,
        "vorgestern": -2, "übermorgen": 2,
    ]

    private typealias Day = (year: Int, month: Int, day: Int)
    private typealias Clock = (hour: Int, minute: Int, second: Int)

    /// `22.10.2008 16:28` for `22. Oktober 2008 um 16:28`; other texts stay as they are.
    private func withMonthAsNumber(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 3)
        guard words.count >= 3, let month = language.month(words[1]) else { return text }
        let isOrdinal = language == .german && words[0].hasSuffix(".")
        let day = isOrdinal ? words[0].dropLast() : words[0]
        let rest = words.dropFirst(3).first.map { " \(language.withoutAt($0))" } ?? ""
        return "\(day).\(month).\(words[2])\(rest)"
    }

    /// The parts before and after the first space, which may follow a comma, or `T`.
    private static func split(_ text: String) throws -> (day: String, time: String?) {
        let parts = text.split(maxSplits: 1) { $0 == " " }.map(String.init)
        if parts.count == 2 {
            let day = parts[0].hasSuffix(",") ? String(parts[0].dropLast()) : parts[0]
            return (day, parts[1].trimmedLine)
        }
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
    /// German also `16.28`, `16:28 Uhr` and `16 Uhr`.
    private func moment(day: Day, time: String) throws -> Moment {
        let (clock, offset) = try Self.splitOffset(time)
        let parts = clockParts(clock)
        guard parts.count == 2 || parts.count == 3, let hour = Self.digits(parts[0], 1...2),
            let minute = Self.digits(parts[1], 2...2)
        else { throw APIError.mistyped(OptionHelp.badTime) }
        let (second, millisecond) = try parts.count == 3 ? Self.seconds(parts[2]) : (0, 0)
        guard hour < 24, minute < 60, second < 60 else {
            throw APIError.mistyped(OptionHelp.noSuchDate)
        }
        let shown = offset.flatMap { TimeZone(secondsFromGMT: $0 * 60) } ?? zone
        let date = try date(of: day, at: (hour, minute, second), in: calendar(shown))
        let whole = Int64(date.timeIntervalSince1970.rounded()) * 1000 + Int64(millisecond)
        return Moment(
            milliseconds: whole, offsetMinutes: offset ?? zone.secondsFromGMT(for: date) / 60)
    }

    private func clockParts(_ text: String) -> [Substring] {
        guard language == .german else {
            return text.split(separator: ":", omittingEmptySubsequences: false)
        }
        let word = "uhr"
        let hasWord = text.lowercased().hasSuffix(word)
        let clock = hasWord ? String(text.dropLast(word.count)).trimmedLine : text
        let mark: Character = clock.contains(":") ? ":" : "."
        let parts = clock.split(separator: mark, omittingEmptySubsequences: false)
        return hasWord && parts.count == 1 ? parts + ["00"] : parts
    }

    /// Throws ``APIError`` for a day that no calendar has, and for a time that its clocks skip.
    private func date(of day: Day, at clock: Clock, in calendar: Calendar) throws -> Date {
        let components = DateComponents(
            year: day.year, month: day.month, day: day.day, hour: clock.hour,
            minute: clock.minute, second: clock.second)
        // A calendar would turn the 31st of April into a day of May.
        guard (1...12).contains(day.month), let date = calendar.date(from: components),
            calendar.component(.day, from: date) == day.day,
            calendar.component(.month, from: date) == day.month
        else { throw APIError.mistyped(OptionHelp.noSuchDate) }
        let shown = calendar.dateComponents([.hour, .minute], from: date)
        guard (shown.hour, shown.minute) == (clock.hour, clock.minute) else {
            throw skipped(components, in: calendar.timeZone)
        }
        return date
    }

    /// The error for a time that the clocks of a zone skip. It names the time that much earlier and that much
    /// later: people mean either, as they did or did not change their clock.
    private func skipped(_ components: DateComponents, in zone: TimeZone) -> APIError {
        guard let clock = calendar(.gmt).date(from: components) else {
            return APIError.mistyped(OptionHelp.noSuchDate)
        }
        let offsets = [-1, 1].map {
            zone.secondsFromGMT(for: clock.addingTimeInterval($0 * LocalLimits.secondsOfDay))
        }
        let times = offsets.reversed().map { offset in
            Sentence.time(moment(of: clock.addingTimeInterval(-Double(offset))), zone: zone)
        }
        return APIError.mistyped(OptionHelp.skippedTime(times[0], times[1]))
    }

    private static func splitOffset(_ time: String) throws -> (clock: String, minutes: Int?) {
        if let last = time.last, "Zz".contains(last) { return (String(time.dropLast()), 0) }
        guard let sign = time.lastIndex(where: { "+-".contains($0) }) else { return (time, nil) }
        let digits = time[time.index(after: sign)...].filter { $0 != ":" }
        guard digits.count == 4 || digits.count == 2,
            let hours = Self.digits(digits.prefix(2), 2...2),
            let minutes = digits.count == 2 ? 0 : Self.digits(digits.suffix(2), 2...2),
            minutes < 60, hours * 60 + minutes <= LocalLimits.offsetMinutes
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

extension Language {
    /// The number of the month with this name, or with this beginning of at least three letters.
    fileprivate func month(_ typed: Substring) -> Int? {
        let word = (typed.hasSuffix(".") ? typed.dropLast() : typed).lowercased()
        guard word.count >= 3 else { return nil }
        return months.firstIndex { $0.contains { $0.hasPrefix(word) } }.map { $0 + 1 }
    }

    /// The time after `um` or `at`.
    fileprivate func withoutAt(_ time: Substring) -> Substring {
        let word = self == .german ? "um " : "at "
        return time.lowercased().hasPrefix(word) ? time.dropFirst(word.count) : time
    }

    /// The names of each month.
    private var months: [[String]] {
        switch self {
        case .english:
            [
                ["january"], ["february"], ["march"], ["april"], ["may"], ["june"], ["july"],
                ["august"], ["september"], ["october"], ["november"], ["december"],
            ]
        case .german:
            [
                ["jänner", "januar"], ["februar", "feber"], ["märz"], ["april"], ["mai"], ["juni"],
                ["juli"], ["august"], ["september"], ["oktober"], ["november"], ["dezember"],
            ]
        }
    }
}

extension LocalLimits {
    /// How far in the future the year of a date with two digits may lie: plans reach that far, and a journal
    /// goes back further.
    static let shortYearsAhead = 20
    static let secondsOfDay = 86_400.0
}
