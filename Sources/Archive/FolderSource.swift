package import Encryption
internal import Glibc

/// The files of a folder. Links are not followed: opening one fails.
package final class FolderSource: ArchiveSource {
    private let folder: OpenFolder

    init(_ folder: OpenFolder) {
        self.folder = folder
    }

    package func open(_ name: String) throws(ArchiveError) -> (any ByteInput)? {
        let descriptor: Int32
        do throws(ArchiveError) {
            descriptor = try folder.open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            switch error {
            case .system(_, ENOENT), .system(_, ENOTDIR): return nil
            case .system(_, ELOOP), .system(_, EXDEV): throw .notAFile(name)
            default: throw error
            }
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile(name)
        }
        do throws(FileInput.Failure) {
            return try FileInput(owning: descriptor)
        } catch {
            throw .system(call: error.call, code: error.code)
        }
    }
}
