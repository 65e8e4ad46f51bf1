/// `43.46,11.88`, `-33.9, 151.2`, `47,07;15,44` or `47,07 15,44`: degrees north and degrees east.
package struct PositionInput {
    package let latitude: Double
    package let longitude: Double

    /// Throws ``APIError`` with the mistake.
    package init(_ text: String) throws {
        let parts = Self.parts(of: text)
        guard parts.count == 2 else { throw APIError.mistyped(OptionHelp.badPosition) }
        try self.init(parts[0], parts[1])
    }

    /// The numbers of a position, each with a decimal point. A comma is a decimal sign where
    /// semicolons separate them, and where blanks do and both degrees have one.
    static func parts(of text: String) -> [String] {
        let line = text.trimmedLine
        func split(_ mark: Character) -> [String] {
            line.split(separator: mark, omittingEmptySubsequences: mark == " ").map(String.init)
        }
        if line.contains(";") { return split(";").map(NumberInput.pointed) }
        let words = split(" ")
        guard words.count > 1,
            words.prefix(2).allSatisfy({
                $0.last != "," && degrees(NumberInput.pointed($0)) != nil
            }), words[0].contains(",") == words[1].contains(",")
        else { return split(",") }
        return words.map(NumberInput.pointed)
    }

    init(_ first: String, _ second: String) throws {
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
    private static func degrees(_ text: String) -> Double? {
        let trimmed = text.trimmedLine
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
        let parts = PositionInput.parts(of: text)
        guard parts.count == 2 || parts.count == 3 else {
            throw APIError.mistyped(OptionHelp.badNear)
        }
        let centre = try PositionInput(parts[0], parts[1])
        let metres = parts.count == 3 ? Self.metres(parts[2]) : 1000
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
