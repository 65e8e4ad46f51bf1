/// A point in time, with the offset of the place where it was written down, if that is known.
package struct Moment: Codable, Sendable, Hashable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    package let milliseconds: Int64
    /// Minutes east of UTC, for showing; `nil` means unknown.
    package let offsetMinutes: Int?

    package init(milliseconds: Int64, offsetMinutes: Int? = nil) {
        (self.milliseconds, self.offsetMinutes) = (milliseconds, offsetMinutes)
    }
}

extension LocalLimits {
    /// How far the time of a zone may be from UTC, in minutes: that of java.time, beyond all that ever were.
    package static let offsetMinutes = 18 * 60
}
