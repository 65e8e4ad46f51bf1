internal import Foundation
package import LocalAPI
package import SyncCore

/// Values of SyncCore for the local API. Values from other devices may be out of range; these become nil.
extension Moment {
    /// Years 1 to 9999.
    package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
    /// Minutes: 18 hours to either side of UTC.
    static let offsetRange = -1080...1080

    /// Nil when the time is out of range; an offset out of range is left out.
    package init?(_ value: TimeValue?) {
        guard let value, Moment.range.contains(value.milliseconds) else { return nil }
        let offset = value.offsetMinutes.map { Int($0) }
        self.init(
            milliseconds: value.milliseconds,
            offsetMinutes: offset.flatMap { Moment.offsetRange.contains($0) ? $0 : nil })
    }

    package init(_ clock: HybridTime) {
        self.init(milliseconds: min(Int64(clock.milliseconds), Moment.range.upperBound))
    }

    package init(_ time: Milliseconds) { self.init(milliseconds: Int64(time.value)) }

    package var value: TimeValue {
        TimeValue(
            milliseconds: milliseconds, offsetMinutes: offsetMinutes.map { Int32(clamping: $0) })
    }
}

extension Position {
    /// Nil for a position out of range; drops invalid extents.
    package init?(_ value: PositionValue?) {
        guard let value, (-90...90).contains(value.latitude), (-180...180).contains(value.longitude)
        else { return nil }
        self.init(
            latitude: value.latitude, longitude: value.longitude,
            radius: value.radiusMetres.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil },
            altitude: value.altitudeMetres.flatMap { $0.isFinite ? $0 : nil })
    }

    package var value: PositionValue {
        PositionValue(
            latitude: latitude, longitude: longitude, radiusMetres: radius,
            altitudeMetres: altitude)
    }
}

extension Position {
    /// Metres along the great circle of a sphere of 6,371,009 m (haversine).
    package func distance(latitude: Double, longitude: Double) -> Double {
        let radians = Double.pi / 180
        let latitudes = sin((latitude - self.latitude) * radians / 2)
        let longitudes = sin((longitude - self.longitude) * radians / 2)
        let square =
            latitudes * latitudes
            + cos(self.latitude * radians) * cos(latitude * radians) * longitudes * longitudes
        return 2 * 6_371_009 * asin(min(1, square.squareRoot()))
    }
}

extension Moment {
    /// `2008-10-22T16:28:39+02:00`; without a known offset in UTC.
    package var text: String {
        let zone = TimeZone(secondsFromGMT: (offsetMinutes ?? 0) * 60) ?? .gmt
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone))
    }
}

extension Role {
    package var permissions: Permissions {
        rights.permissions
    }

    /// The greatest role that the flags include; nil without the right to read.
    package init?(_ permissions: Permissions) {
        let fitting = Role.allCases.last { permissions.isSuperset(of: $0.permissions) }
        guard let fitting else { return nil }
        self = fitting
    }
}

extension Right {
    package var permissions: Permissions {
        switch self {
        case .read: .read
        case .write: .write
        case .delete: .delete
        case .admin: .admin
        }
    }
}

extension [Right] {
    package init(_ permissions: Permissions) {
        self = Right.allCases.filter { permissions.isSuperset(of: $0.permissions) }
    }

    package var permissions: Permissions { reduce(into: []) { $0.formUnion($1.permissions) } }
}

extension ShownRecord {
    /// A short text field, safe to print; empty when it was never written.
    package func line(_ field: String) -> String { ShownText.line(value(field)?.text ?? "") }

    package func lines(_ field: String) -> String { ShownText.lines(value(field)?.text ?? "") }

    /// A count or size; 0 for none and for invalid ones.
    package func count(_ field: String) -> Int64 { max(0, value(field)?.integer ?? 0) }
}
