import Foundation
import FuzzTargets

/// The inputs that every test run hands to the targets again.
struct FuzzInputs {
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appending(path: "Tests/Fuzz")

    /// One input and where it stands.
    struct Input {
        let name: String
        let bytes: [UInt8]
    }

    /// Honest inputs: golden vectors and what is made of them.
    static func seeds(of target: FuzzTarget) throws -> [Input] {
        try target.seeds(repository: root.path).enumerated().map { number, bytes in
            Input(name: "seed \(number)", bytes: bytes)
        }
    }

    /// What fuzzing came upon that leads to different places: one input a line, base64.
    static func corpus(of target: FuzzTarget) throws -> [Input] {
        let file = folder.appending(path: "Corpus/\(target.name).txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated()
            .compactMap { number, line in
                Data(base64Encoded: String(line)).map {
                    Input(name: "\(file.lastPathComponent), line \(number + 1)", bytes: [UInt8]($0))
                }
            }
    }

    /// What something was wrong with once: one file each.
    static func failures(of target: FuzzTarget) throws -> [Input] {
        let failures = folder.appending(path: "Failures/\(target.name)")
        guard FileManager.default.fileExists(atPath: failures.path) else { return [] }
        return try FileManager.default
            .contentsOfDirectory(at: failures, includingPropertiesForKeys: nil)
            .map { Input(name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
    }

    /// Names of files and folders in `place` of the fuzzing folder; none when it is not there.
    static func names(in place: String) throws -> [String] {
        let path = folder.appending(path: place).path
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path)
    }
}
