internal import Glibc
internal import SyncCore

extension BlobFiles {
    /// Takes in `length` bytes that `source` hands over piece by piece, of which nobody knows yet what
    /// they are. Blocks.
    ///
    /// Throws ``BlobFilesError``, ``BlobFilesError/sourceChanged(path:)`` when they are fewer or more, and
    /// what `source` throws; nothing stays then.
    package func take(
        _ length: UInt64, from source: (_ take: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> ImportedBlob {
        var hash = BlobHash()
        var taken: UInt64 = 0
        func count(_ piece: [UInt8]) throws {
            taken += UInt64(piece.count)
            guard taken <= length else { throw BlobFilesError.sourceChanged(path: "") }
            try hash.update(piece)
        }
        if length < UInt64(Limits.smallBlobBytes) {
            var bytes: [UInt8] = []
            try source { piece in
                try count(piece)
                bytes += piece
            }
            guard taken == length else { throw BlobFilesError.sourceChanged(path: "") }
            return ImportedBlob(chunkList: try hash.finish(), content: .bytes(bytes))
        }
        try requireRoom(for: length)
        let temporary = "\(root)/partial/import-\(randomDigits())"
        let copy = try OpenFile(temporary, O_RDWR | O_CREAT | O_EXCL)
        do {
            try source { piece in
                let place = taken
                try count(piece)
                try copy.write(piece, at: place)
            }
            guard taken == length else { throw BlobFilesError.sourceChanged(path: "") }
            let list = try hash.finish()
            guard unsafe rename(temporary, partialPath(list.blobID)) == 0 else {
                throw BlobFilesError.ofLast("rename")
            }
            markComplete(list.blobID, in: try copy.status().identity)
            return ImportedBlob(chunkList: list, content: .file)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }
}
