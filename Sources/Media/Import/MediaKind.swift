/// The kind of a file, by its first bytes; its name is ignored.
package enum MediaKind: String, CaseIterable, Sendable {
    case jpeg, heic, png, video, gpx, other

    /// Bytes of a file's beginning that ``recognise(_:)`` needs.
    static let beginningBytes = 4096

    /// The kind and Internet media type of a file, from its beginning.
    static func recognise(_ beginning: [UInt8]) -> (kind: MediaKind, mediaType: String) {
        if beginning.starts(with: [0xFF, 0xD8, 0xFF]) { return (.jpeg, "image/jpeg") }
        if beginning.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return (.png, "image/png")
        }
        if let brand = ascii(beginning, 4..<8) == "ftyp" ? ascii(beginning, 8..<12) : nil {
            return isoMedia(brand)
        }
        if beginning.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return (.video, "video/x-matroska") }
        if ascii(beginning, 0..<4) == "RIFF" {
            switch ascii(beginning, 8..<12) {
            case "AVI ": return (.video, "video/x-msvideo")
            case "WEBP": return (.other, "image/webp")
            default: return (.other, "application/octet-stream")
            }
        }
        if ascii(beginning, 0..<4) == "GIF8" { return (.other, "image/gif") }
        if ascii(beginning, 0..<5) == "%PDF-" { return (.other, "application/pdf") }
        if isGPX(beginning) { return (.gpx, "application/gpx+xml") }
        return (.other, "application/octet-stream")
    }

    /// The brand of an ISO base media file tells images, movies and sound apart.
    private static func isoMedia(_ brand: String) -> (kind: MediaKind, mediaType: String) {
        switch brand {
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": (.heic, "image/heic")
        case "avif", "avis": (.other, "image/avif")
        case "M4A ", "M4B ": (.other, "audio/mp4")
        case "qt  ": (.video, "video/quicktime")
        default: brand.hasPrefix("3g") ? (.video, "video/3gpp") : (.video, "video/mp4")
        }
    }

    private static func isGPX(_ beginning: [UInt8]) -> Bool {
        let text = String(decoding: beginning, as: UTF8.self)
            .drop { $0 == "\u{FEFF}" || $0.isWhitespace }
        return text.hasPrefix("<") && text.contains("<gpx")
    }

    private static func ascii(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        guard bytes.count >= range.upperBound else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }
}
