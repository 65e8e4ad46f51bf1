internal import Glibc
package import SyncCore

/// Errors of blobs in files.
package enum BlobFilesError: Error, Hashable, Sendable {
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// The path to import, or a stored path, is not a regular file.
    case notRegularFile(path: String)
    /// The file was written to while it was imported.
    case sourceChanged(path: String)
    /// The file is longer than ``Limits/blobBytes``.
    case tooLong(path: String)
    /// There is no finished file of this blob.
    case notFound(BlobID)
    /// The blob has no chunk of this index.
    case noSuchChunk(Int)
    /// The bytes do not match the blob's chunk list.
    case wrongChunk(Int)
    /// A blob to be committed has unverified chunks.
    case incomplete(BlobID)
    /// A finished file's bytes do not match its id.
    case corrupt(BlobID)
    /// The export would overwrite this file.
    case alreadyExists(name: String)
    /// Bytes may not have reached the disk: nothing of the batch counts as stored, and these files refuse
    /// further commits until they are opened again.
    case syncFailed(number: Int32)
    /// The caller stopped the work; nothing of it remains.
    case stopped
    /// This user may not use an own folder or file, or the folder of all files is not there. Nothing is lost.
    case noAccess(path: String)
    /// Another call failed: its name and errno.
    case system(call: String, number: Int32)

    /// The error for the current `errno` of a call that just failed.
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

    /// The system's message for a failed call, for people who look after the disk.
    package static func reason(_ call: String, _ number: Int32) -> String {
        guard let text = unsafe strerror(number) else { return "\(call): error \(number)" }
        return unsafe "\(call): \(String(cString: text))"
    }

    /// The errno of a failed call; EINVAL for other errors.
    var number: Int32 {
        switch self {
        case .system(_, let number), .syncFailed(let number): number
        case .diskFull: ENOSPC
        default: EINVAL
        }
    }
}
