import Foundation
import LocalAPI
import Testing
import peersync

struct PrivateFileTests {
    private let path = "/tmp/peersync-key-\(UInt32.random(in: 0...UInt32.max))"

    @Test("the key is written to a new file that only its owner can read")
    func written() throws {
        // given
        let file = try PrivateFile(creating: path, option: "--report")
        defer { file.remove() }

        // when
        try file.write("KEY\n")

        // then
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "KEY\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("an existing file is never overwritten, nor the target of a link")
    func neverOverwrites() throws {
        // given
        try "mine".write(toFile: path, atomically: false, encoding: .utf8)
        let link = path + "-link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: path + "-target")
        defer {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: link)
        }

        // when, then
        for path in [path, link] {
            #expect(
                throws: APIError(
                    code: .badInput,
                    sentence: "The file \(path) exists already, and is left as it is.",
                    hint: "Choose another name for --report.")
            ) {
                try PrivateFile(creating: path, option: "--report")
            }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(!FileManager.default.fileExists(atPath: path + "-target"))
    }

    @Test("a path that cannot be written is reported before anything is created")
    func noPlace() {
        let thrown = #expect(throws: APIError.self) {
            try PrivateFile(creating: "/tmp/peersync-nowhere/key", option: "--recovery-file")
        }
        #expect(thrown?.code == .badInput)
    }
}
