internal import Foundation

/// Paths as typed, made absolute.
package enum FilePath {
    /// `folder` is where a relative path begins.
    package static func absolute(_ path: String, in folder: String) -> String {
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        return URL(fileURLWithPath: path, relativeTo: base).standardizedFileURL.path
    }

    /// A file that can be read. Throws ``APIError``, with the path as it was typed.
    package static func existing(_ path: String, in folder: String) throws -> String {
        var isFolder: ObjCBool = false
        let absolute = absolute(path, in: folder)
        guard unsafe FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder) else {
            throw APIError.noSuchFile(path)
        }
        guard !isFolder.boolValue else { throw APIError.isFolder(path) }
        guard FileManager.default.isReadableFile(atPath: absolute) else {
            throw APIError.unreadableFile(path)
        }
        return absolute
    }
}
