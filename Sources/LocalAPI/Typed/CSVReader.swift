/// Rows of comma-separated values (RFC 4180); the first line decides whether commas, semicolons or tabs
/// separate them. Lines end with LF or CRLF; empty ones are skipped.
package struct CSVReader {
    /// One value. In quotation marks, an empty one is an empty text; without them, it is no value.
    package struct Cell: Equatable, Sendable {
        package let text: String
        package let isQuoted: Bool
    }

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private let separator: UInt8
    private var place = 0
    private var line = 1

    /// The content of a file without its byte order mark.
    package static func content(of file: [UInt8]) -> [UInt8] {
        file.starts(with: byteOrderMark) ? Array(file.dropFirst(byteOrderMark.count)) : file
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let header = bytes.prefix { $0 != CSVReader.newline }
        let others = [UInt8(ascii: ";"), UInt8(ascii: "\t")].filter { header.contains($0) }
        let hasComma = header.contains(UInt8(ascii: ","))
        separator = hasComma ? UInt8(ascii: ",") : others.first ?? UInt8(ascii: ",")
    }

    /// The next row, and the number of the line where it begins, from 1; nil at the end. Throws
    /// ``APIError`` for an invalid line.
    package mutating func row() throws -> (line: Int, cells: [Cell])? {
        skipEmptyLines()
        guard place < bytes.count else { return nil }
        let first = line
        var cells: [Cell] = []
        while true {
            cells.append(try cell())
            guard place < bytes.count else { break }
            let byte = bytes[place]
            place += 1
            if byte == separator { continue }
            if byte == CSVReader.carriageReturn { place += 1 }
            line += 1
            break
        }
        return (first, cells)
    }

    private mutating func skipEmptyLines() {
        while let length = lineEnd(at: place) {
            place += length
            line += 1
        }
    }

    /// The length of the line end at this place; nil when there is none.
    private func lineEnd(at place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        if bytes[place] == CSVReader.newline { return 1 }
        let next = place + 1
        guard bytes[place] == CSVReader.carriageReturn, next < bytes.count,
            bytes[next] == CSVReader.newline
        else { return nil }
        return 2
    }

    private mutating func cell() throws -> Cell {
        if place < bytes.count, bytes[place] == CSVReader.quote { return try quotedCell() }
        let start = place
        while place < bytes.count, bytes[place] != separator, lineEnd(at: place) == nil {
            place += 1
        }
        return Cell(text: try text(Array(bytes[start..<place])), isQuoted: false)
    }

    private mutating func quotedCell() throws -> Cell {
        let first = line
        var content: [UInt8] = []
        place += 1
        while true {
            guard place < bytes.count else {
                throw APIError.badLine(first, tr("A quotation mark is never closed."))
            }
            let byte = bytes[place]
            place += 1
            if byte == CSVReader.quote {
                guard place < bytes.count, bytes[place] == CSVReader.quote else { break }
                place += 1
            }
            if byte == CSVReader.newline { line += 1 }
            content.append(byte)
        }
        guard place == bytes.count || bytes[place] == separator || lineEnd(at: place) != nil else {
            throw APIError.badLine(
                line, tr("After a closing quotation mark only the next value may come."))
        }
        return Cell(text: try text(content), isQuoted: true)
    }

    private func text(_ content: [UInt8]) throws -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw APIError.badLine(line, Sentence.BatchLine.notUTF8)
        }
        return text
    }
}
