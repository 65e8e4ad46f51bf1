/// The destination and form of an archive of a space.
package struct ArchiveTarget: Codable, Sendable, Hashable {
    /// Absolute: a folder, in which it gets the name of the space, or a new name.
    package let path: String
    /// Recipients of age, `age1…`: makes a tar file that only they can open, instead of a folder.
    @MayBeAbsent package var encryptedTo: [String]
    /// Allows leaving out files that are not on this device.
    @MayBeAbsent package var incomplete: Bool

    package init(path: String) { self.path = path }
}

/// An archive that was written.
package struct ArchiveReport: Codable, Sendable, Equatable {
    /// Absolute.
    package let path: String
    package let space: Reference
    package let records: Int
    /// Files that people added, each once, and the bytes of all that is in it, thumbnails too.
    package let files: Int
    package let bytes: Int64
    /// Files that are left out because they are not on this device.
    package let missing: Int
    /// Files that are left out because their key is not on this device.
    package let closed: LeftFiles
    package let encrypted: Bool

    package init(
        path: String, space: Reference, records: Int, files: Int, bytes: Int64, missing: Int,
        closed: LeftFiles, encrypted: Bool
    ) {
        (self.path, self.space, self.records) = (path, space, records)
        (self.files, self.bytes, self.missing) = (files, bytes, missing)
        (self.closed, self.encrypted) = (closed, encrypted)
    }
}

/// An archive to import as a new space.
package struct ArchiveImport: Codable, Sendable, Hashable {
    /// Absolute: its folder, or a tar file of it, encrypted or not.
    package let path: String
    /// Absolute: a file with age identities, one a line, for an encrypted one.
    package var identityPath: String?
    /// Imports it even when the same space is here already.
    @MayBeAbsent package var again: Bool
    /// Encrypted from the first record on.
    @MayBeAbsent package var encrypted: Bool

    package init(path: String, identityPath: String? = nil) {
        (self.path, self.identityPath) = (path, identityPath)
    }
}

/// The space that was made from an archive.
package struct ImportReport: Codable, Sendable, Equatable {
    package let trip: TripView
    package let records: Int
    package let files: Int
    /// Records whose file is not in the archive.
    package let leftOut: Int
    /// Whether the space that was archived was encrypted.
    package let wasEncrypted: Bool

    package init(
        trip: TripView, records: Int, files: Int, leftOut: Int, wasEncrypted: Bool
    ) {
        (self.trip, self.records, self.files, self.leftOut) = (trip, records, files, leftOut)
        self.wasEncrypted = wasEncrypted
    }
}

/// The origin of a record or space, as an archive tells it.
package struct OriginView: Codable, Sendable, Hashable {
    /// The last author before; for a space, the person who archived it.
    package let author: String
    /// When.
    package let written: Moment?
    /// Of a space, the id of the one that was archived.
    package let source: String?

    package init(author: String, written: Moment?, source: String? = nil) {
        (self.author, self.written, self.source) = (author, written, source)
    }
}
