internal import Foundation
internal import FoundationXML
internal import SyncCore

/// Receives the parser's events and collects the parts of a ``Track``; stops the parser when a limit is
/// exceeded.
final class TrackReader: NSObject, XMLParserDelegate {
    /// Why the reader stopped the parser.
    private(set) var failure: TrackError?

    private var path: [String] = []
    private(set) var hasRoot = false
    private var text = ""
    private var trackName: String?
    private var fileName: String?
    private var segments: [[TrackPoint]] = []
    private var pointCount = 0
    private var latitude = 0.0
    private var longitude = 0.0
    private var elevation: Double?
    private var time: Int64?

    /// The tracks read so far; nil without any point.
    var track: Track? { Track(name: trackName ?? fileName, segments: segments) }

    private func end(_ parser: XMLParser, _ reason: TrackError) {
        failure = failure ?? reason
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        guard failure == nil else { return }
        let name = localName(elementName)
        if path.isEmpty && name != "gpx" { return end(parser, .notGPX) }
        path.append(name)
        hasRoot = true
        guard path.count <= Limits.trackDepth else { return end(parser, .tooDeep) }
        text = ""
        switch name {
        case "trkseg": segments.append([])
        case "trkpt" where isPoint: startPoint(parser, attributes)
        default: break
        }
    }

    private func startPoint(_ parser: XMLParser, _ attributes: [String: String]) {
        pointCount += 1
        guard pointCount <= Limits.trackPoints else { return end(parser, .tooManyPoints) }
        guard let latitude = attributes["lat"].flatMap(number), (-90...90).contains(latitude),
            let longitude = attributes["lon"].flatMap(number), (-180...180).contains(longitude)
        else { return end(parser, .badPosition(line: max(1, parser.lineNumber))) }
        self.latitude = latitude
        self.longitude = longitude
        elevation = nil
        time = nil
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard failure == nil else { return }
        guard text.utf8.count + string.utf8.count <= Limits.trackTextBytes else {
            return end(parser, .tooMuchText)
        }
        text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard failure == nil, let name = path.last else { return }
        let content = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parents = path.dropLast()
        switch name {
        case "trkpt" where isPoint:
            segments[segments.count - 1].append(
                TrackPoint(
                    latitude: latitude, longitude: longitude, elevationMetres: elevation,
                    timeMilliseconds: time))
        case "ele" where parents.last == "trkpt": elevation = number(content)
        case "time" where parents.last == "trkpt": time = TrackTime.plausible(content)
        case "name" where parents == ["gpx", "trk"]: trackName = trackName ?? nonEmpty(content)
        case "name" where parents == ["gpx", "metadata"] || parents == ["gpx"]:
            fileName = fileName ?? nonEmpty(content)
        default: break
        }
        path.removeLast()
        text = ""
    }

    /// Needed because the parser's final result is unreliable: it accepts a file that ends within an
    /// element.
    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        end(parser, .malformed(line: max(1, parser.lineNumber)))
    }

    // Declarations were refused before parsing; if one appears nevertheless, parsing ends.

    func parser(
        _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
    ) {
        end(parser, .documentType)
    }

    func parser(
        _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String,
        publicID: String?, systemID: String?
    ) {
        end(parser, .documentType)
    }

    /// Whether the current element is a point in a segment; then there is at least one segment.
    private var isPoint: Bool { path == ["gpx", "trk", "trkseg", "trkpt"] }

    private func localName(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private func number(_ text: String) -> Double? {
        guard text.utf8.count <= 64, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    private func nonEmpty(_ text: String) -> String? {
        var name = String(text.prefix(Limits.nameBytes))
        while name.utf8.count > Limits.nameBytes {
            name.removeLast()
        }
        return name.isEmpty ? nil : name
    }
}
