internal import Crypto
internal import Foundation

/// A file key that is wrapped for a recipient, as it stands in the header.
struct AgeStanza: Equatable {
    /// At least one: the type, then its parameters.
    let arguments: [String]
    let body: [UInt8]
}

/// The text at the beginning of an age file: the file key for each recipient, and a code that proves that
/// nobody changed the header. The format is https://c2sp.org/age.
struct AgeHeader {
    let stanzas: [AgeStanza]
    /// HMAC-SHA256 over `covered`.
    let code: [UInt8]
    let covered: [UInt8]
    /// Length in bytes, including the last line feed.
    let length: Int

    static let version = "age-encryption.org/v1"
    /// Characters in a full line of Base64.
    private static let columns = 64

    /// Parses the header at the beginning of a file.
    init(parsing bytes: [UInt8]) throws(AgeError) {
        var lines = HeaderLines(bytes: bytes)
        guard try lines.next() == Self.version else { throw .malformedHeader }
        var stanzas: [AgeStanza] = []
        while true {
            let start = lines.position
            let line = try lines.next()
            if line.hasPrefix("--- ") {
                guard let code = Base64.decode(line.dropFirst(4)), code.count == 32 else {
                    throw .malformedHeader
                }
                self.stanzas = stanzas
                self.code = code
                covered = Array(bytes[..<(start + 3)])
                length = lines.position
                return
            }
            guard line.hasPrefix("-> ") else { throw .malformedHeader }
            let arguments = line.dropFirst(3).split(
                separator: " ", omittingEmptySubsequences: false)
            guard arguments.allSatisfy({ !$0.isEmpty }) else { throw .malformedHeader }
            let body = try Self.body(&lines)
            stanzas.append(AgeStanza(arguments: arguments.map(String.init), body: body))
        }
    }

    /// Full lines, then a shorter one, which may be empty.
    private static func body(_ lines: inout HeaderLines) throws(AgeError) -> [UInt8] {
        var text = ""
        while true {
            let line = try lines.next()
            guard line.utf8.count <= columns, !line.hasPrefix("-") else { throw .malformedHeader }
            text += line
            guard line.utf8.count == columns else { break }
        }
        guard let body = Base64.decode(text[...]) else { throw .malformedHeader }
        return body
    }

    static func bytes(of stanzas: [AgeStanza], fileKey: AgeFileKey) -> [UInt8] {
        var text = version + "\n"
        for stanza in stanzas {
            text += "-> " + stanza.arguments.joined(separator: " ") + "\n"
            let body = Array(Base64.encode(stanza.body).utf8)
            // A body that ends with a full line is followed by an empty one.
            for start in stride(from: 0, through: body.count, by: columns) {
                let line = body[start..<min(start + columns, body.count)]
                text += String(decoding: line, as: UTF8.self) + "\n"
            }
        }
        text += "---"
        return Array((text + " " + Base64.encode(fileKey.code(over: Array(text.utf8))) + "\n").utf8)
    }
}

/// Lines of printable ASCII, each ended by a line feed.
private struct HeaderLines {
    let bytes: [UInt8]
    private(set) var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() throws(AgeError) -> String {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
            throw .malformedHeader
        }
        let line = bytes[position..<end]
        guard line.allSatisfy({ (0x20...0x7e).contains($0) }) else { throw .malformedHeader }
        position = end + 1
        return String(decoding: line, as: UTF8.self)
    }
}

/// Base64 without padding; only the canonical form is accepted.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding) else { return nil }
        let bytes = Array(data)
        return encode(bytes) == text ? bytes : nil
    }
}
