/// What importing a file found out about it. Whatever is missing, the file itself syncs whole.
package struct MediaFacts: Hashable, Sendable {
    package var kind: MediaKind
    /// The Internet media type, `image/jpeg`; `application/octet-stream` when unknown.
    package var mediaType: String
    /// Size of the stored picture, before ``orientation`` is applied.
    package var pixelSize: PixelSize?
    /// When the picture was taken, by the camera's clock.
    package var takenAt: LocalTime?
    /// Where the picture was taken, by the camera.
    package var position: MediaPosition?
    package var orientation: ImageOrientation?
    /// Maker and model of the camera.
    package var camera: String?
    /// Where the camera looked, in degrees clockwise from north: 0 to 359.
    package var direction: Int?
    /// A JPEG picture, upright, longest edge at most ``Limits/thumbnailEdge``, without EXIF. Made
    /// by the decoder child; only checked, not decoded, by this process.
    package var thumbnail: [UInt8]?
    /// Why something is missing; nil when all that this kind of file can say is here.
    package var problem: MediaProblem?

    package init(kind: MediaKind, mediaType: String, problem: MediaProblem? = nil) {
        (self.kind, self.mediaType, self.problem) = (kind, mediaType, problem)
    }
}

/// Why a file's facts are not complete.
package enum MediaProblem: Hashable, Sendable {
    /// The file cannot be opened or read: errno.
    case unreadable(number: Int32)
    /// Nothing here decodes this format, which is named for people: `HEIC`.
    case noDecoder(format: String)
    /// The picture is larger than the decoder takes: see ``Limits/imageBytes``.
    case tooLarge
    /// The picture's data is broken; a thumbnail may show the part that is not.
    case damaged
    /// The decoder took longer than ``Limits/decoderSeconds``.
    case timedOut
    /// The decoder could not be run, died, or answered nonsense.
    case decoderFailed
}

/// Width and height in pixels, both from 1 to ``Limits/imageEdge``.
package struct PixelSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The size when the picture is turned upright.
    package func upright(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsAxes ? PixelSize(width: height, height: width) : self
    }
}

/// A place on the WGS 84 ellipsoid, checked to be in range.
package struct MediaPosition: Hashable, Sendable {
    /// Degrees, south negative, -90 to 90.
    package let latitude: Double
    /// Degrees, west negative, -180 to 180.
    package let longitude: Double
    /// Metres above sea level.
    package let altitudeMetres: Double?
    /// Radius in metres within which the true place lies, when the device said so.
    package let radiusMetres: Double?

    /// Returns nil for coordinates out of range; an altitude or radius that makes no sense is
    /// dropped.
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

/// How the stored picture is to be turned to stand upright; the values of the EXIF tag.
package enum ImageOrientation: UInt8, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case turned180 = 3
    case mirroredTurned180 = 4
    case mirroredTurned270 = 5
    /// To be turned by 90 degrees clockwise.
    case turned90 = 6
    case mirroredTurned90 = 7
    /// To be turned by 270 degrees clockwise.
    case turned270 = 8

    /// Whether width and height change places.
    package var swapsAxes: Bool { rawValue >= 5 }
}
