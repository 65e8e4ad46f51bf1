internal import Foundation
internal import LocalAPI

/// The members of one JSON object (RFC 8259) on a line. Numbers and inner JSON stay as they are
/// written: no digit of a price may be lost.
struct JSONLine {
    enum Member: Equatable, Sendable {
        case null
        case boolean(Bool)
        /// Its digits.
        case number(String)
        case text(String)
        /// The members of an array.
        case list([Member])
        /// A whole inner object, as it is written.
        case object(String)
    }

    /// The line is not such an object. Inner objects are checked where they are read.
    private struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    /// The members in order, each with its JSON as it is written. Throws ``APIError`` for a line
    /// that is not one object.
    static func members(
        of bytes: ArraySlice<UInt8>, line: Int
    ) throws -> [(name: String, member: Member, source: String)] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw APIError.badLine(line, Sentence.BatchLine.notUTF8)
        }
        do {
            var reader = JSONLine(rest: bytes)
            let members = try reader.members()
            reader.skipBlanks()
            guard reader.rest.isEmpty else { throw Malformed() }
            return members
        } catch is Malformed {
            throw APIError.badLine(line, tr("It is not one JSON object."))
        }
    }

    private mutating func members() throws -> [(name: String, member: Member, source: String)] {
        var members: [(name: String, member: Member, source: String)] = []
        try consume("{")
        if consumes("}") { return members }
        repeat {
            let name = try string()
            try consume(":")
            skipBlanks()
            let before = rest
            let member = try member()
            let source = before.prefix(before.count - rest.count)
            members.append((name, member, String(decoding: source, as: UTF8.self)))
        } while consumes(",")
        try consume("}")
        return members
    }

    private mutating func member(inList: Bool = false) throws -> Member {
        skipBlanks()
        switch rest.first {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "[") where !inList: return .list(try list())
        default: break
        }
        let word = rest.prefix { !" \t\r\n,:]}[{\"".utf8.contains($0) }
        rest = rest.dropFirst(word.count)
        switch String(decoding: word, as: UTF8.self) {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case let digits where word.first.map { "-0123456789".utf8.contains($0) } ?? false:
            return .number(digits)
        default: throw Malformed()
        }
    }

    private mutating func list() throws -> [Member] {
        var members: [Member] = []
        try consume("[")
        if consumes("]") { return members }
        repeat { members.append(try member(inList: true)) } while consumes(",")
        try consume("]")
        return members
    }

    private mutating func string() throws -> String {
        skipBlanks()
        let token = try stringToken()
        let content = token.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else {
            return String(decoding: content, as: UTF8.self)
        }
        guard let text = try? JSONDecoder().decode(String.self, from: Data(token)) else {
            throw Malformed()
        }
        return text
    }

    /// A string as it is written, with its quotation marks.
    private mutating func stringToken() throws -> ArraySlice<UInt8> {
        guard rest.first == UInt8(ascii: "\"") else { throw Malformed() }
        var isEscaped = false
        for place in rest.indices.dropFirst() {
            let byte = rest[place]
            guard byte >= 0x20 else { throw Malformed() }
            if byte == UInt8(ascii: "\""), !isEscaped {
                defer { rest = rest[(place + 1)...] }
                return rest[...place]
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        throw Malformed()
    }

    /// An object as it is written, up to the brace that closes it.
    private mutating func object() throws -> String {
        let start = rest
        var depth = 0
        repeat {
            switch rest.first {
            case nil: throw Malformed()
            case UInt8(ascii: "\""):
                _ = try stringToken()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            rest = rest.dropFirst()
        } while depth > 0
        return String(decoding: start.prefix(start.count - rest.count), as: UTF8.self)
    }

    private mutating func consume(_ sign: Unicode.Scalar) throws {
        guard consumes(sign) else { throw Malformed() }
    }

    private mutating func consumes(_ sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard let first = rest.first, UInt32(first) == sign.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { " \t\r\n".utf8.contains($0) }
    }
}
