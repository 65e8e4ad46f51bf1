import Media
import Records
import SyncCore

/// Files that people are given and open here: tracks, pictures, schemas.
extension FuzzTarget {
    /// A GPX file.
    static let track = FuzzTarget(
        "gpx", longestInput: 16_384,
        words: [
            "<?xml version=\"1.0\"?>", "<gpx>", "</gpx>", "<trk>", "</trk>", "<trkseg>",
            "</trkseg>", "<trkpt lat=\"1\" lon=\"2\">", "</trkpt>", "<ele>", "</ele>", "<time>",
            "</time>", "<name>", "</name>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#65;",
            "encoding=", "utf-8", "xmlns=", "<metadata>", "2014-02-02T10:25:31.5+01:00",
        ]
    ) { input in
        guard let track = try? TrackParser.parse(input) else { return }
        try require(track.segments.allSatisfy { !$0.isEmpty }, "no segment is empty")
        try require(
            track.segments.reduce(0) { $0 + $1.count } == track.pointCount, "points are counted")
        try require((1...Limits.trackPoints).contains(track.pointCount), "points are bounded")
        try require((track.name ?? "").utf8.count <= Limits.nameBytes, "a name is short")
        try require(track.lengthMetres.isFinite && track.lengthMetres >= 0, "a track has a length")
        let bounds = track.bounds
        for point in track.segments.joined() {
            try require(
                (bounds.south...bounds.north).contains(point.latitude)
                    && (bounds.west...bounds.east).contains(point.longitude)
                    && (-90...90).contains(point.latitude)
                    && (-180...180).contains(point.longitude), "points are within the bounds")
            try require(point.elevationMetres?.isFinite ?? true, "heights are numbers")
        }
    }

    /// A schema document.
    static let schema = FuzzTarget(
        "schema", longestInput: 8192,
        words: [
            "schema: 1\n", "name: a\n", "version: 1\n", "collections:\n", "  a:\n", "    fields:\n",
            "      b: { type: text }\n", "type: ", "reference", "to: ", "on_delete: cascade", "set",
            "of: ", "kind: original", "strategy: union", "search: true", "blob", "&a ", "*a",
            "<<: ",
            "!!map ", "--- ", "? ", "- ", "|\n",
        ]
    ) { input in
        let schema: Schema
        do {
            schema = try SchemaLoader.load(input)
        } catch let failure as SchemaLoader.Failure {
            try require(failure.line >= 1, "a mistake has its line")
            return
        }
        try require(
            Set(schema.collections.map(\.name)).count == schema.collections.count,
            "no collection is there twice")
        var known: Set<String> = []
        for collection in schema.collections {
            known.insert(collection.name)
            try require(
                Set(collection.fields.map(\.name)).count == collection.fields.count,
                "no field is there twice")
            for field in collection.fields {
                try checkType(field.type, known: known)
            }
        }
    }

    private static func checkType(_ type: FieldType, known: Set<String>) throws {
        switch type {
        case .reference(let collection, _):
            try require(known.contains(collection), "references go to what is there")
        case .set(let element):
            if case .set = element { try require(false, "no set is of sets") }
            try checkType(element, known: known)
        default: break
        }
    }

    /// A picture, through the decoder child's own function, and its report through the parent's.
    static let picture = FuzzTarget(
        "picture", longestInput: 8192, allocationMebibytes: Limits.coefficientBytes >> 20,
        words: ["Exif\u{0}\u{0}", "MM", "II"]
    ) { input in
        let report = DecoderChild.report(on: input)
        let again = DecoderReport(decoding: try report.encoded())
        try require(again == report, "the parent believes an honest child")
        try checkThumbnail(report.thumbnail)
    }

    /// A report of a child that an attacker commands.
    static let decoderReport = FuzzTarget(
        "decoder-report",
        words: [
            "\"width\":", "\"height\":", "\"time\":", "\"latitude\":", "\"longitude\":",
            "\"altitude\":", "\"radius\":", "\"orientation\":", "\"problem\":", "\"damaged\"",
        ]
    ) { input in
        guard let report = DecoderReport(decoding: input) else { return }
        try require(
            DecoderReport(decoding: try report.encoded()) == report, "a report comes back")
        if let size = report.pixelSize {
            let edges = 1...Limits.imageEdge
            try require(edges.contains(size.width) && edges.contains(size.height), "sizes are real")
        }
        if let position = report.position {
            try require(abs(position.latitude) <= 90, "latitudes are real")
            try require(abs(position.longitude) <= 180, "longitudes are real")
        }
        try checkThumbnail(report.thumbnail)
    }

    private static func checkThumbnail(_ thumbnail: [UInt8]?) throws {
        guard let thumbnail else { return }
        try require(thumbnail.count <= Limits.thumbnailBytes, "a thumbnail is small")
        try require(thumbnail.starts(with: [0xFF, 0xD8, 0xFF]), "a thumbnail is a JPEG file")
    }
}
