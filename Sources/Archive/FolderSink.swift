internal import CPlatform
package import Encryption
internal import Glibc
package import SyncCore

/// An archive as a folder.
package final class FolderSink: ArchiveSink {
    private let place: AtomicDestination
    private let folder: OpenFolder
    private var folders: Set<String> = []
    private var files: [ArchiveName] = []

    /// With `isPrivate`, only the owner can read it. Throws `ArchiveError.alreadyExists`, `system`.
    package init(_ path: String, isPrivate: Bool = false) throws(ArchiveError) {
        place = try AtomicDestination(path)
        guard unsafe mkdirat(place.folder, place.partName, isPrivate ? 0o700 : 0o777) == 0 else {
            throw .system(call: "mkdir", code: errno)
        }
        let descriptor = unsafe openat(
            place.folder, place.partName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        folder = OpenFolder(owning: descriptor)
    }

    package var part: String { place.part }

    package func add(
        _ name: ArchiveName, _ input: any ByteInput, told: ([UInt8]) throws -> Bool
    ) throws -> Bytes32 {
        for parent in name.folders where folders.insert(parent).inserted {
            try folder.make(parent)
        }
        let file = try folder.open(name.text, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(file) }
        var pieces = HashingReader(input)
        while let piece = try pieces.next() {
            guard try told(piece) else { throw ArchiveError.stopped }
            try AtomicDestination.write(piece, to: file)
        }
        guard pieces.length == input.length else { throw ArchiveError.unreadable(name.text) }
        // Only an optimisation: `finish` reports errors.
        _ = peersync_start_writing(file)
        files.append(name)
        return pieces.hash()
    }

    package func finish(_ told: (_ bytes: Int) throws -> Bool) async throws {
        for name in files {
            guard try told(0) else { throw ArchiveError.stopped }
            try folder.synchronize(name.text)
        }
        for name in folders.sorted() { try folder.synchronize(name) }
        try folder.synchronize(".")
        try place.finish()
    }
}
