internal import Foundation
internal import FoundationXML
internal import SyncCore

/// Reads the tracks of GPX 1.0 and 1.1 files, within the limits in ``Limits``.
package enum TrackParser {
    /// Parses a whole file's bytes. The largest permitted ones take seconds: do not call it on an event
    /// loop.
    package static func parse(_ bytes: [UInt8]) throws(TrackError) -> Track {
        guard UInt64(bytes.count) <= Limits.trackBytes else { throw .tooLong }
        try checkProlog(bytes)
        let reader = TrackReader()
        let parser = XMLParser(data: Data(withoutEmptyInstructions(bytes)))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isWellFormed = parser.parse()
        if let failure = reader.failure { throw failure }
        guard isWellFormed, reader.hasRoot else {
            throw .malformed(line: max(1, parser.lineNumber))
        }
        guard let track = reader.track else { throw .noPoints }
        return track
    }

    /// Reads and parses the file at `path`, on another thread.
    package static func parse(path: String) async throws(TrackError) -> Track {
        try await DiskWork.run { () throws(TrackError) in
            try parse(read(path))
        }
    }

    private static func read(_ path: String) throws(TrackError) -> [UInt8] {
        do throws(BlobFilesError) {
            let file = try OpenFile.regular(path)
            let length = try file.status().length
            // One byte more than permitted, so that the parser notices the limit.
            return try file.read(at: 0, count: Int(min(length, Limits.trackBytes + 1)))
        } catch {
            throw .unreadable(number: error.number)
        }
    }

    /// Refuses document types before the parser sees them. Only encodings that extend ASCII are accepted,
    /// so that this search cannot be deceived.
    private static func checkProlog(_ bytes: [UInt8]) throws(TrackError) {
        let text = String(decoding: bytes.prefix(1024), as: UTF8.self)
        guard !bytes.prefix(1024).contains(0), bytes.first != 0xFE, bytes.first != 0xFF else {
            throw .unsupportedEncoding
        }
        if text.contains("<?xml") {
            // The parser reads an encoding even from an unterminated declaration.
            guard let end = text.firstRange(of: "?>") else { throw .malformed(line: 1) }
            let words = text[..<end.lowerBound].lowercased().split { " \t\r\n='\"".contains($0) }
            for (place, word) in words.enumerated() where word == "encoding" {
                guard place + 1 < words.count, encodings.contains(String(words[place + 1])) else {
                    throw .unsupportedEncoding
                }
            }
        }
        if contains(bytes, Array("<!DOCTYPE".utf8)) || contains(bytes, Array("<!ENTITY".utf8)) {
            throw .documentType
        }
    }

    private static let encodings: Set<String> = [
        "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "windows-1252",
    ]

    /// Replaces empty processing instructions, `<?name?>`, with blanks: XMLParser of Swift 6.3 on Linux
    /// dereferences a null pointer at each of them.
    private static func withoutEmptyInstructions(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        // The place of the last "<" with neither a blank nor a ">" after it.
        var start: Int?
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "<"): start = index
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                start = nil
            case UInt8(ascii: ">"):
                if let start, index > start + 2, bytes[start + 1] == UInt8(ascii: "?"),
                    bytes[index - 1] == UInt8(ascii: "?")
                {
                    let blanks = repeatElement(UInt8(ascii: " "), count: index + 1 - start)
                    result.replaceSubrange(start...index, with: blanks)
                }
                start = nil
            default: break
            }
        }
        return result
    }

    private static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(word)) != nil
    }
}
