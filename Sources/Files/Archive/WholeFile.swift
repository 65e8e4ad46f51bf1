internal import Foundation
internal import LocalAPI

/// A small file that is read at once.
enum WholeFile {
    /// Throws ``APIError/unreadableFile(_:)``.
    static func bytes(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw APIError.unreadableFile(path)
        }
        return Array(data)
    }
}
