/// Where and how an archive of a space is written.
package struct ArchiveTarget: Codable, Sendable, Hashable {
    /// Absolute: a folder, in which it gets the name of the space, or a new name.
    package let path: String
    /// Recipients of age, `age1…`: then it is a tar file that only they can open, else a folder.
    @MayBeAbsent package var encryptedTo: [String]
    /// Also without the files that are not on this device.
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
    /// Files that are not in it, as they are not on this device.
    package let missing: Int
    /// Files that are not in it, as their key is not on this device.
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

/// An archive of which a space is to be made.
package struct ArchiveImport: Codable, Sendable, Hashable {
    /// Absolute: its folder, or a tar file of it, encrypted or not.
    package let path: String
    /// Absolute: a file with age identities, one a line, for an encrypted one.
    package var identityPath: String?
    /// Also when the same space is here already.
    @MayBeAbsent package var again: Bool
    /// Encrypted from the first record on.
    @MayBeAbsent package var encrypted: Bool

    package init(path: String, identityPath: String? = nil) {
        (self.path, self.identityPath) = (path, identityPath)
    }
}

/// The space that was made of an archive.
package struct ImportReport: Codable, Sendable, Equatable {
    package let trip: TripView
    package let records: Int
    package let files: Int
    /// Records that the archive names and of which it does not hold the file.
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

/// What an archive said of something that was made of it.
package struct OriginView: Codable, Sendable, Hashable {
    /// Who wrote it last before; of a space, who archived it.
    package let author: String
    /// When.
    package let written: Moment?
    /// Of a space, the id of the one that was archived.
    package let source: String?

    package init(author: String, written: Moment?, source: String? = nil) {
        (self.author, self.written, self.source) = (author, written, source)
    }
}
