/// Why a backup could not be made, read or restored.
package enum BackupError: Error, Hashable, Sendable {
    /// There is nothing of this name.
    case notFound
    /// A folder or file without backups.
    case notABackup
    /// A later program wrote it.
    case newer
    /// Another program is writing to it.
    case busy
    /// None of this name is in it, or none at all.
    case noSuchBackup
    /// What cannot be done without is damaged: this file of the backup.
    case damaged(String)
    /// It was made without keys, and none were given.
    case noKeys
    /// Something is where the backup is to be restored.
    case notEmpty
    /// Told to stop.
    case stopped
    /// The system call of this name failed with this `errno`.
    case system(call: String, code: Int32)

    init(_ error: ArchiveError) {
        switch error {
        case .notFound: self = .notFound
        case .stopped: self = .stopped
        case .alreadyExists: self = .notEmpty
        case .system(let call, let code): self = .system(call: call, code: code)
        case .missing(let name), .changed(let name), .unlisted(let name), .tooLarge(let name),
            .unreadable(let name), .notAFile(let name), .listedTwice(let name):
            self = .damaged(name)
        case .notAnArchive, .locked, .damaged, .unsafeName: self = .damaged(BackupSums.fileName)
        }
    }
}
