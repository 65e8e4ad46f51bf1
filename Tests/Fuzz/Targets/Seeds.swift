import Archive
import FoundationEssentials
import Identity
import Media
import SyncCore
import Wire

/// What inputs are made from: honest values, so that changing them leads deep into the readers.
extension FuzzTarget {
    /// Honest inputs of this target: the golden vectors of the repository in the folder `root`, values
    /// made here, and public samples where they stand beside the repository.
    package func seeds(repository root: String) throws -> [[UInt8]] {
        switch name {
        case "frame": try FuzzSeeds.frames()
        case "message": try FuzzSeeds.vectors(root, "message-").map(FuzzSeeds.bytes)
        case "pairing": try FuzzSeeds.vectors(root, "pairing-").map(FuzzSeeds.bytes)
        case "card": try FuzzSeeds.vectors(root, "card-").map(FuzzSeeds.bytes)
        case "ack", "holdings": try FuzzSeeds.vectors(root, "\(name).").map(FuzzSeeds.signed)
        case "commit": FuzzSeeds.commits(try FuzzSeeds.vectors(root, "commit-"))
        case "membership": FuzzSeeds.noise
        case "pairing-order": FuzzSeeds.pairings
        case "pairing-text": FuzzSeeds.pairingTexts.map { Array($0.utf8) }
        case "age": try FuzzSeeds.age()
        case "archive": FuzzSeeds.archives
        case "txt-record": ["\u{03}v=1\u{04}pn=7", "\u{03}V=2\u{01}x"].map { Array($0.utf8) }
        case "shown-text": FuzzSeeds.names.map { Array($0.utf8) }
        case "gpx": try [Array(FuzzSeeds.track.utf8)] + FuzzSeeds.samples(root, "gpx")
        case "schema": [try FuzzSeeds.file("\(root)/Sources/Journal/Schema/journal.yaml")]
        case "picture": try FuzzSeeds.samples(root, "photos")
        case "decoder-report": try FuzzSeeds.reports()
        case "local-request": FuzzSeeds.requests.map { Array($0.utf8) }
        default: []
        }
    }
}

private enum FuzzSeeds {
    // MARK: Golden vectors

