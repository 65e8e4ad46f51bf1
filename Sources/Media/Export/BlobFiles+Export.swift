internal import CPlatform
internal import Glibc
package import SyncCore

/// The source of the bytes to export.
package enum BlobContent: Sendable {
    /// A small blob from the database.
    case bytes([UInt8])
    /// A finished blob in the files.
    case file(BlobID)
    /// A length, and a function that reads ranges and verifies them, as decryption does.
    case read(UInt64, @Sendable (Range<UInt64>) throws(BlobFilesError) -> [UInt8])
}

extension BlobFiles {
    /// Writes a blob to `name` in the user's directory, and returns the path of the new file, for people.
    ///
    /// Bytes of a stored file are verified on the way; ``BlobFilesError/corrupt(_:)`` leaves nothing
    /// behind. The file appears under its name only when it is complete and on the disk. An existing file
    /// of that name is kept and ``BlobFilesError/alreadyExists(name:)`` thrown, unless `replacing`. Only
    /// the owner may read a decrypted file. No symbolic link and no `..` in the name can lead out of the
    /// directory (`openat2`).
    package func export(
        _ content: BlobContent, as name: ExportName, into directory: String,
        replacing: Bool = false, telling told: @escaping BytesTold = { _ in true }
    ) async throws(BlobFilesError) -> String {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            let folder = try OpenFile(directory, O_RDONLY | O_DIRECTORY)
            let temporary = ".peersync-\(randomDigits()).part"
            let file = try folder.makeBeneath(temporary, isPrivate: content.wasDecrypted)
            do throws(BlobFilesError) {
                try fill(file, with: content, told)
                try file.synchronize()
                try folder.rename(temporary, to: name, replacing: replacing)
            } catch {
                unsafe unlinkat(folder.descriptor, temporary, 0)
                throw error
            }
            try folder.synchronize()
            return directory.hasSuffix("/") ? directory + name.value : "\(directory)/\(name.value)"
        }
    }

    private func fill(
        _ file: OpenFile, with content: BlobContent, _ told: BytesTold
    ) throws(BlobFilesError) {
        switch content {
        case .bytes(let bytes):
            try file.write(bytes, at: 0)
        case .read(let length, let read):
            for start in stride(from: 0, to: length, by: Limits.chunkBytes) {
                let bytes = try read(start..<min(start + UInt64(Limits.chunkBytes), length))
                try file.write(bytes, at: start)
                guard told(bytes.count) else { throw .stopped }
            }
        case .file(let id):
            let source = try finishedFile(id)
            let length = try source.status().length
            let list = try ChunkCopy.copy(
                from: source, to: file, length: length, telling: told)
            guard list?.blobID == id else { throw .corrupt(id) }
        }
    }
}

extension BlobContent {
    fileprivate var wasDecrypted: Bool {
        if case .read = self { true } else { false }
    }
}

extension OpenFile {
    /// Creates a file in this directory, with the permissions that the user's umask leaves.
    fileprivate func makeBeneath(
        _ name: String, isPrivate: Bool
    ) throws(BlobFilesError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_EXCL
        let made = unsafe peersync_open_beneath(
            descriptor, name, flags, isPrivate ? 0o600 : 0o666)
        guard made >= 0 else { throw .ofLast("openat2") }
        return OpenFile(owning: made)
    }

    fileprivate func rename(
        _ temporary: String, to name: ExportName, replacing: Bool
    ) throws(BlobFilesError) {
        let wanted = name.bytes.map { CChar(bitPattern: $0) } + [0]
        if !replacing {
            if unsafe peersync_rename_new(descriptor, temporary, wanted) == 0 { return }
            switch errno {
            case EEXIST: throw .alreadyExists(name: name.value)
            case EINVAL, ENOSYS: try claim(name, wanted)
            default: throw .ofLast("renameat2")
            }
        }
        guard unsafe renameat(descriptor, temporary, descriptor, wanted) == 0 else {
            throw .ofLast("renameat")
        }
    }

    /// Creates an empty file of this name, to be replaced by the export: for file systems that cannot
    /// rename without overwriting.
    private func claim(_ name: ExportName, _ wanted: [CChar]) throws(BlobFilesError) {
        let made = unsafe peersync_open_beneath(
            descriptor, wanted, O_RDWR | O_CREAT | O_EXCL, 0o666)
        guard made >= 0 else {
            if errno == EEXIST { throw .alreadyExists(name: name.value) }
            throw .ofLast("openat2")
        }
        close(made)
    }
}
