import Foundation
import LocalAPI
import Testing

struct FilePathTests {
    @Test("A path that ends as those of folders do is a folder that exists, or refused")
    func target() throws {
        // given
        let folder = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(fileURLWithPath: folder + "/file"))
        // when, then
        #expect(try FilePath.target("new", in: folder) == folder + "/new")
        #expect(try FilePath.target("./", in: folder) == folder)
        #expect(try FilePath.target(folder, in: "/") == folder)
        for path in ["new/", "file/"] {
            #expect(throws: APIError.noSuchFolder(path)) {
                try FilePath.target(path, in: folder)
            }
        }
    }
}
