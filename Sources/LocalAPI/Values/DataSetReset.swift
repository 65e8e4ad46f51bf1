/// A full reset that a person requested.
package struct DataSetResetDraft: Codable, Sendable, Hashable {
    /// The folder with the set, absolute.
    package var path: String
    package var space: String
    /// For this person alone: history goes on in a new space, and this one stays as it is.
    @MayBeAbsent package var here: Bool
    /// The name of the new space; absent for the name of this one.
    package var name: String?
    /// Only reports what would go and stay.
    @MayBeAbsent package var preview: Bool
    /// The name of the space, as the person typed it; without a preview it has to be right.
    package var confirmed: String?
    /// The absolute path for a backup before it; absent for the place of the last backup.
    package var backup: String?
    @MayBeAbsent package var withoutBackup: Bool

    package init(path: String, space: String) { (self.path, self.space) = (path, space) }
}

/// The result of a full reset, or its preview; each count is of one collection.
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
    /// Records that stay because history refers to them.
    package let needed: [Count]
    /// Rows of the set.
    package let loaded: [Count]
    /// Of a reset for one person; then nothing is deleted.
    package var newSpace: NewSpace?
    /// The backup made before; absent for a preview, or when none was wanted.
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

    /// The space where one person continues.
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

/// A folder that this device will check at each start of its agent, or no longer.
package struct DataSetFollowDraft: Codable, Sendable, Hashable {
    /// Absolute.
    package let path: String
    /// Absent to end it, for every space.
    package let space: String?
    /// Whether to end it for that space alone.
    package let ends: Bool?

    package init(path: String, space: String?, ends: Bool? = nil) {
        (self.path, self.space, self.ends) = (path, space, ends)
    }
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
