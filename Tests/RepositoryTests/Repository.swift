import Foundation

/// The repository as the files in it, whether or not it is a clone.
enum Repository {
    /// Its folder, two above the one of these tests.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every file of the project, build products and git's own files left out.
    static func files() throws -> [RepositoryFile] {
        try files(in: "")
    }

    /// The Swift files below a folder; what a generator made is left out.
    static func swiftFiles(below folder: String) throws -> [RepositoryFile] {
        try files(in: folder).filter {
            $0.path.hasSuffix(".swift") && !$0.path.contains("/Generated/")
        }
    }

    /// The targets that Swift code is in; the others are module maps.
    static func targets() throws -> Set<String> {
        Set(
            try swiftFiles(below: "Sources").compactMap {
                $0.path.split(separator: "/").dropFirst().first.map(String.init)
            })
    }

    /// Every Swift file that a person wrote.
    static func swiftFiles() throws -> [RepositoryFile] {
        try swiftFiles(below: "Sources") + swiftFiles(below: "Tests")
    }

    static func documents() throws -> [RepositoryFile] {
        try files().filter { $0.path.hasSuffix(".md") }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    private static func files(in folder: String) throws -> [RepositoryFile] {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return try names.sorted().filter { ![".git", ".build", "__pycache__"].contains($0) }
            .flatMap { name -> [RepositoryFile] in
                let path = folder.isEmpty ? name : folder + "/" + name
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: root.appendingPathComponent(path).path)
                switch attributes[.type] as? FileAttributeType {
                case .typeDirectory: return try files(in: path)
                case .typeRegular: return [RepositoryFile(path: path)]
                default: return []
                }
            }
    }
}

/// One file, by its path from the repository's root.
struct RepositoryFile: Sendable, CustomStringConvertible {
    let path: String

    var description: String { path }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var isExecutable: Bool {
        FileManager.default.isExecutableFile(
            atPath: Repository.root.appendingPathComponent(path).path)
    }

    func text() throws -> String {
        let data = try Data(contentsOf: Repository.root.appendingPathComponent(path))
        return String(decoding: data, as: UTF8.self)
    }

    /// The lines, numbered from 1.
    func lines() throws -> [(number: Int, text: String)] {
        try text().components(separatedBy: "\n").enumerated().map { ($0.offset + 1, $0.element) }
    }
}
