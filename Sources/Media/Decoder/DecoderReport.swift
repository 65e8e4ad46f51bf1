internal import Foundation
internal import SyncCore

/// The decoder child's report on one picture, and its encoding on the way to the parent:
///
/// ```
/// length of the facts   4 bytes, big endian, at most Limits.decoderFactsBytes
/// facts                 JSON
/// thumbnail             the rest, a JPEG file or nothing, at most Limits.thumbnailBytes
/// ```
///
/// The child has read hostile bytes and may be under an attacker's control. So the parent accepts only
/// numbers in range, a short text and a bounded thumbnail, which it does not decode.
package struct DecoderReport: Hashable, Sendable {
    package var pixelSize: PixelSize?
    package var takenAt: LocalTime?
    package var position: MediaPosition?
    package var orientation: ImageOrientation?
    package var camera: String?
    package var direction: Int?
    package var problem: MediaProblem?
    package var thumbnail: [UInt8]?

    /// Bytes of the largest encoded report.
    package static let maximumBytes = 4 + Limits.decoderFactsBytes + Limits.thumbnailBytes

    package init() {}

    package func encoded() throws -> [UInt8] {
        let json = [UInt8](try JSONEncoder().encode(Facts(self)))
        let count = UInt32(json.count)
        let prefix = stride(from: 24, through: 0, by: -8).map { UInt8(count >> UInt32($0) & 255) }
        return prefix + json + (thumbnail ?? [])
    }

    /// Nil for bytes that an honest child would not have written.
    package init?(decoding bytes: [UInt8]) {
        guard bytes.count >= 4, bytes.count <= DecoderReport.maximumBytes else { return nil }
        let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= Limits.decoderFactsBytes, bytes.count >= 4 + count else { return nil }
        let json = Data(bytes[4..<4 + count])
        guard let facts = try? JSONDecoder().decode(Facts.self, from: json) else { return nil }
        let rest = Array(bytes[(4 + count)...])
        guard facts.apply(to: &self), DecoderReport.mayBeThumbnail(rest) else { return nil }
        thumbnail = rest.isEmpty ? nil : rest
    }

    private static func mayBeThumbnail(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        return bytes.count <= Limits.thumbnailBytes && bytes.starts(with: [0xFF, 0xD8, 0xFF])
            && bytes.suffix(2) == [0xFF, 0xD9]
    }
}

/// The JSON form.
private struct Facts: Codable {
    var width: Int?
    var height: Int?
    /// Year, month, day, hour, minute, second, and the offset in minutes if known.
    var time: [Int]?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var radius: Double?
    var orientation: UInt8?
    var camera: String?
    var direction: Int?
    var problem: String?

    init(_ report: DecoderReport) {
        width = report.pixelSize?.width
        height = report.pixelSize?.height
        if let taken = report.takenAt {
            time = [taken.year, taken.month, taken.day, taken.hour, taken.minute, taken.second]
            time?.append(contentsOf: taken.utcOffsetMinutes.map { [$0] } ?? [])
        }
        latitude = report.position?.latitude
        longitude = report.position?.longitude
        altitude = report.position?.altitudeMetres
        radius = report.position?.radiusMetres
        orientation = report.orientation?.rawValue
        (camera, direction) = (report.camera, report.direction)
        problem = report.problem.flatMap { Facts.problems.firstIndex(of: $0) }
            .map { Facts.problemNames[$0] }
    }

    /// The problems that a child may report, and their names.
    private static let problems: [MediaProblem] = [
        .damaged, .tooLarge, .noDecoder(format: "CMYK JPEG"), .decoderFailed,
    ]
    private static let problemNames = ["damaged", "tooLarge", "printingColours", "failed"]

    func apply(to report: inout DecoderReport) -> Bool {
        report = DecoderReport()
        if let width, let height {
            let edges = 1...Limits.imageEdge
            guard edges.contains(width), edges.contains(height) else { return false }
            report.pixelSize = PixelSize(width: width, height: height)
        }
        if let time {
            guard let taken = Facts.localTime(time) else { return false }
            report.takenAt = taken
        }
        if let latitude, let longitude {
            report.position = MediaPosition(
                latitude: latitude, longitude: longitude, altitudeMetres: altitude,
                radiusMetres: radius)
            guard report.position != nil else { return false }
        }
        if let orientation {
            guard let known = ImageOrientation(rawValue: orientation) else { return false }
            report.orientation = known
        }
        if let camera {
            guard !camera.isEmpty, camera.utf8.count <= Limits.cameraBytes else { return false }
            report.camera = camera
        }
        if let direction {
            guard (0..<360).contains(direction) else { return false }
            report.direction = direction
        }
        if let problem {
            guard let index = Facts.problemNames.firstIndex(of: problem) else { return false }
            report.problem = Facts.problems[index]
        }
        return true
    }

    private static func localTime(_ parts: [Int]) -> LocalTime? {
        guard parts.count == 6 || parts.count == 7 else { return nil }
        return LocalTime(
            year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4],
            second: parts[5], utcOffsetMinutes: parts.count == 7 ? parts[6] : nil)
    }
}
