internal import Glibc
package import SyncCore

/// Room on the disk: files take it before they need it, and leave some for the database.
extension BlobFiles {
    /// Whether `bytes` more fit beside what is left free for the database. True when the disk cannot
    /// be asked: writing will tell.
    package func hasRoom(for bytes: UInt64) -> Bool {
        guard let free = Self.freeBytes(at: root) else { return true }
        let (needed, overflow) = bytes.addingReportingOverflow(spareBytes)
        return !overflow && free >= needed
    }

    /// Bytes that may still be written to the disk of a folder; nil when it cannot be asked, or is none:
    /// `/proc` has no blocks at all.
    package static func freeBytes(at folder: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Throws ``BlobFilesError/diskFull`` unless ``hasRoom(for:)``.
    package func requireRoom(for bytes: UInt64) throws(BlobFilesError) {
        guard hasRoom(for: bytes) else { throw .diskFull }
    }

    /// Takes the room for all of a file of `length` bytes, so that it does not end in the middle.
    func reserve(_ length: UInt64, in file: OpenFile) throws(BlobFilesError) {
        let allocated = try file.allocatedBytes()
        guard length > allocated else { return }
        try requireRoom(for: length - allocated)
        guard !file.reserve(length) else { return }
        // What it got of the room behind the end is given back.
        try file.truncate(to: try file.status().length)
        throw .diskFull
    }
}

extension Limits {
    /// What files leave free on the disk: for the database, in which text goes on when photos do not
    /// fit any more. About a hundred thousand memories without photos.
    package static let spareDiskBytes: UInt64 = 32 << 20
}
