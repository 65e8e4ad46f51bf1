import Encryption
import Foundation
import Testing

/// Debian's `age`, which knows nothing of this program.
private struct AgeProgram: ~Copyable {
    static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/bin/age")
    static let isAbsent: Comment = "Debian's age is not installed"

    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a program of the package with files of the folder; returns its standard output.
    @discardableResult
    func run(_ program: String, _ words: String...) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(words)")
        return [UInt8](said)
    }

    func write(_ bytes: some DataProtocol, _ name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
}

@Suite(
    "Files of age, exchanged with the age program",
    .enabled(if: AgeProgram.isHere, AgeProgram.isAbsent))
struct AgeProgramTests {
    private static let sizes = [0, 1, 65_535, 65_536, 65_537]

    @Test("age opens files that are written here", arguments: sizes)
    func written(size: Int) async throws {
        let program = try AgeProgram()
        let (identity, plain) = (try AgeIdentity.random(), AgeFiles.noise(size))
        try program.write(Data(identity.text.utf8), "key")
        try program.write(try await AgeFiles.encrypted(plain, to: [identity.recipient]), "file.age")
        #expect(try program.run("age", "-d", "-i", "key", "file.age") == plain)
    }

    @Test("files by age are opened here", arguments: sizes)
    func opened(size: Int) async throws {
        let program = try AgeProgram()
        let (identity, plain) = (try AgeIdentity.random(), AgeFiles.noise(size))
        try program.write(plain, "plain")
        try program.run("age", "-r", identity.recipient.text, "-o", "file.age", "plain")
        #expect(try await AgeFiles.opened(program.read("file.age"), with: identity) == plain)
    }

    @Test("each of two recipients opens a file, by age or written here", arguments: [0, 200_000])
    func recipients(size: Int) async throws {
        let program = try AgeProgram()
        let identities = [try AgeIdentity.random(), try AgeIdentity.random()]
        let plain = AgeFiles.noise(size)
        try program.write(plain, "plain")
        try program.run(
            "age", "-r", identities[0].recipient.text, "-r", identities[1].recipient.text, "-o",
            "theirs.age", "plain")
        let ours = try await AgeFiles.encrypted(plain, to: identities.map(\.recipient))
        try program.write(ours, "ours.age")
        for (index, identity) in identities.enumerated() {
            #expect(try await AgeFiles.opened(program.read("theirs.age"), with: identity) == plain)
            try program.write(Data(identity.text.utf8), "key\(index)")
            #expect(try program.run("age", "-d", "-i", "key\(index)", "ours.age") == plain)
        }
    }

    @Test("keys have the same text on both sides")
    func keys() throws {
        let program = try AgeProgram()
        try program.run("age-keygen", "-o", "theirs")
        let text = String(decoding: try program.read("theirs"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").last.map(String.init))
        let identity = try AgeIdentity(text: line)
        #expect(identity.text == line)
        let recipient = try program.run("age-keygen", "-y", "theirs")
        #expect(recipient == Array((identity.recipient.text + "\n").utf8))
    }
}
