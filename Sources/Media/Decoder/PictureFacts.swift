/// Why a file's facts are incomplete.
package enum MediaProblem: Hashable, Sendable {
    /// The file cannot be opened or read: errno.
    case unreadable(number: Int32)
    /// There is no decoder for this format; its name is for people: `HEIC`.
    case noDecoder(format: String)
    /// The picture exceeds a limit of the decoder, such as ``Limits/imageBytes``.
    case tooLarge
    /// The picture's data is damaged; a thumbnail may show the intact part.
    case damaged
    /// The decoder took longer than ``Limits/decoderSeconds``.
    case timedOut
    /// The decoder could not be run, crashed, or sent an invalid report.
    case decoderFailed
}

/// Width and height in pixels, both from 1 to ``Limits/imageEdge``.
package struct PixelSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The size of the picture once it is upright.
    package func upright(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsAxes ? PixelSize(width: height, height: width) : self
    }
}

/// A place on the WGS 84 ellipsoid, in range.
package struct MediaPosition: Hashable, Sendable {
    /// Degrees, south negative, -90 to 90.
    package let latitude: Double
    /// Degrees, west negative, -180 to 180.
    package let longitude: Double
    /// Metres above sea level.
    package let altitudeMetres: Double?
    /// Radius in metres that contains the true place, if the device told it.
    package let radiusMetres: Double?

    /// Nil for coordinates out of range; drops an implausible altitude or radius.
    package init?(
        latitude: Double, longitude: Double,
        altitudeMetres: Double? = nil, radiusMetres: Double? = nil
    ) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitudeMetres = altitudeMetres.flatMap { abs($0) <= 100_000 ? $0 : nil }
        self.radiusMetres = radiusMetres.flatMap { $0 >= 0 && $0 <= 20_000_000 ? $0 : nil }
    }
}

/// How to turn the stored picture upright; the values are those of the EXIF tag.
package enum ImageOrientation: UInt8, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case turned180 = 3
    case mirroredTurned180 = 4
    case mirroredTurned270 = 5
    /// Turn it by 90 degrees clockwise.
    case turned90 = 6
    case mirroredTurned90 = 7
    /// Turn it by 270 degrees clockwise.
    case turned270 = 8

    package var swapsAxes: Bool { rawValue >= 5 }
}
