import Crypto
import Encryption
import Foundation
import Testing

/// One file of the age project's test vectors: a text header that names the outcome, an empty line, then
/// the age file.
struct AgeVector: Sendable {
    let expect: String
    /// SHA-256 of everything that is released, in hexadecimal.
    let payload: String?
    let identities: [String]
    let file: [UInt8]

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/vectors/age")

    /// Their names; none where they do not stand beside the repository.
    static let names =
        FileManager.default.fileExists(atPath: folder.path)
        ? (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] : []
    static let areAbsent: Comment = "the public vectors of ../shared/vectors/age are not here"

    init(named name: String) throws {
        try self.init(Self.folder.appending(path: name))
    }

    private init(_ url: URL) throws {
        let bytes = try Data(contentsOf: url)
        let end = try #require(bytes.range(of: Data("\n\n".utf8)))
        var expect = ""
        var payload: String?
        var identities: [String] = []
        var isCompressed = false
        for line in String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
        {
            let value = line.split(separator: ":", maxSplits: 1).last.map { $0.dropFirst() }
            switch line.prefix(while: { $0 != ":" }) {
            case "expect": expect = String(value ?? "")
            case "payload": payload = value.map(String.init)
            case "identity": identities.append(String(value ?? ""))
            case "compressed": isCompressed = value == "zlib"
            default: continue
            }
        }
        self.expect = expect
        self.payload = payload
        self.identities = identities
        let rest = bytes[end.upperBound...]
        file = isCompressed ? try Self.inflate(rest) : Array(rest)
    }

    /// Foundation here knows no zlib, and the tests need Python anyway.
    private static func inflate(_ bytes: Data) throws -> [UInt8] {
        let packed = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try bytes.write(to: packed)
        defer { try? FileManager.default.removeItem(at: packed) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = """
            import sys, zlib
            sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], "rb").read()))
            """
        process.arguments = ["python3", "-c", script, packed.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let plain = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return Array(try #require(plain))
    }
}

@Suite("Test vectors of the age format")
struct AgeVectorTests {
    @Test(
        "each vector has the outcome, and releases the bytes, that its header names",
        .enabled(if: !AgeVector.names.isEmpty, AgeVector.areAbsent), arguments: AgeVector.names)
    func outcome(of name: String) async throws {
        let vector = try AgeVector(named: name)
        var released = SHA256()
        var isOpen = false
        let outcome: String
        do {
            let identities = try vector.identities.map { try AgeIdentity(text: $0) }
            let reader = try AgeReader(MemoryInput(vector.file), identities: identities)
            isOpen = true
            try await reader.readAll { released.update(data: $0) }
            outcome = "success"
        } catch let error as AgeError {
            outcome =
                switch error {
                case .malformedHeader: "header failure"
                case .noMatch: "no match"
                case .wrongHeaderCode: "HMAC failure"
                case .damagedPayload: "payload failure"
                case .malformedKey: "malformed key"
                }
        }
        #expect(outcome == vector.expect)
        if let payload = vector.payload {
            let digest = released.finalize().map { String(format: "%02x", $0) }.joined()
            #expect(isOpen && digest == payload)
        } else {
            #expect(!isOpen || vector.expect == "payload failure")
        }
    }

    @Test("all vectors are here", .enabled(if: !AgeVector.names.isEmpty, AgeVector.areAbsent))
    func count() {
        #expect(AgeVector.names.count == 67)
    }
}
