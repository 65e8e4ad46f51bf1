internal import Foundation
internal import LocalAPI

/// Paths as typed, made absolute: the agent that opens them runs in another folder.
enum InputPath {
    static func absolute(_ path: String) -> String {
        let current = FileManager.default.currentDirectoryPath
        let base = URL(fileURLWithPath: current, isDirectory: true)
        return URL(fileURLWithPath: path, relativeTo: base).standardizedFileURL.path
    }

    /// A file to be read; checked here, so that a wrong name is told before anything else happens.
    static func existingFile(_ path: String) throws -> String {
        var isFolder: ObjCBool = false
        let absolute = absolute(path)
        guard unsafe FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder) else {
            throw APIError.noSuchFile(path)
        }
        guard !isFolder.boolValue else { throw APIError.isFolder(path) }
        guard FileManager.default.isReadableFile(atPath: absolute) else {
            throw APIError.unreadableFile(path)
        }
        return absolute
    }

    /// All bytes of a file; `limit` looks at its size before any is read.
    static func contents(
        of path: String, limit: (_ bytes: Int) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        let absolute = try existingFile(path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: absolute)
        if let size = attributes?[.size] as? Int { try limit(size) }
        guard let data = FileManager.default.contents(atPath: absolute) else {
            throw APIError.unreadableFile(path)
        }
        return Array(data)
    }
}
