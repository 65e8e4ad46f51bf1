/// A full reset that a person wants.
package struct DataSetResetDraft: Codable, Sendable, Hashable {
    /// The folder with the set, absolute.
    package var path: String
    package var space: String
    /// For this person alone: history goes on in a new space, and this one stays as it is.
    @MayBeAbsent package var here: Bool
    /// What the new space is called; absent for the name of this one.
    package var name: String?
    /// Only says what would go and stay.
    @MayBeAbsent package var preview: Bool
    /// The name of the space, as the person typed it; without a preview it has to be right.
    package var confirmed: String?
    /// Where everything is backed up first, absolute; absent for the place of the last backup.
    package var backup: String?
    @MayBeAbsent package var withoutBackup: Bool

    package init(path: String, space: String) { (self.path, self.space) = (path, space) }
}

/// What a full reset comes to, or came to; each count of one collection.
package struct DataSetResetReport: Codable, Sendable, Equatable {
    package let done: Bool
    package let name: String
    package let space: Reference
    /// The version of the last reset; 0 for none.
    package let from: Int
    package let to: Int
    package let text: String?
    package let germanText: String?
    package let deleted: [Count]
    /// History, which stays.
    package let kept: [Count]
    /// What stays as history refers to it.
    package let needed: [Count]
    /// Rows of the set.
    package let loaded: [Count]
    /// Of a reset for one person; then nothing is deleted.
    package var newSpace: NewSpace?
    /// What was backed up before; absent for a preview and where nobody wanted it.
    package var backup: BackupReport?

    package init(
        done: Bool, name: String, space: Reference, from: Int, to: Int, texts: [String?],
        counts: (deleted: [Count], kept: [Count], needed: [Count], loaded: [Count])
    ) {
        (self.done, self.name, self.space, self.from, self.to) = (done, name, space, from, to)
        (text, germanText) = (texts.first ?? nil, texts.last ?? nil)
        (deleted, kept) = (counts.deleted, counts.kept)
        (needed, loaded) = (counts.needed, counts.loaded)
    }

    /// Where one person goes on.
    package struct NewSpace: Codable, Sendable, Equatable {
        package let name: String
        /// Absent until it is made.
        package var space: Reference?
        /// Records that stay behind.
        package let left: [Count]

        package init(name: String, space: Reference?, left: [Count]) {
            (self.name, self.space, self.left) = (name, space, left)
        }
    }

    package struct Count: Codable, Sendable, Hashable {
        package let collection: String
        package let count: Int

        package init(collection: String, count: Int) {
            (self.collection, self.count) = (collection, count)
        }
    }
}

/// A folder that this device is to look at whenever its agent starts, or no more.
package struct DataSetFollowDraft: Codable, Sendable, Hashable {
    /// Absolute.
    package let path: String
    /// Absent to end it, for every space.
    package let space: String?

    package init(path: String, space: String?) { (self.path, self.space) = (path, space) }
}

/// A folder with a data set that this device follows.
package struct FollowedSetView: Codable, Sendable, Equatable {
    package let path: String
    package let name: String
    package let space: Reference
    /// Why it was not applied when the agent started last; absent when it was.
    package let trouble: String?
    package let hint: String?

    package init(path: String, name: String, space: Reference, trouble: String?, hint: String?) {
        (self.path, self.name, self.space) = (path, name, space)
        (self.trouble, self.hint) = (trouble, hint)
    }
}
