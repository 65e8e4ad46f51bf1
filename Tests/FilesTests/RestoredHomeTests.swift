import Files
import Foundation
import LocalAPI
import Testing

/// A home that was restored with a wrong key, or that cannot be opened for another reason.
@Suite struct RestoredHomeTests {
    @Test("a home that is gone again is not mentioned")
    func gone() throws {
        // given
        let path = NSTemporaryDirectory() + "peersync-restored-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: path + "/blobs", withIntermediateDirectories: true)
        // when
        let left = RestoredHome.remove(path)
        // then
        #expect(left == nil && !FileManager.default.fileExists(atPath: path))
        let error = RestoredHome.failure(RestoredHome.wrongKey, in: path, notRemoved: left)
        #expect(error == RestoredHome.wrongKey)
    }

    @Test("if the home could not be removed, the hint says where it is and why")
    func left() throws {
        // given: nobody can remove a folder of the kernel, not even root
        let path = "/proc/self/fdinfo"
        // when
        let left = try #require(RestoredHome.remove(path))
        // then
        let error = RestoredHome.failure(RestoredHome.wrongKey, in: path, notRemoved: left)
        #expect(error.sentence == RestoredHome.wrongKey.sentence)
        #expect(error.hint?.contains("restored to \(path) could not be removed: \(left).") == true)
        #expect(error.hint?.contains("rm -r \(Sentence.quoted(path))") == true)
        #expect(error.hint?.contains("Nothing was changed") == false)
    }
}
