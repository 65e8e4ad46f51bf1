internal import FoundationEssentials

/// Parses an HTTP/1.1 response (RFC 9112) as it arrives. Throws ``APIError``.
struct AnswerReader {
    /// How the end of the body is recognised.
    private enum Framing {
        /// Remaining bytes.
        case length(Int)
        /// Remaining bytes of the present chunk; nil before the first one.
        case chunked(Int?)
        case untilClosed
    }

    private(set) var status = 0
    /// The server's name; nil when it does not tell.
    private(set) var product: String?
    private var framing = Framing.untilClosed
    private let receive: () -> [UInt8]
    /// Received, but not consumed.
    private var bytes: ArraySlice<UInt8> = []
    /// The beginning of the body, received together with the line before it.
    private var following: ArraySlice<UInt8> = []

    /// Waits for the head. `receive` waits for bytes, and returns none at the end of the stream.
    init(_ receive: @escaping () -> [UInt8]) throws(APIError) {
        self.receive = receive
        let words = try headLine().split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw Self.isNoHTTP
        }
        self.status = status
        try readFields()
    }

    /// The whole body, up to a limit in bytes.
    mutating func body(upTo limit: Int) throws(APIError) -> Data {
        var body = Data()
        while let piece = try nextPiece() {
            guard body.count + piece.count <= limit else { throw Self.isTooLong }
            body.append(contentsOf: piece)
        }
        return body
    }

    /// The next line of the body, up to a limit in bytes, without its line break; nil at the end. A body
    /// may end without a line break.
    mutating func line(upTo limit: Int) throws(APIError) -> Data? {
        var line = Data()
        while true {
            if following.isEmpty {
                guard let piece = try nextPiece() else { return line.isEmpty ? nil : line }
                following = piece
            }
            let end = following.firstIndex(of: UInt8(ascii: "\n"))
            line.append(contentsOf: following[..<(end ?? following.endIndex)])
            guard line.count <= limit else { throw Self.isTooLong }
            following = following[(end.map { $0 + 1 } ?? following.endIndex)...]
            if end != nil { return line }
        }
    }

    private mutating func readFields() throws(APIError) {
        for _ in 0..<LocalLimits.headLines {
            let line = try headLine()
            guard !line.isEmpty else { return }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Self.isNoHTTP }
            let value = parts[1].drop { $0 == " " }
            switch parts[0].lowercased() {
            case "content-length":
                guard let length = Int(value), length >= 0 else { throw Self.isNoHTTP }
                framing = .length(length)
            case "transfer-encoding":
                guard value.lowercased() == "chunked" else { throw Self.isNoHTTP }
                framing = .chunked(nil)
            case "server": product = String(value)
            default: break
            }
        }
        throw Self.isNoHTTP
    }

    /// The next received part of the body; nil at its end.
    private mutating func nextPiece() throws(APIError) -> ArraySlice<UInt8>? {
        switch framing {
        case .length(let left):
            guard left > 0 else { return nil }
            let piece = try consume(left)
            framing = .length(left - piece.count)
            return piece
        case .chunked(nil):
            framing = .chunked(try chunkSize())
            return try nextPiece()
        case .chunked(.some(0)):
            return nil
        case .chunked(.some(let left)):
            let piece = try consume(left)
            let rest = left - piece.count
            if rest == 0, try !headLine().isEmpty { throw Self.isNoHTTP }
            framing = .chunked(rest == 0 ? nil : rest)
            return piece
        case .untilClosed:
            if bytes.isEmpty { bytes = receive()[...] }
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }

    private mutating func chunkSize() throws(APIError) -> Int {
        let digits = try headLine().prefix { $0.isHexDigit }
        guard let size = Int(digits, radix: 16) else { throw Self.isNoHTTP }
        return size
    }

    /// A line of the head or between chunks, without its line break.
    private mutating func headLine() throws(APIError) -> String {
        var line: [UInt8] = []
        while true {
            let byte = try consume(1)
            if byte.first == UInt8(ascii: "\n") { break }
            line += byte
            guard line.count <= LocalLimits.headLineBytes else { throw Self.isNoHTTP }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// At least one byte, at most `count`.
    private mutating func consume(_ count: Int) throws(APIError) -> ArraySlice<UInt8> {
        if bytes.isEmpty { bytes = receive()[...] }
        guard !bytes.isEmpty else { throw .agentWentAway }
        let piece = bytes.prefix(count)
        bytes = bytes.dropFirst(piece.count)
        return piece
    }

    private static var isNoHTTP: APIError { .strangeAnswer(detail: "it is not HTTP") }
    private static var isTooLong: APIError { .strangeAnswer(detail: "too long") }
}
