internal import Encryption

/// Why a backup could not be made, read or restored.
package enum BackupError: Error, Hashable, Sendable {
    /// There is nothing of this name.
    case notFound
    /// A folder or file that holds no backups.
    case notABackup
    /// It is no folder.
    case notAFolder
    /// The folder in which it would be made, at this path, is missing.
    case noFolderAround(String)
    /// A later program wrote it.
    case newer
    /// Another program is writing to it.
    case busy
    /// There is none of this name, or none at all.
    case noSuchBackup
    /// This file, without which the backup is useless, is damaged.
    case damaged(String)
    /// It was made without keys, and none were given.
    case noKeys
    /// There is something at the destination already.
    case notEmpty
    /// The caller stopped it.
    case stopped
    /// The system call of this name failed with this `errno`.
    case system(call: String, code: Int32)

    /// Of reading the file of this name.
    init(reading name: String, _ error: any Error) {
        if let failure = error as? FileInput.Failure {
            self = .system(call: failure.call, code: failure.code)
        } else {
            self = .damaged(name)
        }
    }

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