    /// The entries of the vectors whose file names begin with `prefix`, each by its name.
    static func vectors(_ root: String, _ prefix: String) throws -> [[String: [UInt8]]] {
        let folder = "\(root)/Tests/WireTests/Vectors"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasPrefix(prefix) }
            .map { entries(of: String(decoding: try file("\(folder)/\($0)"), as: UTF8.self)) }
    }

    private static func entries(of text: String) -> [String: [UInt8]] {
        var entries: [String: [UInt8]] = [:]
        var name = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("fields:") { break }
            if line.hasPrefix("  ") {
                entries[name, default: []] += SyncCore.bytes(hexadecimal: line.dropFirst(2)) ?? []
            } else if line.hasSuffix(":") {
                name = String(line.dropLast())
                entries[name] = []
            }
        }
        return entries
    }

    static func bytes(_ vector: [String: [UInt8]]) -> [UInt8] {
        vector["bytes"] ?? []
    }

    static func signed(_ vector: [String: [UInt8]]) -> [UInt8] {
        (vector["signature"] ?? []) + bytes(vector)
    }

    /// Each commit as it is, each as the founder's next one, and all after another.
    static func commits(_ vectors: [[String: [UInt8]]]) -> [[UInt8]] {
        let parts = vectors.map { vector in
            ["header", "clear", "operations"].flatMap { name in
                let part = vector[name] ?? []
                return [UInt8(part.count >> 8 & 255), UInt8(part.count & 255)] + part
            }
        }
        return parts.map { [0] + $0 } + parts.map { [9] + $0 } + parts.map { [13] + $0 }
            + [parts.flatMap { [9] + $0 }]
    }

    // MARK: Values made here

    static func frames() throws -> [[UInt8]] {
        let frames: [Frame] = [
            .message([]), .message([1, 2, 3]),
            .chunk(ChunkPayload(requestID: 7, index: 1, data: [4, 5])),
        ]
        let stream = try frames.flatMap { try $0.encoded() }
        return [[6, 23] + stream, [0, 3] + stream, [2, 23] + stream.dropLast()]
    }

    /// Bytes without a pattern: any are facts.
    static var noise: [[UInt8]] {
        var state: UInt32 = 1
        return (1...8).map { length in
            (0..<length * 100).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            }
        }
    }

    /// Each pair of devices: left alone from the start, and with events that are out of order once their
    /// shares are made.
    static var pairings: [[UInt8]] {
        let scenes = FuzzPairing.Scene.allCases.indices.map { UInt8($0) }
        let events = (4...15).map { UInt8($0) }
        return scenes.map { [$0, 0] + [UInt8](repeating: 0, count: 20) }
            + scenes.flatMap { scene in
                events.map { [scene, 3 + $0 % 3, $0, 1, 1, $0 | 0x80, 2, 2, 0, 0, 0, 0, 0, 0] }
            }
    }

    static var pairingTexts: [String] {
        let device = DeviceIDText.text(of: DeviceID(sha256([1])))
        let secret = "AEBAGBAFAYDQQCIKBMGA2DQPCA"
        return [
            "7-4827-1956", "14 4759 2169", "laptop.local:21827", "[fe80::1%eth0]:7", "192.168.1.4",
            "::1", device, "PEERSYNC-RECOVERY-1-",
            "peersync:pair?at=laptop:21827&device=\(device)&secret=\(secret)",
            "peersync:pair?at=[fe80::1%25eth0]:7&device=\(device)&secret=\(secret)",
        ]
    }

    /// A list, and a tar file of it with a name that needs more than one block.
    static var archives: [[UInt8]] {
        let hash = hexadecimal(sha256([]).bytes)
        let list = Array("\(hash)  files/Größe.jpg\n\(hash) *index.html\n".utf8)
        let rest = [UInt8](repeating: 0, count: 512 - list.count)
        let tar =
            TarHeader.blocks(name: "Arezzo/SHA256SUMS", size: UInt64(list.count), modified: 0)
            + list + rest
            + TarHeader.blocks(name: "Arezzo/files/Größe.jpg", size: 0, modified: 0)
            + [UInt8](repeating: 0, count: 1024)
        return [list, tar]
    }

    static func age() throws -> [[UInt8]] {
        let recipient = "age1gn33wrrqzx2f6tevww97y676qtcwjh65fcqtl4pytnz5hehwz47s5wqv8e"
        return FuzzTarget.ageFiles.compactMap { Data(base64Encoded: $0).map { [UInt8]($0) } }
            + [FuzzTarget.ageIdentity, recipient].map { Array($0.utf8) }
    }

    static let names = [
        "Anna", "photo.jpg", "..", "\u{1B}[31mred\u{7}", "a\u{202E}gpj.exe", "con.txt", "👩‍👩‍👧",
        "e\u{301}\u{301}", ".hidden", "-rf", "laptop-1", "a/b\\c:d", "\u{2028}\u{FFFE}",
    ]

    static let track = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><name>walk</name></metadata><trk><name>A &amp; B</name><trkseg>
        <trkpt lat="47.5" lon="-12.25"><ele>3.5</ele><time>2014-02-02T10:25:31Z</time></trkpt>
        <trkpt lat="47.6" lon="-12.2"><time>2014-02-02T10:25:32.25+01:00</time></trkpt>
        </trkseg></trk></gpx>
        """

    static func reports() throws -> [[UInt8]] {
        var report = DecoderReport()
        report.pixelSize = PixelSize(width: 640, height: 480)
        report.takenAt = LocalTime(
            year: 2008, month: 10, day: 22, hour: 16, minute: 28, second: 39, utcOffsetMinutes: 120)
        report.position = MediaPosition(
            latitude: 43.5, longitude: -11.9, altitudeMetres: 12, radiusMetres: 4)
        report.orientation = .turned90
        (report.camera, report.direction) = ("Canon EOS 5D", 359)
        report.problem = .damaged
        report.thumbnail = [0xFF, 0xD8, 0xFF, 0xD9]
        return [try DecoderReport().encoded(), try report.encoded()]
    }

    static let requests = [
        "a{\"address\":\"laptop:21827\"}", "b{\"title\":\"x\",\"trip\":\"t\"}",
        "c{\"title\":\"x\",\"clear\":[\"at\"],\"seen\":\"a\",\"addTags\":[\"b\"]}",
        "d{\"accept\":true}", "e{\"path\":\"/tmp/x\",\"replace\":false}",
        "g{\"person\":\"Ben\",\"role\":\"editor\"}",
        "j{\"codeOrLink\":\"7-4827-1956\",\"mine\":false,\"replacePerson\":false}",
        """
        m{"trip":"t","title":"a","at":{"milliseconds":1,"offsetMinutes":60},"position":\
        {"latitude":1.5,"longitude":2,"radius":3},"tags":["x"],"photoPaths":["/a"]}
        """,
        "n{\"name\":\"x\"}", "p{\"asLink\":true}", "r{\"name\":\"y\"}", "s{\"enabled\":true}",
        "t{\"name\":\"x\",\"category\":\"c\"}",
    ]

    // MARK: Files

    static func file(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// Public samples, of which nothing is kept here; none where they are not.
    static func samples(_ root: String, _ kind: String) throws -> [[UInt8]] {
        let folder = "\(root)/../shared/data/\(kind)"
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .map { try file("\(folder)/\($0)") }
    }
}
