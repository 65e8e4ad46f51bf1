/// `43.46,11.88` or `-33.9, 151.2`: degrees north and degrees east.
package struct PositionInput {
    package let latitude: Double
    package let longitude: Double

    /// Throws ``APIError`` with the mistake.
    package init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw APIError.mistyped(OptionHelp.badPosition) }
        try self.init(parts[0], parts[1])
    }

    fileprivate init(_ first: Substring, _ second: Substring) throws {
        guard let latitude = Self.degrees(first), let longitude = Self.degrees(second) else {
            throw APIError.mistyped(OptionHelp.badPosition)
        }
        guard abs(latitude) <= 90 else { throw APIError.mistyped(OptionHelp.latitudeRange) }
        guard abs(longitude) <= 180 else {
            throw APIError.mistyped(tr("The longitude must lie between -180 and 180."))
        }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Digits, a sign and a point only: not `inf`, `nan` or hexadecimal.
    private static func degrees(_ text: Substring) -> Double? {
        let trimmed = String(text).trimmedLine
        guard trimmed.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else {
            return nil
        }
        return Double(trimmed)
    }
}

/// `43.46,11.88`, `43.46,11.88,5km` or `-33.9,151.2,300m`: a circle; 1 km without a distance.
package struct NearInput {
    package let near: MemoryFilter.Near

    /// Throws ``APIError`` with the mistake.
    package init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else {
            throw APIError.mistyped(OptionHelp.badNear)
        }
        let centre = try PositionInput(parts[0], parts[1])
        let metres = parts.count == 3 ? Self.metres(String(parts[2])) : 1000
        guard let metres, metres > 0, metres.isFinite else {
            throw APIError.mistyped(OptionHelp.badNear)
        }
        near = .init(latitude: centre.latitude, longitude: centre.longitude, radius: metres)
    }

    private static func metres(_ text: String) -> Double? {
        let trimmed = text.trimmedLine
        if trimmed.hasSuffix("km") {
            return Double(String(trimmed.dropLast(2)).trimmedLine).map { $0 * 1000 }
        }
        return Double(
            String(trimmed.hasSuffix("m") ? trimmed.dropLast() : trimmed[...]).trimmedLine)
    }
}
