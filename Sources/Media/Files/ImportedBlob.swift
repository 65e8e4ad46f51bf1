internal import Glibc
package import SyncCore

/// A local file that was imported.
package struct ImportedBlob: Sendable {
    package enum Content: Sendable {
        /// The content of a blob below ``Limits/smallBlobBytes``, for the database.
        case bytes([UInt8])
        /// A larger blob, in the files, waiting for ``BlobFiles/commit(_:)``.
        case file
    }

    package let chunkList: ChunkList
    package let content: Content

    init(chunkList: ChunkList, content: Content) {
        (self.chunkList, self.content) = (chunkList, content)
    }

    /// A small blob from bytes in memory.
    package init(small bytes: [UInt8]) throws {
        self.init(chunkList: try BlobHash.chunkList(of: bytes), content: .bytes(bytes))
    }

    package var id: BlobID { chunkList.blobID }
    package var length: UInt64 { chunkList.length }
}

extension BlobFiles {
    /// Copies and hashes the regular file at `path`, which the user named, on other threads.
    ///
    /// Throws ``BlobFilesError/sourceChanged(path:)`` when its size, modification time or identity changes
    /// meanwhile.
    package func `import`(
        _ path: String, telling told: @escaping BytesTold = { _ in true }
    ) async throws(BlobFilesError) -> ImportedBlob {
        try await DiskWork.run { [self] () throws(BlobFilesError) in
            try importBlocking(path, told)
        }
    }

    /// Hashes the file at `path`, without importing it.
    ///
    /// Throws ``BlobFilesError/sourceChanged(path:)`` when it becomes shorter meanwhile.
    package func hash(
        _ path: String, telling told: @escaping BytesTold = { _ in true }
    ) async throws(BlobFilesError) -> HashedFile {
        try await DiskWork.run { () throws(BlobFilesError) in
            let source = try OpenFile.regular(path)
            let length = try source.status().length
            guard length <= Limits.blobBytes else { throw .tooLong(path: path) }
            let list = try ChunkCopy.chunkList(of: source, length: length, telling: told)
            guard let list else { throw .sourceChanged(path: path) }
            return HashedFile(chunkList: list, path: path, file: source)
        }
    }

    /// Undoes an uncommitted import, unless the same blob is being fetched.
    package func drop(_ imported: ImportedBlob) async throws(BlobFilesError) {
        guard case .file = imported.content, uncommitted.opened(imported.id) == nil else { return }
        try await discardPartial(imported.id)
    }

    private func importBlocking(
        _ path: String, _ told: BytesTold
    ) throws(BlobFilesError) -> ImportedBlob {
        let source = try OpenFile.regular(path)
        let before = try source.status()
        guard before.length <= Limits.blobBytes else { throw .tooLong(path: path) }
        if before.length < UInt64(Limits.smallBlobBytes) {
            let small = try importSmall(source, before, path)
            guard told(Int(small.length)) else { throw .stopped }
            return small
        }
        try requireRoom(for: before.length)
        let temporary = layout.makeCopyPath()
        let copy = try access.own(temporary) { () throws(BlobFilesError) in
            try OpenFile(temporary, O_RDWR | O_CREAT | O_EXCL)
        }
        do throws(BlobFilesError) {
            let list = try ChunkCopy.copy(
                from: source, to: copy, length: before.length, telling: told)
            // A cloned file may be longer than the source was when its size was read.
            let copied = try copy.status()
            guard let list, copied.length == before.length, try source.status() == before else {
                throw .sourceChanged(path: path)
            }
            let id = list.blobID
            guard unsafe rename(temporary, layout.partial(id)) == 0 else { throw .ofLast("rename") }
            uncommitted.markComplete(id, in: copied.identity)
            return ImportedBlob(chunkList: list, content: .file)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    private func importSmall(
        _ source: OpenFile, _ before: FileStatus, _ path: String
    ) throws(BlobFilesError) -> ImportedBlob {
        let bytes = try source.read(at: 0, count: Int(before.length))
        guard
            bytes.count == Int(before.length), try source.status() == before,
            let list = try? BlobHash.chunkList(of: bytes)
        else { throw .sourceChanged(path: path) }
        return ImportedBlob(chunkList: list, content: .bytes(bytes))
    }
}

/// Sixteen random hexadecimal digits, for unique names.
func randomDigits() -> String {
    let number = UInt64.random(in: .min ... .max)
    return hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) })
}
