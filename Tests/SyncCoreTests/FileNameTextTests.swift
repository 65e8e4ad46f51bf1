import SyncCore
import TestKit
import Testing

@Suite("Names of files that are no UTF-8")
struct FileNameTextTests {
    @Test("Any bytes come back as they were", arguments: TestSeeds.some(200))
    func bytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let length = Int.random(in: 0..<40, using: &random)
        let name = (0..<length).map { _ in
            let isASCII = Bool.random(using: &random)
            return UInt8.random(in: isASCII ? 0x20...0x7F : 0x80...0xFF, using: &random)
        }
        let text = FileNameText.text(of: name)
        #expect(FileNameText.bytes(of: text) == name)
        #expect(FileNameText.text(of: FileNameText.bytes(of: text)) == text)
    }

    @Test("A name that is UTF-8 stays as it is, flags of regions too")
    func sound() {
        let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
        for name in ["", "gr\u{FC}\u{DF}.jpg", "a_b", scotland, "_\u{E0067}", "e\u{E0069}"] {
            let bytes = Array(name.utf8)
            #expect(FileNameText.text(of: bytes) == name)
            #expect(FileNameText.bytes(of: name) == bytes)
            #expect(FileNameText.readable(name) == name)
        }
    }

    @Test("People read the characters of ISO 8859-1")
    func readable() {
        let text = FileNameText.text(of: [0x67, 0x72, 0xFC, 0xDF, 0x2E, 0x80])
        #expect(text != "gr\u{FC}\u{DF}._")
        #expect(FileNameText.readable(text) == "gr\u{FC}\u{DF}._")
    }
}
