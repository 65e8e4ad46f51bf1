internal import Glibc
package import SyncCore

/// What can go wrong with blobs in files.
package enum BlobFilesError: Error, Hashable, Sendable {
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// The path to be imported, or a stored path, is no regular file.
    case notRegularFile(path: String)
    /// The file was written to while it was imported.
    case sourceChanged(path: String)
    /// The file is longer than ``Limits/blobBytes``.
    case tooLong(path: String)
    /// No finished file of this blob is here.
    case notFound(BlobID)
    /// The blob has no chunk of this index.
    case noSuchChunk(Int)
    /// The bytes are not what the blob's chunk list says of this chunk.
    case wrongChunk(Int)
    /// The blob was to be committed, but not every chunk of it is verified.
    case incomplete(BlobID)
    /// A finished file's bytes are not those of its id.
    case corrupt(BlobID)
    /// The export would overwrite this file.
    case alreadyExists(name: String)
    /// Bytes may not have reached the disk; nothing of the batch counts as stored, and these files
    /// take no further commit until they are opened anew.
    case syncFailed(number: Int32)
    /// Whoever asked for the work wants it no more; nothing of it is left.
    case stopped
    /// Any other call that failed: its name and errno.
    case system(call: String, number: Int32)

    /// The error of the call that failed just now, by `errno`.
    static func ofLast(_ call: String) -> BlobFilesError {
        of(call, number: errno)
    }

    /// The error for an errno value of `call`.
    static func of(_ call: String, number: Int32) -> BlobFilesError {
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        default: .system(call: call, number: number)
        }
    }

    /// What the system says of a failed call, for people who look after the disk.
    package static func reason(_ call: String, _ number: Int32) -> String {
        guard let text = unsafe strerror(number) else { return "\(call): error \(number)" }
        return unsafe "\(call): \(String(cString: text))"
    }

    /// The errno of a failed call; EINVAL for what is no regular file.
    var number: Int32 {
        switch self {
        case .system(_, let number), .syncFailed(let number): number
        case .diskFull: ENOSPC
        default: EINVAL
        }
    }
}
