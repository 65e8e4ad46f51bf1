internal import Foundation
internal import Glibc
internal import SyncCore

/// Where files of blobs are.
///
/// ```
/// <root>/<first two hex digits>/<64 hex digits>   finished, durable, named by its content
/// <root>/partial/<64 hex digits>                  being fetched, or waiting for commit
/// <root>/partial/import-<16 hex digits>           being copied; removed when opened again
/// <root>/damaged/<64 hex digits>.<n>              quarantined: its bytes do not match its id
/// ```
///
/// Files are 0600 in directories of 0700.
struct BlobLayout: Sendable {
    let root: String

    func finished(_ id: BlobID) -> String { "\(folder(of: id))/\(id)" }
    /// Of a finished file.
    func folder(of id: BlobID) -> String { "\(root)/\(id.description.prefix(2))" }
    /// Of the finished files with this first byte.
    func folder(of byte: UInt8) -> String { "\(root)/\(hexadecimal([byte]))" }
    func partial(_ id: BlobID) -> String { "\(root)/partial/\(id)" }
    /// A new name for a file whose id is not known yet.
    func makeCopyPath() -> String { "\(root)/partial/import-\(randomDigits())" }

    static func makeDirectory(_ path: String) throws(BlobFilesError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .ofLast("mkdir") }
    }

    /// The names in a folder; none when there is no such folder.
    static func names(in directory: String) throws(BlobFilesError) -> [String] {
        do {
            // Opening it tells the errno, which FileManager's errors do not.
            _ = try OpenFile(directory, O_RDONLY | O_DIRECTORY)
            return try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch BlobFilesError.system(_, ENOENT), BlobFilesError.system(_, ENOTDIR) {
            return []
        } catch let error as BlobFilesError {
            throw error
        } catch {
            throw .system(call: "readdir", number: EIO)
        }
    }

    /// The blob whose file has this name; nil for the name of anything else.
    static func blob(_ name: String) -> BlobID? {
        bytes(hexadecimal: name).flatMap(BlobID.init(bytes:))
    }
}
