/// Why an archive could not be written, or is not accepted.
package enum ArchiveError: Error, Hashable, Sendable {
    /// There is nothing of this name.
    case notFound
    /// Neither a folder with a list of hashes nor a tar file of one.
    case notAnArchive
    /// Encrypted for other identities, or no identity was given.
    case locked
    /// It is cut off, or its ciphertext was changed.
    case damaged
    /// It names a file outside of itself.
    case unsafeName
    /// It holds a link or a device instead of a file.
    case notAFile(String)
    case listedTwice(String)
    /// The list of hashes names a file that is not there.
    case missing(String)
    /// A file's hash is not the listed one.
    case changed(String)
    /// A required file is not in its list.
    case unlisted(String)
    case tooLarge(String)
    /// There is something at its destination already.
    case alreadyExists
    /// A file to be archived became shorter, or is damaged.
    case unreadable(String)
    /// The caller stopped it.
    case stopped
    /// The system call of this name failed with this `errno`.
    case system(call: String, code: Int32)
}
