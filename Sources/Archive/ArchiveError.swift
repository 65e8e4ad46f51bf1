/// Why an archive could not be written or believed.
package enum ArchiveError: Error, Hashable, Sendable {
    /// There is nothing of this name.
    case notFound
    /// Neither a folder with a list of hashes nor a tar file of one.
    case notAnArchive
    /// Encrypted to others than these identities, or to nobody who was named.
    case locked
    /// It ends before its end, or what was encrypted was changed.
    case damaged
    /// It names a file outside of itself.
    case unsafeName
    /// It holds a link or a device in place of a file.
    case notAFile(String)
    case listedTwice(String)
    /// The list of hashes names a file that is not there.
    case missing(String)
    /// A file's hash is not the listed one.
    case changed(String)
    /// A file that must be in it is not in its list.
    case unlisted(String)
    case tooLarge(String)
    /// Something stands where it was to be written.
    case alreadyExists
    /// A file that was to be archived became shorter, or is damaged.
    case unreadable(String)
    /// Told to stop.
    case stopped
    /// The system call of this name failed with this `errno`.
    case system(call: String, code: Int32)
}
