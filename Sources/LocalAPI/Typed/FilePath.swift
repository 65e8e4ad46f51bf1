internal import Foundation

/// Paths as typed, made absolute.
package enum FilePath {
    /// `folder` is where a relative path begins.
    package static func absolute(_ path: String, in folder: String) -> String {
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        return URL(fileURLWithPath: path, relativeTo: base).standardizedFileURL.path
    }

    /// The path of a readable file. Throws ``APIError``, with the path as typed.
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

    /// The path to save a file at: a folder that exists, or a new name in one. Throws ``APIError`` for a path
    /// that ends as those of folders do, where there is none.
    package static func target(_ path: String, in folder: String) throws -> String {
        let absolute = absolute(path, in: folder)
        var isFolder: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(
            atPath: absolute, isDirectory: &isFolder)
        guard !path.hasSuffix("/") || (exists && isFolder.boolValue) else {
            throw APIError.noSuchFolder(path)
        }
        return absolute
    }

    /// All bytes of a file; the limit is checked against its size before reading. Throws ``APIError``.
    package static func contents(
        of path: String, in folder: String, limit: (_ bytes: Int) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        let absolute = try existing(path, in: folder)
        // An unknown size is not limited; reading below shows whether the file is readable.
        let attributes = try? FileManager.default.attributesOfItem(atPath: absolute)
        if let size = attributes?[.size] as? Int { try limit(size) }
        return try bytes(of: absolute, called: path)
    }

    /// All bytes of a small file; `name` is the person's name for it in errors. Throws
    /// ``APIError/unreadableFile(_:)``.
    package static func bytes(of absolute: String, called name: String? = nil) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: absolute) else {
            throw APIError.unreadableFile(name ?? absolute)
        }
        return Array(data)
    }
}
