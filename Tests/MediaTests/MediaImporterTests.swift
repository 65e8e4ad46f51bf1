import Foundation
import Media
import SyncCore
import Testing

@Suite("Inspecting a file")
struct MediaImporterTests {
    private let importer = MediaImporter(executable: TestPlaces.program)

    private func inspect(_ sample: String) async throws -> MediaFacts {
        await importer.inspect(try TestPlaces.sample("photos/" + sample))
    }

    @Test(
        "finds time and place of a photo, and draws it small",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples))
    func photo() async throws {
        let facts = try await inspect("DSCN0010.jpg")
        #expect(facts.kind == .jpeg)
        #expect(facts.mediaType == "image/jpeg")
        #expect(facts.pixelSize == PixelSize(width: 640, height: 480))
        #expect(facts.takenAt?.text == "2008-10-22T16:28:39")
        let position = try #require(facts.position)
        #expect(abs(position.latitude - 43.467448) < 0.000001)
        #expect(abs(position.longitude - 11.885127) < 0.000001)
        #expect(facts.orientation == .upright)
        #expect(facts.camera == "NIKON COOLPIX P6000")
        #expect(facts.direction == nil)
        #expect(facts.problem == nil)
        #expect(try jpegSize(facts.thumbnail) == PixelSize(width: 512, height: 384))
    }

    @Test(
        "finds the direction of view",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples))
    func direction() throws {
        // given the photo, with its map datum made a direction that is its degrees of latitude
        var bytes = [UInt8](
            try Data(contentsOf: URL(filePath: try TestPlaces.sample("photos/DSCN0010.jpg"))))
        let latitude = try #require(bytes.firstRange(of: [2, 0, 5, 0, 3, 0, 0, 0]))
        let datum = try #require(bytes.firstRange(of: [0x12, 0, 2, 0]))
        let place = bytes[latitude.upperBound..<latitude.upperBound + 4]
        bytes.replaceSubrange(
            datum.lowerBound..<datum.lowerBound + 12, with: [0x11, 0, 5, 0, 1, 0, 0, 0] + place)
        // then
        #expect(DecoderChild.report(on: bytes).direction == 43)
    }

    @Test("does not decode a picture in several scans that is larger than the decoder's memory")
    func scans() {
        /// A picture of three colours, up to where its first scan begins.
        func problem(_ marker: UInt8, edge: UInt16, scanning colours: [UInt8]) -> MediaProblem? {
            let (edge, count) = ([UInt8(edge >> 8), UInt8(edge & 255)], UInt8(colours.count))
            var jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, marker, 0, 17, 8]
            jpeg += edge
            jpeg += edge
            jpeg += [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
            jpeg += [0xFF, 0xDA, 0, 6 + 2 * count, count]
            for colour in colours { jpeg += [colour, 0] }
            jpeg += [0, 63, 0]
            return DecoderChild.report(on: jpeg).problem
        }
        // Progressive, and one colour after the other.
        #expect(problem(0xC2, edge: 20_000, scanning: [1, 2, 3]) == .tooLarge)
        #expect(problem(0xC0, edge: 20_000, scanning: [1]) == .tooLarge)
        // Of others a few lines are held at a time.
        #expect(problem(0xC0, edge: 20_000, scanning: [1, 2, 3]) == .damaged)
        #expect(problem(0xC2, edge: 8_000, scanning: [1, 2, 3]) == .damaged)
    }

    @Test("refuses a camera or direction that an honest child would not report")
    func hostileFacts() throws {
        func decoded(_ change: (inout DecoderReport) -> Void) throws -> DecoderReport? {
            var report = DecoderReport()
            change(&report)
            return DecoderReport(decoding: try report.encoded())
        }
        #expect(try decoded { $0.camera = "Canon EOS 5D" }?.camera == "Canon EOS 5D")
        #expect(try decoded { $0.camera = "" } == nil)
        #expect(try decoded { $0.camera = String(repeating: "x", count: 300) } == nil)
        #expect(try decoded { $0.direction = 359 }?.direction == 359)
        #expect(try decoded { $0.direction = 360 } == nil)
        #expect(try decoded { $0.direction = -1 } == nil)
    }

    @Test(
        "turns the thumbnail upright",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples),
        arguments: [
            ("landscape_6.jpg", ImageOrientation.turned90, 450, 600, 512, 384),
            ("portrait_8.jpg", ImageOrientation.turned270, 600, 450, 384, 512),
        ])
    func orientation(
        _ sample: (String, ImageOrientation, Int, Int, Int, Int)
    ) async throws {
        let facts = try await inspect(sample.0)
        #expect(facts.orientation == sample.1)
        #expect(facts.pixelSize == PixelSize(width: sample.2, height: sample.3))
        #expect(
            try jpegSize(facts.thumbnail) == PixelSize(width: sample.4, height: sample.5))
    }

    @Test(
        "makes thumbnails without EXIF",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples))
    func withoutExif() async throws {
        let thumbnail = try #require(try await inspect("DSCN0010.jpg").thumbnail)
        #expect(Data(thumbnail).range(of: Data("Exif".utf8)) == nil)
    }

    @Test(
        "shows the intact part of a damaged photo, and reports the damage",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples))
    func corrupted() async throws {
        let facts = try await inspect("corrupted.jpg")
        #expect(facts.problem == .damaged)
        #expect(facts.takenAt?.text == "2015-09-08T11:02:17")
        #expect(facts.thumbnail != nil)
    }

    @Test(
        "never fails on a photo cut or overwritten anywhere",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples))
    func hostile() async throws {
        let folder = try TemporaryFolder()
        let photo = try contents(TestPlaces.sample("photos/DSCN0012.jpg"))
        try await importer.batch { batch in
            for cut in [3, 20, 700, 11_000, photo.count / 2] {
                let facts = await batch.inspect(try folder.write(Array(photo[..<cut]), "cut.jpg"))
                #expect(facts.kind == .jpeg)
                #expect(facts.problem == .damaged, "cut at \(cut)")
            }
            var generator = SystemRandomNumberGenerator()
            for _ in 0..<10 {
                var changed = photo
                for _ in 0..<200 {
                    changed[Int.random(in: 3..<20_000, using: &generator)] = .random(in: 0...255)
                }
                let facts = await batch.inspect(try folder.write(changed, "changed.jpg"))
                #expect(facts.kind == .jpeg)
                #expect(facts.thumbnail != nil || facts.problem != nil)
            }
        }
    }

    @Test(
        "reads HEIC where a converter is installed, and says so where none is",
        .enabled(if: TestPlaces.samples != nil, TestPlaces.noSamples))
    func heic() async throws {
        let facts = try await inspect("IMG_5195.HEIC")
        #expect(facts.kind == .heic)
        #expect(facts.mediaType == "image/heic")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let hasConverter = path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/heif-convert")
        }
        guard hasConverter else {
            #expect(facts.problem == .noDecoder(format: "HEIC"))
            #expect(facts.thumbnail == nil)
            return
        }
        #expect(facts.problem == nil)
        #expect(facts.takenAt?.text == "2021-04-11T15:47:53-05:00")
        #expect(abs((facts.position?.latitude ?? 0) - 39.051344) < 0.000001)
        #expect(abs((facts.position?.radiusMetres ?? 0) - 38.813) < 0.001)
        #expect(try jpegSize(facts.thumbnail) == PixelSize(width: 397, height: 512))
    }

    @Test("recognises files that are not pictures")
    func others() async throws {
        let folder = try TemporaryFolder()
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
        let cases: [([UInt8], MediaKind, String, MediaProblem?)] = [
            (png, .png, "image/png", .noDecoder(format: "PNG")),
            (
                [0, 0, 0, 24] + Array("ftypmp42".utf8), .video, "video/mp4",
                .noDecoder(format: "video")
            ),
            (Array("<?xml version=\"1.0\"?>\n<gpx/>".utf8), .gpx, "application/gpx+xml", nil),
            (
                Array("hello".utf8), .other, "application/octet-stream",
                .noDecoder(format: "application/octet-stream")
            ),
            (
                [], .other, "application/octet-stream",
                .noDecoder(format: "application/octet-stream")
            ),
        ]
        for (bytes, kind, mediaType, problem) in cases {
            let facts = await importer.inspect(try folder.write(bytes, "file"))
            #expect(facts == MediaFacts(kind: kind, mediaType: mediaType, problem: problem))
        }
        let missing = await importer.inspect(folder.path + "/missing")
        #expect(missing.problem == .unreadable(number: ENOENT))
    }

    @Test("ends a decoder that takes too long", .timeLimit(.minutes(1)))
    func timeout() async throws {
        let folder = try TemporaryFolder()
        let slow = try script(folder, "exec sleep 3600")
        let facts = await MediaImporter(executable: slow, timeout: .milliseconds(300))
            .inspect(try folder.write([0xFF, 0xD8, 0xFF, 0xE0], "a.jpg"))
        #expect(facts.problem == .timedOut)
    }

    /// The output of a fake decoder: a claimed length of the facts, and the rest.
    struct Answer: CustomTestStringConvertible {
        let bytes: [UInt8]
        let testDescription: String

        init(_ length: [UInt8], _ text: String) {
            bytes = length + Array(text.utf8)
            testDescription = "\(length) \(text)"
        }

        init(zeros count: Int) {
            bytes = Array(repeating: 0, count: count)
            testDescription = "\(count) zeros"
        }
    }

    @Test(
        "refuses reports that an honest decoder would not send",
        arguments: [
            Answer(zeros: 5_000_000), Answer(zeros: 0),
            // Lengths that do not fit, text that is no JSON, numbers out of range.
            Answer([255, 255, 255, 255], "{}"),
            Answer([0, 0, 0, 2], "{"),
            Answer([0, 0, 0, 2], "[]"),
            Answer([0, 0, 0, 24], "{\"width\":0,\"height\":100}"),
            Answer([0, 0, 0, 18], "{\"orientation\":99}"),
            Answer([0, 0, 0, 33], "{\"latitude\":91,\"longitude\":1000}"),
            Answer([0, 0, 0, 26], "{\"time\":[2024,2,30,0,0,0]}"),
            Answer([0, 0, 0, 2], "{}<script>"),
        ])
    func compromised(answer: Answer) async throws {
        let folder = try TemporaryFolder()
        let echo = MediaImporter(executable: try Self.echo.get().path)
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        let kind = MediaFacts(kind: .jpeg, mediaType: "image/jpeg")
        // given a decoder that is believed when it says nothing wrong
        let honest = try folder.write(picture + Answer([0, 0, 0, 2], "{}").bytes, "honest.jpg")
        var tries = 0
        // A process that somebody forks just now may have the new program open for writing.
        while await echo.inspect(honest) != kind, tries < 10 {
            tries += 1
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(tries < 10)
        // when it says something else
        let facts = await echo.inspect(try folder.write(picture + answer.bytes, "a.jpg"))
        // then
        var failed = kind
        failed.problem = .decoderFailed
        #expect(facts == failed)
    }

    /// A fake decoder that answers with the picture's bytes after the first four.
    private static let echo = Result {
        let folder = try TemporaryFolder()
        let text = """
            #!/usr/bin/env python3
            import array, os, socket
            control = socket.socket(fileno=0).recvmsg(1, 4096)[1]
            files = array.array('i', control[0][2])
            os.write(files[1], open(files[0], 'rb').read()[4:])
            """
        return (folder: folder, path: try executable(folder, text))
    }

    @Test(
        "notices that a decoder has died", .timeLimit(.minutes(1)),
        arguments: ["exit 0", "exit 3", "kill -9 $$"])
    func gone(body: String) async throws {
        let folder = try TemporaryFolder()
        let facts = await MediaImporter(executable: try script(folder, body))
            .inspect(try folder.write([0xFF, 0xD8, 0xFF, 0xE0], "a.jpg"))
        #expect(facts.problem == .decoderFailed)
    }

    @Test(
        "starts a decoder only for pictures: one for a batch, and a new one after a failure")
    func starts() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/starts"
        let body =
            "echo >> \(log)\n[ -e \(folder.path)/fails ] && exit 1\nexec \(TestPlaces.program) \"$@\""
        let importer = MediaImporter(executable: try script(folder, body))
        let text = try folder.write(Array("hello".utf8), "a.txt")
        let picture = try folder.write([0xFF, 0xD8, 0xFF, 0xE0], "a.jpg")
        // A process that somebody forks just now may have the new program open for writing.
        try await Task.sleep(for: .seconds(1))

        // files that are no pictures
        await importer.batch { batch in
            for _ in 0..<3 { #expect(await batch.inspect(text).problem != nil) }
        }
        #expect(!FileManager.default.fileExists(atPath: log))
        // broken pictures
        await importer.batch { batch in
            for _ in 0..<3 { #expect(await batch.inspect(picture).problem == .damaged) }
        }
        #expect(try contents(log).count == 1)
        // a decoder that does not answer, and then one that does
        await importer.batch { batch in
            let fails = try? folder.write([], "fails")
            #expect(await batch.inspect(picture).problem == .decoderFailed)
            try? fails.map { try FileManager.default.removeItem(atPath: $0) }
            #expect(await batch.inspect(picture).problem == .damaged)
        }
        #expect(try contents(log).count == 3)
    }

    @Test("reads pictures under limits that child processes inherit")
    func confinement() throws {
        let folder = try TemporaryFolder()
        let converter = try folder.write(
            Array("#!/bin/sh\ncat /proc/self/limits /proc/self/status > \"$4\"\n".utf8),
            "heif-convert")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: converter)
        let child = Process()
        child.executableURL = URL(fileURLWithPath: TestPlaces.program)
        child.arguments = [DecoderChild.argument, "convert", "/dev/null", folder.path + "/said"]
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = folder.path + ":/usr/bin:/bin"
        child.environment = environment
        try child.run()
        child.waitUntilExit()

        #expect(child.terminationStatus == 0)
        let lines = String(decoding: try contents(folder.path + "/said"), as: UTF8.self)
            .split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        for expected in [
            "Max address space 1073741824 1073741824 bytes", "Max cpu time 20 20 seconds",
            "Max open files 64 64 files", "Max core file size 0 0 bytes",
            "Max file size 134217728 134217728 bytes", "NoNewPrivs: 1",
        ] {
            #expect(lines.contains(expected.split(separator: " ")), "\(expected)")
        }
    }

    @Test("runs without a decoder, and reports its failure")
    func noProgram() async throws {
        let folder = try TemporaryFolder()
        let facts = await MediaImporter(executable: "/nonexistent/peersync")
            .inspect(try folder.write([0xFF, 0xD8, 0xFF, 0xE0], "a.jpg"))
        #expect(facts.problem == .decoderFailed)
    }

    private func script(_ folder: TemporaryFolder, _ body: String) throws -> String {
        try Self.executable(folder, "#!/bin/sh\n\(body)\n")
    }

    private static func executable(_ folder: TemporaryFolder, _ text: String) throws -> String {
        let path = try folder.write(Array(text.utf8), "decoder")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// Width and height from a JPEG file's frame header, found without the library under test.
    private func jpegSize(_ jpeg: [UInt8]?) throws -> PixelSize {
        let jpeg = try #require(jpeg)
        var position = 2
        while position + 9 < jpeg.count, jpeg[position] == 0xFF {
            if (0xC0...0xC2).contains(jpeg[position + 1]) {
                return PixelSize(
                    width: Int(jpeg[position + 7]) << 8 | Int(jpeg[position + 8]),
                    height: Int(jpeg[position + 5]) << 8 | Int(jpeg[position + 6]))
            }
            position += 2 + (Int(jpeg[position + 2]) << 8 | Int(jpeg[position + 3]))
        }
        throw NoFrame()
    }

    private struct NoFrame: Error {}
}

extension MediaImporter {
    fileprivate func inspect(_ path: String) async -> MediaFacts {
        await batch { await $0.inspect(path) }
    }
}
