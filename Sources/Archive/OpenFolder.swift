internal import CPlatform
internal import Glibc

/// An open folder. No name leads out of it, and no link is followed.
final class OpenFolder: Sendable {
    private let descriptor: Int32

    /// Owns the descriptor from now on, and closes it.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
    }

    /// Opens a file, or creates it with the permissions in `mode`. Throws `ArchiveError.system`.
    func open(
        _ name: String, _ flags: Int32, mode: Int32 = 0o666
    ) throws(ArchiveError) -> Int32 {
        // openat2 refuses permissions unless it creates a file.
        let file = unsafe peersync_open_beneath(
            descriptor, name, flags, flags & O_CREAT == 0 ? 0 : mode)
        guard file >= 0 else { throw .system(call: "openat2", code: errno) }
        return file
    }

    func make(_ name: String, mode: UInt32 = 0o777) throws(ArchiveError) {
        guard unsafe mkdirat(descriptor, name, mode) == 0 else {
            throw .system(call: "mkdir", code: errno)
        }
    }

    /// Renames a file or folder, replacing any file of the new name.
    func rename(_ name: String, to other: String) throws(ArchiveError) {
        guard unsafe renameat(descriptor, name, descriptor, other) == 0 else {
            throw .system(call: "rename", code: errno)
        }
    }

    func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

    /// Makes a file, or the names in a folder, durable.
    func synchronize(_ name: String) throws(ArchiveError) {
        let file = try open(name, O_RDONLY)
        defer { close(file) }
        try AtomicDestination.synchronize(file)
    }
}
