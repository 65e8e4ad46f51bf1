package import Encryption
internal import Glibc
package import SyncCore

/// An archive as a tar file that only age recipients can read: `age -d -i KEY ARCHIVE
/// tar x`. Only encrypted bytes reach the disk.
package final class AgeSink: ArchiveSink {
    private let place: AtomicDestination
    private let file: Int32
    private let writer: AgeWriter
    private let top: String
    private let modified: UInt64
    private var tar = JoinedInput()

    /// `top` is the folder that will hold its files once they are unpacked; `modified` is their time, in
    /// seconds since 1970. Throws `ArchiveError`, `AgeError.malformedKey`.
    package init(
        _ path: String, top: String, recipients: [AgeRecipient], modified: UInt64
    ) throws {
        (self.top, self.modified) = (top, modified)
        writer = try AgeWriter(recipients: recipients)
        place = try AtomicDestination(path)
        file = unsafe openat(
            place.folder, place.partName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw ArchiveError.system(call: "open", code: errno) }
    }

    package var part: String { place.part }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Reads the input for its hash; ``finish(_:)`` reads it again.
    package func add(
        _ name: ArchiveName, _ input: any ByteInput, told: ([UInt8]) throws -> Bool
    ) throws -> Bytes32 {
        var pieces = HashingReader(input)
        while let piece = try pieces.next() {
            guard try told(piece) else { throw ArchiveError.stopped }
        }
        guard pieces.length == input.length else { throw ArchiveError.unreadable(name.text) }
        let length = input.length
        tar.append(TarHeader.blocks(name: "\(top)/\(name)", size: length, modified: modified))
        tar.append(input)
        tar.append([UInt8](repeating: 0, count: Int(TarHeader.padded(length) - length)))
        return pieces.hash()
    }

    /// Bytes that ``finish(_:)`` will write.
    package var length: UInt64 { writer.length(of: tar.length + 1024) }

    package func finish(_ told: (_ bytes: Int) throws -> Bool) async throws {
        tar.append([UInt8](repeating: 0, count: 2 * TarHeader.blockBytes))
        try await writer.write(tar) { sealed in
            guard try told(sealed.count) else { throw ArchiveError.stopped }
            try AtomicDestination.write(sealed, to: file)
        }
        try AtomicDestination.synchronize(file)
        try place.finish()
    }
}
