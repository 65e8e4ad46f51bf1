internal import CPlatform
package import Encryption
internal import Glibc
internal import SyncCore

/// An archive of which only the list of files was read.
package struct UnverifiedArchive: Sendable {
    let source: any ArchiveSource
    let sums: Checksums
    package var fileCount: Int { sums.entries.count }
    /// Of all listed files.
    package let byteCount: UInt64

    /// Opens a folder, a tar file, or an encrypted tar file. Ignores files that are not listed. Throws
    /// `ArchiveError`, also when a listed file is missing.
    package init(at path: String, identities: [AgeIdentity]) throws {
        source = try sayingWhat { try UnverifiedArchive.source(at: path, identities) }
        guard let list = try source.open(Checksums.fileName) else {
            throw ArchiveError.notAnArchive
        }
        guard list.length <= Limits.archiveListBytes else {
            throw ArchiveError.tooLarge(Checksums.fileName)
        }
        sums = try Checksums(parsing: try sayingWhat { try list.read(0..<list.length) })
        var bytes: UInt64 = 0
        for (name, _) in sums.entries {
            guard let input = try source.open(name.text) else {
                throw ArchiveError.missing(name.text)
            }
            bytes = bytes.addingReportingOverflow(input.length).partialValue
        }
        byteCount = bytes
    }

    /// The unverified bytes of a file. Throws `ArchiveError`.
    package func glance(at name: String, upTo limit: UInt64) throws -> [UInt8] {
        guard let input = try source.open(name) else { throw ArchiveError.notAnArchive }
        guard input.length <= limit else { throw ArchiveError.tooLarge(name) }
        return try sayingWhat { try input.read(0..<input.length) }
    }

    private static func source(
        at path: String, _ identities: [AgeIdentity]
    ) throws -> any ArchiveSource {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? ArchiveError.notFound : .system(call: "open", code: errno)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw ArchiveError.system(call: "fstat", code: code)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return FolderSource(OpenFolder(owning: descriptor))
        case S_IFREG: break
        default:
            close(descriptor)
            throw ArchiveError.notAnArchive
        }
        let file = try FileInput(owning: descriptor)
        guard try AgeReader.isAgeFile(file) else { return try TarSource(file) }
        return try TarSource(try AgeReader(file, identities: identities).plaintext())
    }
}
