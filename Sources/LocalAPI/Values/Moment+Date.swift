package import FoundationEssentials

extension Moment {
    /// Clamped to the range of calendars; other values come from faulty programs.
    package var date: Date {
        let years9999 = 253_402_300_799_000.0
        let value = min(max(Double(milliseconds), -years9999), years9999)
        return Date(timeIntervalSince1970: value / 1000)
    }
}
