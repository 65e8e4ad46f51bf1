internal import Glibc

/// One position of a track.
package struct TrackPoint: Hashable, Sendable {
    /// Degrees, south negative, -90 to 90.
    package let latitude: Double
    /// Degrees, west negative, -180 to 180.
    package let longitude: Double
    /// Metres above sea level.
    package let elevationMetres: Double?
    /// Milliseconds since 1970 in UTC.
    package let timeMilliseconds: Int64?

    package init(
        latitude: Double, longitude: Double, elevationMetres: Double? = nil,
        timeMilliseconds: Int64? = nil
    ) {
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.elevationMetres, self.timeMilliseconds) = (elevationMetres, timeMilliseconds)
    }

    /// Metres along the great circle of a sphere of 6,371,009 m (haversine).
    package func distanceMetres(to other: TrackPoint) -> Double {
        let radians = Double.pi / 180
        let latitudes = sin((other.latitude - latitude) * radians / 2)
        let longitudes = sin((other.longitude - longitude) * radians / 2)
        let square =
            latitudes * latitudes
            + cos(latitude * radians) * cos(other.latitude * radians) * longitudes * longitudes
        return 2 * 6_371_009 * asin(min(1, square.squareRoot()))
    }
}

/// The tracks of a GPX file. The file itself stays the blob; these are read from it on import.
package struct Track: Hashable, Sendable {
    /// The smallest rectangle of degrees around all points. A track across the date line spans nearly all
    /// longitudes.
    package struct Bounds: Hashable, Sendable {
        package let south: Double
        package let west: Double
        package let north: Double
        package let east: Double
    }

    /// Name of the first named track, or else of the file.
    package let name: String?
    /// Runs of points without a gap; none is empty, and there is at least one.
    package let segments: [[TrackPoint]]
    package let pointCount: Int
    /// Earliest and latest time of any point, milliseconds since 1970 in UTC.
    package let startMilliseconds: Int64?
    package let endMilliseconds: Int64?
    /// Sum over all segments, without the gaps between them.
    package let lengthMetres: Double
    package let bounds: Bounds

    /// Returns nil when no segment has a point.
    init?(name: String?, segments: [[TrackPoint]]) {
        let segments = segments.filter { !$0.isEmpty }
        guard let first = segments.first?.first else { return nil }
        var south = first.latitude
        var north = first.latitude
        var west = first.longitude
        var east = first.longitude
        var times: ClosedRange<Int64>?
        var count = 0
        var length = 0.0
        for segment in segments {
            count += segment.count
            for (index, point) in segment.enumerated() {
                south = min(south, point.latitude)
                north = max(north, point.latitude)
                west = min(west, point.longitude)
                east = max(east, point.longitude)
                if let time = point.timeMilliseconds {
                    times =
                        min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
                }
                if index > 0 {
                    length += segment[index - 1].distanceMetres(to: point)
                }
            }
        }
        self.name = name
        self.segments = segments
        self.pointCount = count
        self.startMilliseconds = times?.lowerBound
        self.endMilliseconds = times?.upperBound
        self.lengthMetres = length
        self.bounds = Bounds(south: south, west: west, north: north, east: east)
    }
}

/// Why a file is not accepted as a track.
package enum TrackError: Error, Hashable, Sendable {
    /// The file cannot be opened or read: errno.
    case unreadable(number: Int32)
    /// Longer than ``Limits/trackBytes``.
    case tooLong
    /// Nested deeper than ``Limits/trackDepth``.
    case tooDeep
    /// More points than ``Limits/trackPoints``.
    case tooManyPoints
    /// An element has more text than ``Limits/trackTextBytes``.
    case tooMuchText
    /// It declares a document type or entities; tracks do not need them.
    case documentType
    /// Its character encoding is not an extension of ASCII.
    case unsupportedEncoding
    /// It is not XML; the line of the error, from 1.
    case malformed(line: Int)
    /// It is XML, but its root element is not `gpx`.
    case notGPX
    /// A point has no latitude or longitude in range; the line, from 1.
    case badPosition(line: Int)
    /// It has no track points.
    case noPoints
}
