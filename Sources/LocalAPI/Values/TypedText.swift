/// A person's text for a field. The agent parses it by the type of the field.
package struct TypedText: Codable, Sendable, Hashable {
    package let text: String
    /// Absolute; where a relative path of a file begins.
    package let folder: String
    /// As `Europe/Rome`: of times without a zone.
    package let zone: String
    /// Whether a comma stands before the decimals, as people write it in German; absent for a point.
    package let decimalComma: Bool?

    package init(_ text: String, folder: String, zone: String, decimalComma: Bool = false) {
        (self.text, self.folder, self.zone) = (text, folder, zone)
        self.decimalComma = decimalComma ? true : nil
    }
}
