import Foundation
import Glibc
import Media
import SyncCore
import Testing

@Suite("Exporting")
struct ExportTests {
    private let folder: TemporaryFolder
    private let files: BlobFiles
    private let id = BlobID(.zero)

    init() throws {
        folder = try TemporaryFolder()
        files = try BlobFiles(root: folder.path + "/blobs")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/out", withIntermediateDirectories: false)
    }

    private var out: String { folder.path + "/out" }

    private func name(_ suggested: String?) -> ExportName {
        ExportName(suggested: suggested, id: id)
    }

    @Test("writes the same bytes, from the database and from the files")
    func sameBytes() async throws {
        let small = try await files.export(.bytes([1, 2, 3]), as: name("a.jpg"), into: out)
        #expect(small == out + "/a.jpg")
        #expect(try contents(small) == [1, 2, 3])

        let bytes = pattern((1 << 20) + 17)
        let imported = try await files.import(folder.write(bytes, "photo"))
        try await files.commit([imported.id])
        let large = try await files.export(.file(imported.id), as: name("b.jpg"), into: out + "/")
        #expect(large == out + "/b.jpg")
        #expect(try contents(large) == bytes)
    }

    @Test("gives a file back the bytes of its name, also those that are no UTF-8")
    func bytesOfName() async throws {
        let bytes = Array("caf".utf8) + [0xE9, 0x80] + Array(" \u{FC}.jpg".utf8)
        let kept = name(FileNameText.text(of: bytes))
        #expect(kept.value == "caf\u{E9}_ \u{FC}.jpg")
        #expect(kept.bytes == bytes)
        let path = try await files.export(.bytes([1]), as: kept, into: out)
        #expect(path == out + "/caf\u{E9}_ \u{FC}.jpg")
        let handle = unsafe open(kept.path(in: out).map { CChar(bitPattern: $0) } + [0], O_RDONLY)
        #expect(handle >= 0)
        close(handle)
        await #expect(throws: BlobFilesError.alreadyExists(name: kept.value)) {
            try await files.export(.bytes([2]), as: kept, into: out)
        }
        // A name that had to be made harmless has no bytes to keep.
        #expect(name(FileNameText.text(of: [0x2F, 0xE9])).bytes == Array("_\u{E9}".utf8))
    }

    @Test("keeps a file that has the name, unless told to replace it")
    func existing() async throws {
        _ = try await files.export(.bytes([1]), as: name("a"), into: out)
        await #expect(throws: BlobFilesError.alreadyExists(name: "a")) {
            try await files.export(.bytes([2]), as: name("a"), into: out)
        }
        #expect(try contents(out + "/a") == [1])
        _ = try await files.export(.bytes([3]), as: name("a"), into: out, replacing: true)
        #expect(try contents(out + "/a") == [3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["a"])
    }

    @Test("replaces a symbolic link instead of writing through it")
    func link() async throws {
        let precious = try folder.write([9], "precious")
        try FileManager.default.createSymbolicLink(
            atPath: out + "/a", withDestinationPath: precious)
        await #expect(throws: BlobFilesError.alreadyExists(name: "a")) {
            try await files.export(.bytes([1]), as: name("a"), into: out)
        }
        _ = try await files.export(.bytes([1]), as: name("a"), into: out, replacing: true)
        #expect(try contents(precious) == [9])
        #expect(try contents(out + "/a") == [1])
    }

    @Test("leaves nothing behind when the stored bytes are broken or missing")
    func broken() async throws {
        let imported = try await files.import(folder.write(pattern(100_000), "photo"))
        try await files.commit([imported.id])
        let digits = imported.id.description
        _ = try folder.write(pattern(99_999), "blobs/\(digits.prefix(2))/\(digits)")
        await #expect(throws: BlobFilesError.corrupt(imported.id)) {
            try await files.export(.file(imported.id), as: name("a"), into: out)
        }
        await #expect(throws: BlobFilesError.notFound(id)) {
            try await files.export(.file(id), as: name("a"), into: out)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).isEmpty)
    }

    @Test(
        "makes hostile names harmless",
        arguments: [
            ("IMG_0001.JPG", "IMG_0001.JPG"),
            ("Füße im Sand 🏖️.jpg", "Füße im Sand 🏖️.jpg"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("/etc/passwd", "_etc_passwd"),
            ("..", "0000000000000000"),
            ("", "0000000000000000"),
            (" . . ", "0000000000000000"),
            (".bashrc", "bashrc"),
            ("-rf", "rf"),
            ("a\u{0}b\n\u{1B}[31m.jpg", "ab[31m.jpg"),
            ("gpj.\u{202E}exe", "gpj.exe"),
            ("C:\\boot.ini", "C__boot.ini"),
            ("nul.txt", "_nul.txt"),
            ("name. ", "name"),
        ])
    func names(suggested: String, expected: String) {
        #expect(name(suggested).value == expected)
    }

    @Test("cuts long names and keeps their ending")
    func longNames() {
        let long = name(String(repeating: "ä", count: 5000) + ".jpeg").value
        #expect(long.utf8.count <= Limits.exportNameBytes)
        let shorter = name(String(repeating: "ä", count: 300) + ".jpeg").value
        #expect(shorter.utf8.count <= Limits.exportNameBytes)
        #expect(shorter.hasSuffix("ä.jpeg"))
        #expect(name(nil).value == "0000000000000000")
    }

    @Test("accepts a user's name only if it is a single path component")
    func userNames() {
        #expect(ExportName(exactly: "-photo .jpg")?.value == "-photo .jpg")
        for refused in ["", ".", "..", "a/b", "/a", "a\u{0}", String(repeating: "a", count: 256)] {
            #expect(ExportName(exactly: refused) == nil)
        }
    }
}
