internal import Foundation
internal import LocalAPI

/// Typed paths, made absolute: the agent that opens them runs in another folder.
enum InputPath {
    /// The folder that relative paths start from.
    static var folder: String { FileManager.default.currentDirectoryPath }

    static func absolute(_ path: String) -> String {
        FilePath.absolute(path, in: folder)
    }

    /// Where to save a file.
    static func target(_ path: String) throws -> String {
        try FilePath.target(path, in: folder)
    }

    /// A file to be read. It is checked here, so that a wrong name fails before anything else
    /// happens.
    static func existingFile(_ path: String) throws -> String {
        try FilePath.existing(path, in: folder)
    }

    /// All bytes of a file; `limit` checks its size before any byte is read.
    static func contents(
        of path: String, limit: (_ bytes: Int) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        try FilePath.contents(of: path, in: folder, limit: limit)
    }
}
