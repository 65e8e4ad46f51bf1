internal import CPlatform
package import Encryption
internal import Glibc
package import SyncCore

/// An archive as a folder.
package final class FolderSink: ArchiveSink {
    private let place: AtomicDestination
    private let folder: Int32
    private var folders: Set<String> = []
    private var files: [ArchiveName] = []

    /// A private one is for its owner alone. Throws `ArchiveError.alreadyExists`, `system`.
    package init(_ path: String, isPrivate: Bool = false) throws(ArchiveError) {
        place = try AtomicDestination(path)
        guard unsafe mkdirat(place.folder, place.hidden, isPrivate ? 0o700 : 0o777) == 0 else {
            throw .system(call: "mkdir", code: errno)
        }
        folder = unsafe openat(place.folder, place.hidden, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .system(call: "open", code: errno) }
    }

    deinit {
        if folder >= 0 { close(folder) }
    }

    package func add(
        _ name: ArchiveName, _ input: any ByteInput, told: ([UInt8]) throws -> Bool
    ) throws -> Bytes32 {
        for parent in name.folders where folders.insert(parent).inserted {
            guard unsafe mkdirat(folder, parent, 0o777) == 0 else {
                throw ArchiveError.system(call: "mkdir", code: errno)
            }
        }
        let file = try open(name.text, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(file) }
        var pieces = HashingReader(input)
        while let piece = try pieces.next() {
            guard try told(piece) else { throw ArchiveError.stopped }
            try AtomicDestination.write(piece, to: file)
        }
        guard pieces.length == input.length else { throw ArchiveError.unreadable(name.text) }
        // Only an optimisation: what fails here is seen when all are waited for.
        _ = peersync_start_writing(file)
        files.append(name)
        return pieces.hash()
    }

    package func finish(_ told: (_ bytes: Int) throws -> Bool) async throws {
        for name in files {
            guard try told(0) else { throw ArchiveError.stopped }
            try synchronize(try open(name.text, O_RDONLY))
        }
        for name in folders.sorted() { try synchronize(try open(name, O_RDONLY | O_DIRECTORY)) }
        try AtomicDestination.synchronize(folder)
        try place.finish()
    }

    private func open(_ name: String, _ flags: Int32) throws(ArchiveError) -> Int32 {
        // The call takes no rights for what it does not make.
        let mode: Int32 = flags & O_CREAT == 0 ? 0 : 0o666
        let file = unsafe peersync_open_beneath(folder, name, flags, mode)
        guard file >= 0 else { throw .system(call: "openat2", code: errno) }
        return file
    }

    private func synchronize(_ descriptor: Int32) throws(ArchiveError) {
        defer { close(descriptor) }
        try AtomicDestination.synchronize(descriptor)
    }
}
