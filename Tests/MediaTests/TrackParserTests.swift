import Foundation
import Media
import SyncCore
import Testing

@Suite("Reading a GPX file")
struct TrackParserTests {
    private func track(_ inner: String, head: String = "") throws -> Track {
        try TrackParser.parse(
            Array("<?xml version=\"1.0\"?>\(head)<gpx><trk>\(inner)</trk></gpx>".utf8))
    }

    @Test("gives points, times, length and bounds")
    func simple() throws {
        let read = try track(
            """
            <name> Walk &amp; talk </name><trkseg>
            <trkpt lat="43.46" lon="11.88"><ele>250.5</ele><time>2008-10-22T14:28:39Z</time></trkpt>
            <trkpt lat="43.47" lon="11.88"><time>2008-10-22T16:38:39.250+02:00</time></trkpt>
            </trkseg><trkseg/><trkseg><trkpt lat="-1" lon="-2"/></trkseg>
            """)
        #expect(read.name == "Walk & talk")
        #expect(read.pointCount == 3)
        #expect(read.segments.map(\.count) == [2, 1])
        #expect(
            read.segments[0][0]
                == TrackPoint(
                    latitude: 43.46, longitude: 11.88, elevationMetres: 250.5,
                    timeMilliseconds: 1_224_685_719_000))
        #expect(read.startMilliseconds == 1_224_685_719_000)
        #expect(read.endMilliseconds == 1_224_686_319_250)
        // A hundredth of a degree of latitude on the sphere.
        #expect(abs(read.lengthMetres - 1111.95) < 0.01)
        let bounds = read.bounds
        #expect([bounds.south, bounds.west, bounds.north, bounds.east] == [-1, -2, 43.47, 11.88])
    }

    /// Counts by grep, lengths by an independent haversine in Python.
    @Test(
        "agrees on real files with an independent reader",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples),
        arguments: [
            ("Mojstrovka.gpx", 184, 1, 2697.63),
            ("cerknicko-jezero.gpx", 296, 7, 4575.02),
            ("gpx1.1_with_all_fields.gpx", 1, 1, 0.00),
            ("track-with-empty-segment.gpx", 9, 1, 85.85),
        ])
    func samples(_ sample: (String, Int, Int, Double)) async throws {
        let read = try await TrackParser.parse(path: TestPlaces.sample("gpx/" + sample.0))
        #expect(read.pointCount == sample.1)
        #expect(read.segments.count == sample.2)
        #expect(abs(read.lengthMetres - sample.3) < 0.1)
    }

    @Test("refuses document types and entities before they are read")
    func documentTypes() {
        let bomb = """
            <!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            """
        let external = "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
        for head in [bomb, external, "<!DOCTYPE gpx>"] {
            #expect(throws: TrackError.documentType) {
                try track("<name>&b;&x;</name>", head: head)
            }
        }
    }

    @Test(
        "refuses encodings that could hide one",
        arguments: ["UTF-7", "UTF-16", "EBCDIC-US", "utf-32le"])
    func encodings(encoding: String) {
        let text = "<?xml version='1.0' encoding = '\(encoding)'?><gpx/>"
        #expect(throws: TrackError.unsupportedEncoding) { try TrackParser.parse(Array(text.utf8)) }
    }

    @Test(
        "refuses a declaration that does not end, or names an encoding twice",
        arguments: [
            ("<?xml version='1.0' encoding='UTF-7'#><gpx/>", TrackError.malformed(line: 1)),
            (
                "<?xml version='1.0'\(String(repeating: " ", count: 2000))encoding='UTF-7'?><gpx/>",
                .malformed(line: 1)
            ),
            ("<?xml version='1.0' encoding='UTF-8' encoding='UTF-7'?><gpx/>", .unsupportedEncoding),
            ("<?xml version='1.0' encoding?><gpx/>", .unsupportedEncoding),
        ])
    func declarations(text: String, error: TrackError) {
        #expect(throws: error) { try TrackParser.parse(Array(text.utf8)) }
    }

    @Test("refuses UTF-16, declared or not")
    func wideCharacters() throws {
        let wide = try #require("<gpx/>".data(using: .utf16LittleEndian))
        #expect(throws: TrackError.unsupportedEncoding) { try TrackParser.parse([UInt8](wide)) }
        #expect(throws: TrackError.unsupportedEncoding) {
            try TrackParser.parse([0xFF, 0xFE] + [UInt8](wide))
        }
    }

    @Test(
        "reads past processing instructions, also those that say nothing",
        arguments: ["<?a?>", "<?a ?>", "<?a b?>", "<!--<?--><?a?>", "<?a<?b?>", "<??>", "<?a?b?>"])
    func instructions(instruction: String) throws {
        let point = "<trkseg><trkpt lat='1' lon='2'/></trkseg>"
        let read = try? track(point, head: instruction)
        // Some are not XML; but none may end the program.
        let isXML = ["<?a?>", "<?a ?>", "<?a b?>", "<!--<?--><?a?>"].contains(instruction)
        #expect((read?.pointCount == 1) || !isXML)
    }

    @Test("ends at nesting that no track needs")
    func nesting() {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(throws: TrackError.tooDeep) { try track(deep) }
        let fine = String(repeating: "<a>", count: 30) + String(repeating: "</a>", count: 30)
        #expect(throws: TrackError.noPoints) { try track(fine) }
    }

    @Test("bounds the file, the text of an element, and the points")
    func sizes() {
        #expect(throws: TrackError.tooLong) {
            try TrackParser.parse([UInt8](repeating: 32, count: (64 << 20) + 1))
        }
        let text = String(repeating: "x", count: Limits.trackTextBytes + 1)
        #expect(throws: TrackError.tooMuchText) { try track("<name>\(text)</name>") }
        let points = String(repeating: "<trkpt lat='1' lon='2'/>", count: Limits.trackPoints + 1)
        #expect(throws: TrackError.tooManyPoints) { try track("<trkseg>\(points)</trkseg>") }
    }

    @Test(
        "refuses invalid positions",
        arguments: [
            "lat='91' lon='0'", "lat='0' lon='-180.1'", "lat='nan' lon='0'", "lat='inf' lon='0'",
            "lon='0'", "lat='' lon='0'", "lat='1e400' lon='0'", "lat='0x1' lon='200'",
        ])
    func positions(attributes: String) {
        #expect(throws: TrackError.badPosition(line: 1)) {
            try track("<trkseg><trkpt \(attributes)/></trkseg>")
        }
    }

    @Test("takes points only where a track has them")
    func strayPoints() {
        #expect(throws: TrackError.noPoints) { try track("<trkpt lat='1' lon='2'/>") }
        #expect(throws: TrackError.noPoints) {
            try track("<extensions><trkseg><trkpt lat='1' lon='2'/></trkseg></extensions>")
        }
    }

    @Test(
        "reports files that are not GPX",
        arguments: [
            ("<html/>", TrackError.notGPX), ("", .malformed(line: 1)),
            ("hello", .malformed(line: 1)), ("<gpx>\n<trk>\n</gpx>", .malformed(line: 3)),
            ("<gpx></gpx>", .noPoints),
        ])
    func others(text: String, error: TrackError) {
        #expect(throws: error) { try TrackParser.parse(Array(text.utf8)) }
    }

    @Test("drops invalid times, and keeps the point")
    func badTimes() throws {
        for time in [
            "yesterday", "2024-02-30T00:00:00Z", "2024-01-01T25:00:00Z", "", "２０２４",
            "1901-12-13T20:45:52Z",
        ] {
            let read = try track(
                "<trkseg><trkpt lat='1' lon='2'><time>\(time)</time></trkpt></trkseg>")
            #expect(read.segments[0][0].timeMilliseconds == nil)
        }
    }

    @Test("reports a missing file")
    func missing() async {
        await #expect(throws: TrackError.unreadable(number: ENOENT)) {
            try await TrackParser.parse(path: "/nonexistent.gpx")
        }
    }
}
