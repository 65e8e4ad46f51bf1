internal import CExif
internal import SyncCore

/// Time, place, orientation and camera from the EXIF block of a JPEG file.
struct ExifFacts: Sendable {
    var takenAt: LocalTime?
    var position: MediaPosition?
    var orientation: ImageOrientation?
    /// Maker and model, `Canon EOS 5D`.
    var camera: String?
    /// The direction of view, in whole degrees clockwise from north.
    var direction: Int?

    /// Reads the block from a JPEG file's bytes; everything is nil where there is none.
    ///
    /// Only the decoder child calls it, as libexif parses input that may be hostile.
    init(jpeg bytes: [UInt8]) {
        guard let block = ExifBlock(jpeg: bytes) else { return }
        takenAt = ExifFacts.takenAt(block)
        position = ExifFacts.position(block)
        orientation = block.number(.exif0, ExifFacts.orientationTag)
            .flatMap { ImageOrientation(rawValue: UInt8(truncatingIfNeeded: $0)) }
        camera = ExifFacts.camera(
            maker: block.text(.exif0, ExifFacts.cameraTags.maker) ?? "",
            model: block.text(.exif0, ExifFacts.cameraTags.model) ?? "")
        direction = block.rationals(.gps, UInt32(EXIF_TAG_GPS_IMG_DIRECTION)).first
            .flatMap { Int(exactly: $0.rounded()) }.flatMap {
                (0...360).contains($0) ? $0 % 360 : nil
            }
    }

    /// Prepends the maker unless the model begins with it; nil when neither is known.
    static func camera(maker: String, model: String) -> String? {
        let brand = maker.split(separator: " ").first.map(String.init) ?? ""
        let isNamed = model.lowercased().hasPrefix(brand.lowercased())
        let name = isNamed || brand.isEmpty ? model : "\(brand) \(model)"
        return name.isEmpty ? nil : name
    }

    private static let orientationTag: UInt32 = 0x0112
    private static let cameraTags: (maker: UInt32, model: UInt32) = (0x010F, 0x0110)
    private static let originalTags: (time: UInt32, offset: UInt32) = (0x9003, 0x9011)
    private static let digitizedTags: (time: UInt32, offset: UInt32) = (0x9004, 0x9012)

    /// DateTimeOriginal, or else DateTimeDigitized. DateTime is ignored: programs set it when they change a
    /// picture.
    private static func takenAt(_ block: ExifBlock) -> LocalTime? {
        for tags in [originalTags, digitizedTags] {
            guard let text = block.text(.exif, tags.time) else { continue }
            let offset = block.text(.exif, tags.offset).flatMap(offsetMinutes)
            if let time = localTime(text, offset) { return time }
        }
        return nil
    }

    /// `2008:10:22 16:28:39`; spaces or zeros stand for an unknown time and give nil.
    static func localTime(_ text: String, _ offsetMinutes: Int?) -> LocalTime? {
        let parts = text.split(whereSeparator: { ":- T".contains($0) }).map { Int($0) }
        guard parts.count == 6, let year = parts[0], let month = parts[1], let day = parts[2],
            let hour = parts[3], let minute = parts[4], let second = parts[5]
        else { return nil }
        return LocalTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            utcOffsetMinutes: offsetMinutes)
    }

    /// `+02:00`, `-03:30` or `Z`.
    static func offsetMinutes(_ text: String) -> Int? {
        if text == "Z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let parts = text.dropFirst().split(separator: ":").map { UInt8($0) }
        guard parts.count == 2, let hours = parts[0], let minutes = parts[1], minutes < 60 else {
            return nil
        }
        let size = Int(hours) * 60 + Int(minutes)
        guard size <= 1080 else { return nil }
        return sign == "-" ? -size : size
    }

    private static func position(_ block: ExifBlock) -> MediaPosition? {
        guard let latitude = degrees(block, EXIF_TAG_GPS_LATITUDE, EXIF_TAG_GPS_LATITUDE_REF),
            let longitude = degrees(block, EXIF_TAG_GPS_LONGITUDE, EXIF_TAG_GPS_LONGITUDE_REF),
            // Cameras without a fix write zeros, a place in the sea that nobody photographs.
            latitude != 0 || longitude != 0
        else { return nil }
        let belowSea = block.number(.gps, UInt32(EXIF_TAG_GPS_ALTITUDE_REF)) == 1
        let altitude = block.rationals(.gps, UInt32(EXIF_TAG_GPS_ALTITUDE)).first
        let radius = block.rationals(.gps, UInt32(EXIF_TAG_GPS_H_POSITIONING_ERROR)).first
        return MediaPosition(
            latitude: latitude, longitude: longitude,
            altitudeMetres: altitude.map { belowSea ? -$0 : $0 }, radiusMetres: radius)
    }

    /// Combines degrees, minutes, seconds and hemisphere.
    private static func degrees(_ block: ExifBlock, _ tag: Int32, _ reference: Int32) -> Double? {
        let parts = block.rationals(.gps, UInt32(tag))
        guard let whole = parts.first, let hemisphere = block.text(.gps, UInt32(reference)) else {
            return nil
        }
        let minutes = parts.count > 1 ? parts[1] : 0
        let seconds = parts.count > 2 ? parts[2] : 0
        let size = whole + minutes / 60 + seconds / 3600
        switch hemisphere {
        case "N", "E": return size
        case "S", "W": return -size
        default: return nil
        }
    }
}
