internal import CPlatform
internal import Glibc

/// A folder that is open. No name leads out of it, and no link anywhere.
final class OpenFolder: Sendable {
    private let descriptor: Int32

    /// Takes the descriptor over, and closes it in the end.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
    }

    /// Opens a file, or makes it with the rights of `mode`. Throws `ArchiveError.system`.
    func open(
        _ name: String, _ flags: Int32, mode: Int32 = 0o666
    ) throws(ArchiveError) -> Int32 {
        // The call takes no rights for what it does not make.
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

    /// Gives something another name, in the place of what may have it.
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
