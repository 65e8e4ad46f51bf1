package import LocalAPI
import Media
package import SyncCore

/// Values of SyncCore as the local API shows them. What came from other devices may be out of every
/// range; then there is nothing to show.
extension Moment {
    /// Years 1 to 9999.
    static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
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

    init(_ clock: HybridTime) {
        self.init(milliseconds: min(Int64(clock.milliseconds), Moment.range.upperBound))
    }

    var value: TimeValue {
        TimeValue(
            milliseconds: milliseconds, offsetMinutes: offsetMinutes.map { Int32(clamping: $0) })
    }
}

extension Position {
    /// Nil when it is nowhere on earth; extents that are none are left out.
    package init?(_ value: PositionValue?) {
        guard let value, (-90...90).contains(value.latitude),
            (-180...180).contains(value.longitude)
        else { return nil }
        self.init(
            latitude: value.latitude, longitude: value.longitude,
            radius: value.radiusMetres.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil },
            altitude: value.altitudeMetres.flatMap { $0.isFinite ? $0 : nil })
    }

    var value: PositionValue {
        PositionValue(
            latitude: latitude, longitude: longitude, radiusMetres: radius,
            altitudeMetres: altitude)
    }

    /// Metres along the great circle.
    func distance(latitude: Double, longitude: Double) -> Double {
        TrackPoint(latitude: self.latitude, longitude: self.longitude)
            .distanceMetres(to: TrackPoint(latitude: latitude, longitude: longitude))
    }
}

extension MediaPosition {
    var value: PositionValue {
        PositionValue(
            latitude: latitude, longitude: longitude, radiusMetres: radiusMetres,
            altitudeMetres: altitudeMetres)
    }
}

extension LocalTime {
    /// Without an offset the camera's wall clock is taken as if it stood in UTC, so that every
    /// device that imports a photo says the same of it.
    var value: TimeValue {
        TimeValue(
            milliseconds: unixMilliseconds(), offsetMinutes: utcOffsetMinutes.map { Int32($0) })
    }
}

extension LocalAPI.Role {
    init?(_ permissions: Permissions) {
        guard let role = SyncCore.Role(permissions) else { return nil }
        switch role {
        case .viewer: self = .viewer
        case .contributor: self = .contributor
        case .editor: self = .editor
        case .admin: self = .admin
        }
    }

    package var permissions: Permissions {
        switch self {
        case .viewer: SyncCore.Role.viewer.permissions
        case .contributor: SyncCore.Role.contributor.permissions
        case .editor: SyncCore.Role.editor.permissions
        case .admin: SyncCore.Role.admin.permissions
        }
    }
}

extension ShownRecord {
    /// A short text field, fit to show; empty when it was never written.
    func line(_ field: String) -> String { ShownText.line(value(field)?.text ?? "") }

    func lines(_ field: String) -> String { ShownText.lines(value(field)?.text ?? "") }

    /// A count or size; 0 for none and for what cannot be one.
    func count(_ field: String) -> Int64 { max(0, value(field)?.integer ?? 0) }
}
