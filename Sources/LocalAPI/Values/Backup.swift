/// The destination and options of a backup of this device.
package struct BackupDraft: Codable, Sendable, Hashable {
    /// Absolute; absent for the place of the last one.
    package var path: String?
    /// Leaves out the keys of this device: only a person who has them elsewhere can restore the backup.
    @MayBeAbsent package var withoutKeys: Bool
    /// Reads the files of earlier backups again, and rewrites damaged ones.
    @MayBeAbsent package var full: Bool
    /// The earlier backups to keep, such as `7d,4w,12m`; absent: all.
    package var keep: String?

    package init(path: String? = nil) { self.path = path }
}

/// A backup that was made.
package struct BackupReport: Codable, Sendable, Equatable {
    /// The folder with all backups, absolute.
    package let path: String
    /// The name of this backup.
    package let name: String
    package let trips: Int
    /// Spaces of other schemas; absent for none.
    package var spaces: Int?
    /// Files that people added; thumbnails are none of them.
    package let files: Int
    /// Of them, those that no earlier backup had.
    package let newFiles: Int
    /// Of the files and the database.
    package let bytes: Int64
    package let keys: Bool
    /// Files that people added, but that are not whole on this device, and so are left out.
    package let damaged: Int
    /// Earlier backups that were removed, and the bytes that this freed.
    package let removed: Int
    package let freed: Int64
    /// A backup of which it cannot be read what it needs: because of it no files were removed with others.
    package let unreadable: String?
    /// Whether it is on the same disk as the data.
    package let sameDisk: Bool
    /// Whether the folder was made for it.
    @MayBeAbsent package var newFolder: Bool
    /// The folder with the data of this device, if its disk is so full that `status` cannot show this backup.
    package var unnoted: String?

    package init(
        path: String, name: String, trips: Int, files: Int, newFiles: Int, bytes: Int64,
        keys: Bool, damaged: Int, removed: Int, freed: Int64, unreadable: String?, sameDisk: Bool
    ) {
        (self.path, self.name, self.trips) = (path, name, trips)
        (self.files, self.newFiles, self.bytes) = (files, newFiles, bytes)
        (self.keys, self.damaged, self.removed) = (keys, damaged, removed)
        (self.freed, self.unreadable, self.sameDisk) = (freed, unreadable, sameDisk)
    }
}

/// The last backup of this device.
package struct LastBackup: Codable, Sendable, Hashable {
    /// The folder with all backups, absolute.
    package let path: String
    package let made: Moment
    package let keys: Bool

    package init(path: String, made: Moment, keys: Bool) {
        (self.path, self.made, self.keys) = (path, made, keys)
    }
}

/// The content of a folder of backups.
package struct BackupList: Codable, Sendable, Equatable {
    package let path: String
    /// The latest first.
    package let backups: [BackupEntry]

    package init(path: String, backups: [BackupEntry]) {
        (self.path, self.backups) = (path, backups)
    }
}

package struct BackupEntry: Codable, Sendable, Equatable {
    package let name: String
    /// Absent where it cannot be read.
    package let holds: Contents?

    package struct Contents: Codable, Sendable, Equatable {
        package let made: Moment
        package let device: String
        package let person: String
        package let keys: Bool
        package let trips: [String]
        /// The spaces of other schemas; in backups of older versions they are among the trips.
        @MayBeAbsent package var spaces: [String]
        /// Files that people added; in backups of older versions all of at least 64 KiB.
        package let files: Int
        package let bytes: Int64

        package init(
            made: Moment, device: String, person: String, keys: Bool, trips: [String], files: Int,
            bytes: Int64
        ) {
            (self.made, self.device, self.person, self.keys) = (made, device, person, keys)
            (self.trips, self.files, self.bytes) = (trips, files, bytes)
        }
    }

    package init(name: String, holds: Contents?) { (self.name, self.holds) = (name, holds) }
}

/// The result of verifying backups.
package struct BackupVerification: Codable, Sendable, Equatable {
    package struct Fault: Codable, Sendable, Equatable {
        /// Below the folder.
        package let file: String
        package let missing: Bool
        /// Why the system does not let it be read; absent where it is missing or damaged.
        package let unreadable: String?
        /// The backups that need it, the latest first.
        package let backups: [String]

        package init(file: String, missing: Bool, unreadable: String?, backups: [String]) {
            (self.file, self.missing, self.unreadable) = (file, missing, unreadable)
            self.backups = backups
        }
    }

    package let path: String
    package let backups: Int
    package let files: Int
    package let bytes: Int64
    package let faults: [Fault]

    package init(path: String, backups: Int, files: Int, bytes: Int64, faults: [Fault]) {
        (self.path, self.backups, self.files) = (path, backups, files)
        (self.bytes, self.faults) = (bytes, faults)
    }
}

/// A device that was restored.
package struct RestoreReport: Codable, Sendable, Equatable {
    /// Where its data is now.
    package let home: String
    package let backup: BackupEntry
    /// Files that were damaged in the backup: other devices may have them.
    package let damaged: Int
    /// Files that the backup names and that are not there.
    package let missing: Int
    /// Files that are there, but cannot be read; absent for none.
    package let unreadable: UnreadableFiles?

    package struct UnreadableFiles: Codable, Sendable, Equatable {
        package let count: Int
        /// The path of one of them.
        package let file: String
        /// Why the system does not let it be read.
        package let reason: String

        package init(count: Int, file: String, reason: String) {
            (self.count, self.file, self.reason) = (count, file, reason)
        }
    }

    package init(
        home: String, backup: BackupEntry, damaged: Int, missing: Int, unreadable: UnreadableFiles?
    ) {
        (self.home, self.backup, self.damaged) = (home, backup, damaged)
        (self.missing, self.unreadable) = (missing, unreadable)
    }
}
