import Foundation
import FuzzTargets
import Media
import Testing

@Suite("Pictures of fuzzing, through the decoder child", .serialized)
struct PictureChildTests {
    /// Each picture costs a process; PEERSYNC_CHILD_PICTURES=N tries more of them.
    private static let count =
        ProcessInfo.processInfo.environment["PEERSYNC_CHILD_PICTURES"].flatMap { Int($0) } ?? 40
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("peersync").path

    @Test("the child says of a hostile picture what its own function says")
    func pictures() async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "picture" })
        let pictures = try FuzzInputs.corpus(of: target) + FuzzInputs.failures(of: target)
        // On a busy machine a process may take long to start; that it is killed is tested elsewhere.
        let importer = MediaImporter(executable: Self.program, timeout: .seconds(600))
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("peersync-picture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let seen = try await importer.batch { batch in
            var seen = 0
            // What does not begin like a JPEG file never reaches the child.
            for picture in pictures.filter({ $0.bytes.starts(with: [0xFF, 0xD8, 0xFF]) })
                .prefix(Self.count)
            {
                try Data(picture.bytes).write(to: file)
                let facts = await batch.inspect(file.path)
                let report = DecoderChild.report(on: picture.bytes)
                #expect(facts.kind == .jpeg, "\(picture.name)")
                #expect(facts.takenAt == report.takenAt, "\(picture.name)")
                #expect(facts.position == report.position, "\(picture.name)")
                #expect(facts.orientation == report.orientation, "\(picture.name)")
                #expect(facts.pixelSize == report.pixelSize, "\(picture.name)")
                #expect(facts.thumbnail == report.thumbnail, "\(picture.name)")
                #expect(facts.problem == report.problem, "\(picture.name)")
                seen += 1
            }
            return seen
        }
        #expect(seen > 0)
    }
}
