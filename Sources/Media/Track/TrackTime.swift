internal import SyncCore

/// Times of GPX files: `2014-02-02T10:25:31Z`, with or without fraction and offset.
enum TrackTime {
    /// Like ``milliseconds(_:)``, but nil for times before GPS began: some devices write such a time when
    /// they do not know it, and a memory would get the year 1901.
    static func plausible(_ text: String) -> Int64? {
        milliseconds(text).flatMap { $0 >= Limits.earliestTrackTime ? $0 : nil }
    }

    /// Milliseconds since 1970 in UTC; nil for other text. A time without offset is in UTC, by GPX 1.1.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"),
            bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19])
        else { return nil }
        var rest = bytes[19...]
        let fraction = consumeFraction(&rest)
        guard let fraction, let offset = offsetMinutes(rest) else { return nil }
        let time = LocalTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            utcOffsetMinutes: offset)
        return time.map { $0.unixMilliseconds() + fraction }
    }

    /// Milliseconds of `.123456`; 0 when there is none; nil when a dot has no digits.
    private static func consumeFraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return 0 }
        rest = rest.dropFirst()
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let three = Array(digits.prefix(3)) + Array(repeating: UInt8(ascii: "0"), count: 3)
        return number(three.prefix(3)).map(Int64.init)
    }

    private static func offsetMinutes(_ rest: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: rest, as: UTF8.self)
        if text.isEmpty || text == "Z" || text == "z" { return 0 }
        return ExifFacts.offsetMinutes(text)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var result = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            result = result * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return result
    }
}

extension Limits {
    /// The beginning of GPS time, 1980-01-06, in milliseconds since 1970.
    static let earliestTrackTime: Int64 = 315_964_800_000
}
