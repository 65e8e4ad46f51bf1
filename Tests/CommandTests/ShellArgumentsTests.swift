import Foundation
import Testing
import peersync

@Suite("Arguments as the shell passes them")
struct ShellArgumentsTests {
    private func inFolder(_ body: (_ folder: String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "peersync-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("a file whose name is not UTF-8 goes under a readable name that keeps its bytes")
    func readable() throws {
        try inFolder { folder in
            // given two files named in ISO 8859-1, whose readable names are equal
            let names: [[UInt8]] = [
                Array("/caf".utf8) + [0xE9] + Array(".bin".utf8),
                Array("/caf".utf8) + [0x65, 0xFF, 0x80] + Array(" \u{FC}.bin".utf8),
            ]
            for name in names {
                let path = (Array(folder.utf8) + name).map { CChar(bitPattern: $0) } + [0]
                let file = unsafe try #require(fopen(path, "w"))
                unsafe fputs("bytes", file)
                unsafe fclose(file)
            }
            let paths = names.map { Array(folder.utf8) + $0 }
            let links = folder + "/links"

            // when
            let arguments = ShellArguments(
                [Array("add".utf8), paths[0], Array("--photo=".utf8) + paths[1]], folder: links)

            // then
            #expect(
                arguments.text == [
                    "add", "\(links)/1/caf\u{E9}\u{E0069}.bin",
                    "--photo=\(links)/2/cafe\u{FF}\u{E007F}_\u{E0020} \u{FC}.bin",
                ])
            let content = FileManager.default.contents(atPath: arguments.text[1])
            #expect(content == Data("bytes".utf8))
            arguments.removeLinks()
            #expect(!FileManager.default.fileExists(atPath: links))
        }
    }

    @Test(
        "bytes that are not UTF-8 and name no file are replaced by marks, and refused"
    )
    func noFile() {
        let arguments = ShellArguments([[0x63, 0xE9], Array("--title=".utf8) + [0xE9]])
        #expect(arguments.text == ["c\u{FFFD}", "--title=\u{FFFD}"])
        arguments.removeLinks()
    }
}
