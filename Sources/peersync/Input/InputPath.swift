internal import Foundation
internal import LocalAPI

/// Paths as typed, made absolute: the agent that opens them runs in another folder.
enum InputPath {
    /// Where relative paths begin.
    static var folder: String { FileManager.default.currentDirectoryPath }

    static func absolute(_ path: String) -> String {
        FilePath.absolute(path, in: folder)
    }

    /// A file to be read; checked here, so that a wrong name is told before anything else happens.
    static func existingFile(_ path: String) throws -> String {
        try FilePath.existing(path, in: folder)
    }

    /// All bytes of a file; `limit` looks at its size before any is read.
    static func contents(
        of path: String, limit: (_ bytes: Int) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        try FilePath.contents(of: path, in: folder, limit: limit)
    }
}
