import Foundation
import Testing

@Suite("Scripts, and what is kept in the repository")
struct ScriptTests {
    private static func scripts() throws -> [RepositoryFile] {
        try Repository.files().filter { file in
            let data = FileManager.default.contents(
                atPath: Repository.root.appendingPathComponent(file.path).path)
            return data?.starts(with: Data("#!".utf8)) ?? false
        }
    }

    @Test("every script can be run, and whatever can be run is a script")
    func executables() throws {
        let scripts = Set(try Self.scripts().map(\.path))
        try #require(!scripts.isEmpty)
        for file in try Repository.files() {
            #expect(file.isExecutable == scripts.contains(file.path), "\(file)")
        }
    }

    @Test("a shell script ends at the first thing that fails")
    func failing() throws {
        for script in try Self.scripts() {
            let text = try script.text()
            let interpreter = text.prefix { $0 != "\n" }
            if interpreter.hasSuffix("bash") {
                // Integration tests get it from the file they all begin with.
                let isSet =
                    text.contains("\nset -euo pipefail\n")
                    || ["world", "hostile", "languages"].contains {
                        text.contains("\nsource \"${0%/*}/\($0)\"\n")
                    }
                #expect(isSet, "\(script)")
            } else if interpreter.hasSuffix("sh") {
                #expect(text.contains("\nset -eu\n"), "\(script)")
            }
        }
    }

    @Test("every fault to be planted has its place in the sources")
    func faults() throws {
        var source: (path: String, text: String)?
        var count = 0
        for line in try RepositoryFile(path: "Tests/Faults/faults.txt").text().split(
            separator: "\n")
        {
            let text = String(line.dropFirst(2))
            switch line.first {
            case "@":
                let file = RepositoryFile(path: "Sources/" + text)
                source = (file.path, try file.text())
            case "-", "=":
                let (path, content) = try #require(source)
                count += 1
                #expect(content.components(separatedBy: text).count == 2, "\(path): \(text)")
            default: break
            }
        }
        try #require(count > 100)
    }

    private static let isClone =
        Repository.exists(".git") && FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

    @Test(
        "what a build makes is not kept, nor any key",
        .enabled(if: isClone, "this is no clone, or git is not here"))
    func tracked() throws {
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/git")
        git.arguments = ["-C", Repository.root.path, "ls-files"]
        let output = Pipe()
        git.standardOutput = output
        try git.run()
        let listing = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        git.waitUntilExit()
        try #require(git.terminationStatus == 0)
        let paths = listing.split(separator: "\n")
        try #require(paths.contains("Package.swift"))
        for path in paths {
            let isProduct =
                path.hasPrefix(".build/") || path == "Package.resolved"
                || path.contains("__pycache__")
            let isKey = [".key", ".pem", ".der", ".p12"].contains { path.hasSuffix($0) }
            #expect(!isProduct && !isKey, "\(path) is tracked")
        }
    }
}
