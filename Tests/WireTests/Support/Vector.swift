import Foundation
import SyncCore
import Testing

/// A golden vector: a text file that gives the bytes of one value, and its fields for people and for
/// readers in other languages.
///
///     # what it is
///     message: Ack
///     bytes:
///       0a20…            32 bytes a line
///     fields:            written and checked by Tests/Support/decode-commit.py
///       counter = 12
struct Vector {
    private(set) var entries: [String: [UInt8]] = [:]

    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors")
    /// With PEERSYNC_WRITE_VECTORS=1 the tests write the files instead of comparing with them.
    private static let isWriting =
        ProcessInfo.processInfo.environment["PEERSYNC_WRITE_VECTORS"] == "1"

    init(named name: String) throws {
        let file = Vector.directory.appending(path: "\(name).txt")
        var entry: String?
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("fields:") { break }
            if line.hasPrefix("  "), let entry {
                let hexadecimal = line.drop { $0 == " " }
                entries[entry, default: []] += try #require(bytes(hexadecimal: hexadecimal))
            } else if line.hasSuffix(":") {
                entry = String(line.dropLast())
                entries[String(line.dropLast())] = []
            }
        }
    }

    static func every() throws -> [(name: String, vector: Vector)] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".txt") }.sorted()
            .map { ($0, try Vector(named: String($0.dropLast(4)))) }
    }

    /// Compares the entries with the file `name`, or writes the file.
    static func check(
        _ name: String, about: String, message: String, entries: [(String, [UInt8])],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Vector {
        if isWriting {
            try write(name, about: about, message: message, entries: entries)
        }
        let vector = try Vector(named: name)
        for (entry, expected) in entries {
            #expect(
                vector.entries[entry] == expected, "\(name), \(entry)",
                sourceLocation: sourceLocation)
        }
        #expect(vector.entries.count == entries.count, "\(name)", sourceLocation: sourceLocation)
        return vector
    }

    private static func write(
        _ name: String, about: String, message: String, entries: [(String, [UInt8])]
    ) throws {
        var text = "# \(about)\nmessage: \(message)\n"
        for (entry, bytes) in entries {
            text += "\(entry):\n"
            for start in stride(from: 0, to: bytes.count, by: 32) {
                text += "  \(hexadecimal(bytes[start..<min(start + 32, bytes.count)]))\n"
            }
        }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try text.write(
            to: directory.appending(path: "\(name).txt"), atomically: true, encoding: .utf8)
    }
}
