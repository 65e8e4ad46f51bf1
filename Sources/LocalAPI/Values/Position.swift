/// A place on Earth, WGS 84.
package struct Position: Codable, Sendable, Hashable {
    /// Degrees north, -90 to 90.
    package let latitude: Double
    /// Degrees east, -180 to 180.
    package let longitude: Double
    /// Metres within which the place lies; smaller is more accurate. `nil` means unknown.
    package let radius: Double?
    /// Metres above sea level.
    package let altitude: Double?

    package init(
        latitude: Double, longitude: Double, radius: Double? = nil, altitude: Double? = nil
    ) {
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.radius, self.altitude) = (radius, altitude)
    }
}
