import Foundation
import Testing

/// The places of the public samples, the program, and the tests' own files.
enum TestPlaces {
    /// The folder of public samples beside the repository; nil where there is none.
    static let samples: URL? = {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let samples = root.deletingLastPathComponent().appendingPathComponent("shared/data")
        return FileManager.default.fileExists(atPath: samples.path) ? samples : nil
    }()

    static let noSamples: Comment = "the public samples of ../shared/data are not here"

    static func sample(_ path: String) throws -> String {
        try #require(samples).appendingPathComponent(path).path
    }

    /// The program that was built with these tests; PEERSYNC_BINARY names another.
    static let program: String = {
        if let named = ProcessInfo.processInfo.environment["PEERSYNC_BINARY"] { return named }
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("peersync").path
    }()
}

/// A folder that is gone with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("peersync-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}

func contents(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The same bytes every time, where no chunk of a megabyte equals the next: the numbers of all
/// groups of eight bytes, each as eight bytes, big endian.
func pattern(_ count: Int) -> [UInt8] {
    let groups = (0..<UInt64((count + 7) / 8)).map(\.bigEndian)
    let bytes = unsafe groups.withUnsafeBytes { unsafe [UInt8]($0) }
    return Array(bytes.prefix(count))
}
