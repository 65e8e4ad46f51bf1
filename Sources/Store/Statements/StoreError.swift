internal import CSQLite
internal import GRDB
package import SyncCore

/// Why the store could not do what it was asked for. Nothing was changed then.
package enum StoreError: Error, Hashable, Sendable {
    /// Another process has the store; `process` is its id where it could be read.
    case locked(process: Int32?)
    /// The file is an SQLite database of another program, or no database.
    case foreign
    /// The file was written by a newer peersync, whose format has this number.
    case newer(format: Int64)
    /// The store is of an older format, and bringing it up to date takes so many free bytes on the disk of its folder.
    case noRoomToUpdate(folder: String, needed: UInt64, free: UInt64?)
    /// The store cannot be opened, for this reason, and as it was before its format was raised it is kept in the
    /// file at this path.
    case notUpdated(String, former: String)
    /// Writing failed below SQLite. What is durable is known only after reopening, so every further
    /// write is refused until then.
    case failed(String)
    /// The folder of the store was deleted while it was open: nothing that is written there stays.
    case gone(folder: String)
    /// The folder of the store was moved while it was open: files beside it would be written to where it was.
    case moved(folder: String, to: String)
    /// The lock in the folder of the store was deleted or replaced: another process could open the store, too.
    case unlocked(folder: String)
    /// The disk is full: the write was undone, later ones may succeed.
    case diskFull
    /// What is at this path is on a disk that can only be read.
    case diskReadOnly(path: String)
    /// SQLite did not take a statement, for example an address of an unknown device. The transaction
    /// was undone, nothing else is wrong.
    case rejected(String)
    /// Stored bytes are not what the store wrote.
    case corrupt(String)
    case spaceUnknown(SpaceID)
    /// The device may not write this: it holds no grant, or one without the required flags.
    case permissionRefused(required: Permissions)
    /// Everybody's epochs are known to somebody who may not read any more, or their keys are not here:
    /// there is nothing to seal under.
    case epochMissing
    /// What is to be sealed would name files in the clear.
    case filesInClear
    /// Over ``Limits/commitBytes``.
    case commitTooLarge(bytes: Int)
    /// A change that did not count counts by now, or is not here any more: it cannot be recovered.
    case noLongerWaiting
    /// The sealed commit is not the one that was asked for.
    case sealedOtherwise
    /// The ledger does not take the device's own commit.
    case refused(SpaceLedger.Refusal)
    /// An unfinished record is not any more what was read of it: somebody else changed, finished or dropped it.
    case unfinishedChanged
    /// Over ``Limits/smallBlobBytes``: belongs into a file.
    case blobTooLarge(bytes: Int)
}

extension StoreError {
    /// What an error of SQLite means to a caller.
    init(_ error: DatabaseError) {
        // The memory that connections share is a file, for which the disk has no room then.
        if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE {
            self = .diskFull
            return
        }
        // A page whose checksum does not hold.
        if Int(error.extendedResultCode.rawValue) == peersync_page_damaged {
            self = .corrupt(error.description)
            return
        }
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(error.description)
        case .SQLITE_CONSTRAINT, .SQLITE_ERROR, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT,
            .SQLITE_ABORT, .SQLITE_TOOBIG, .SQLITE_RANGE, .SQLITE_MISMATCH:
            self = .rejected(error.description)
        default: self = .failed(error.description)
        }
    }

    /// Whether it says of what was to be written that it may not be, or not so. The disk is well.
    package var isRefusal: Bool {
        switch self {
        case .permissionRefused, .commitTooLarge, .spaceUnknown, .epochMissing, .filesInClear,
            .unfinishedChanged, .noLongerWaiting:
            true
        default: false
        }
    }

    /// Whether the store has to be reopened before it may write again.
    var forbidsWriting: Bool {
        switch self {
        case .failed, .corrupt, .gone, .moved, .unlocked: true
        default: false
        }
    }
}
