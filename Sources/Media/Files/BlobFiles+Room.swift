internal import Glibc
package import SyncCore

/// Room on the disk: files reserve it before they need it, and leave some for the database.
extension BlobFiles {
    /// Whether `bytes` more fit, beside the reserve for the database. True when the disk gives no answer:
    /// writing will show it.
    package func hasRoom(for bytes: UInt64) -> Bool {
        guard let free = Self.freeBytes(at: layout.root) else { return true }
        let (needed, overflow) = bytes.addingReportingOverflow(spareBytes)
        return !overflow && free >= needed
    }

    /// Bytes that can still be written to the disk of a folder; nil when unknown, as in `/proc`, which has
    /// no blocks.
    package static func freeBytes(at folder: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Throws ``BlobFilesError/diskFull`` unless ``hasRoom(for:)``.
    package func requireRoom(for bytes: UInt64) throws(BlobFilesError) {
        guard hasRoom(for: bytes) else { throw .diskFull }
    }

    /// Reserves room for a whole file of `length` bytes, so that writing it does not fail halfway.
    func reserve(_ length: UInt64, in file: OpenFile) throws(BlobFilesError) {
        let allocated = try file.allocatedBytes()
        guard length > allocated else { return }
        try requireRoom(for: length - allocated)
        guard !file.reserve(length) else { return }
        // Gives back the part that could be reserved.
        try file.truncate(to: try file.status().length)
        throw .diskFull
    }
}

extension Limits {
    /// Room that files leave free on the disk for the database, so that texts still fit when photos no
    /// longer do: about a hundred thousand memories without photos.
    package static let spareDiskBytes: UInt64 = 32 << 20
}
