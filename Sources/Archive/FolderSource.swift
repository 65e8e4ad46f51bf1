internal import CPlatform
package import Encryption
internal import Glibc

/// The files of a folder. No link in it leads anywhere: what is one is no file.
package final class FolderSource: ArchiveSource {
    private let folder: Int32

    /// Takes the descriptor of a folder over, and closes it in the end.
    init(owning folder: Int32) {
        self.folder = folder
    }

    deinit {
        close(folder)
    }

    package func open(_ name: String) throws(ArchiveError) -> (any ByteInput)? {
        let descriptor = unsafe peersync_open_beneath(
            folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP, EXDEV: throw .notAFile(name)
            default: throw .system(call: "openat2", code: errno)
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
