internal import Glibc
internal import SyncCore

/// Bytes on their way into the files; their id is known only at the end. An unfinished intake leaves
/// nothing behind.
struct BlobIntake: ~Copyable {
    private let files: BlobFiles
    private let length: UInt64
    private var hash = BlobHash()
    private var taken: UInt64 = 0
    /// The content of a small blob.
    private var small: [UInt8] = []
    private var copy: (path: String, file: OpenFile)?

    /// Expects exactly `length` bytes. Throws ``BlobFilesError``.
    init(_ length: UInt64, into files: BlobFiles) throws(BlobFilesError) {
        (self.files, self.length) = (files, length)
        guard length >= UInt64(Limits.smallBlobBytes) else {
            copy = nil
            return
        }
        try files.requireRoom(for: length)
        let path = files.layout.makeCopyPath()
        let file = try files.access.own(path) { () throws(BlobFilesError) in
            try OpenFile(path, O_RDWR | O_CREAT | O_EXCL)
        }
        copy = (path, file)
    }

    /// Adds bytes. Throws ``BlobFilesError/sourceChanged(path:)`` when they exceed `length`.
    mutating func add(_ piece: [UInt8]) throws {
        let place = taken
        taken += UInt64(piece.count)
        guard taken <= length else { throw BlobFilesError.sourceChanged(path: "") }
        try hash.update(piece)
        if let copy { try copy.file.write(piece, at: place) } else { small += piece }
    }

    /// Throws ``BlobFilesError/sourceChanged(path:)`` when fewer than `length` bytes came.
    consuming func finish() throws -> ImportedBlob {
        guard taken == length else { throw BlobFilesError.sourceChanged(path: "") }
        let list = try hash.finish()
        guard let copy else { return ImportedBlob(chunkList: list, content: .bytes(small)) }
        guard unsafe rename(copy.path, files.layout.partial(list.blobID)) == 0 else {
            throw BlobFilesError.ofLast("rename")
        }
        self.copy = nil
        files.uncommitted.markComplete(list.blobID, in: try copy.file.status().identity)
        return ImportedBlob(chunkList: list, content: .file)
    }

    deinit {
        if let copy { unsafe unlink(copy.path) }
    }
}

extension BlobFiles {
    /// Stores `length` bytes that `source` writes piece by piece. Blocks.
    ///
    /// Throws ``BlobFilesError``, ``BlobFilesError/sourceChanged(path:)`` when there are fewer or more, and
    /// what `source` throws; then nothing remains.
    package func store(
        _ length: UInt64, from source: (_ write: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> ImportedBlob {
        var intake = try BlobIntake(length, into: self)
        try source { try intake.add($0) }
        return try intake.finish()
    }

    /// The same for an asynchronous source.
    package func store(
        _ length: UInt64, from source: (_ write: ([UInt8]) throws -> Void) async throws -> Void
    ) async throws -> ImportedBlob {
        var intake = try BlobIntake(length, into: self)
        try await source { try intake.add($0) }
        return try intake.finish()
    }
}
