internal import HTTPTypes

/// Memories of trips.
package struct MemoryOperations: Sendable {
    package let list = Operation<MemoryFilter, [MemorySummary]>(
        .get, "/memories", reportsProgress: true, "Find memories",
        "By time, those without one last. With `limit` they come in parts: ask for the next with `after`, the "
            + "time of the last one, until there are fewer or the last one has no time.")
    package let add = Operation<MemoryDraft, MemoryView>(
        .post, "/memories", reportsProgress: true, "Add a memory",
        "Code `confirmationNeeded` when memories of the trip have some of the files already, unless "
            + "`again` is true. Closing the connection before it is answered cancels it: nothing "
            + "is written then.")
    package let show = Operation<NoInput, MemoryView>(
        .get, "/memories/{id}", "Show a memory")
    package let edit = Operation<MemoryChanges, MemoryView>(
        .patch, "/memories/{id}", reportsProgress: true, "Change a memory")
    package let delete = Operation<NoInput, MemoryView>(
        .delete, "/memories/{id}", "Delete a memory for everybody",
        "Deletes the memory with its media for everybody. Answers with what it was.")
    package let restore = Operation<NoInput, MemoryView>(
        .post, "/memories/{id}/restore", "Restore a deleted memory",
        "Takes the deletion back, of its photos and its track too.")
    package let move = Operation<MoveDraft, [MemoryView]>(
        .post, "/memories/move", reportsProgress: true, "Move memories to another trip",
        "With all that belongs to them, for everybody: new memories there, written by this person, and the old ones "
            + "deleted; one deed for undo. Code `conflict` for one that is in conflict, or that has a field "
            + "which the other trip lacks; `notHere` when one of the trips is encrypted and a file is not here."
    )
    package let merge = Operation<MemoryMergeDraft, MemoryView>(
        .post, "/memories/merge", "Make one memory of several",
        "Photos, track, tags and texts of the others come to the one that stays, and so do fields that it does not "
            + "have; the others are deleted, for everybody; one deed for undo. Code `conflict` when one of them is in "
            + "conflict, or when they have several tracks. Answers with the one that stays.")
}

/// Memories to move to another trip.
package struct MoveDraft: Codable, Sendable, Hashable {
    /// Titles or id prefixes, all of one trip.
    package let memories: [String]
    /// Name or id prefix of the trip that they come to.
    package let to: String
    /// The same of the one that they are in; absent looks in all.
    package let from: String?

    package init(memories: [String], to: String, from: String? = nil) {
        (self.memories, self.to, self.from) = (memories, to, from)
    }
}

/// Memories to make one of.
package struct MemoryMergeDraft: Codable, Sendable, Hashable {
    /// Titles or id prefixes of those that are deleted.
    package let memories: [String]
    /// The same of the one that stays.
    package let into: String
    /// Name or id prefix of the trip that they are in; absent looks in all.
    package let trip: String?

    package init(memories: [String], into: String, trip: String? = nil) {
        (self.memories, self.into, self.trip) = (memories, into, trip)
    }
}

/// Photos, tracks and other files of memories.
package struct MediaOperations: Sendable {
    package let list = Operation<MediaFilter, [MediaView]>(
        .get, "/media", "List media and tracks")
    package let edit = Operation<MediaChanges, MediaView>(
        .patch, "/media/{id}", "Change a photo",
        "Its caption, and where it stands among the photos of its memory: the first one stands for the "
            + "memory. Code `conflict` for a caption in a trip whose schema has none yet.")
    package let export = Operation<ExportTarget, ExportedFile>(
        .post, "/media/{id}/export", reportsProgress: true, "Write an original to a file",
        "Writes one original to a path of this computer; never overwrites an existing file.")
}

/// Tags of a trip or of the person.
package struct TagOperations: Sendable {
    package let list = Operation<ListFilter, [TagView]>(
        .get, "/tags", "List tags",
        "Tags of a trip, or of the person's home space when the scope names no trip.")
    package let add = Operation<TagDraft, TagView>(
        .post, "/tags", "Add a tag")
    package let show = Operation<ScopeFilter, TagView>(
        .get, "/tags/{id}", "Show a tag")
    package let edit = Operation<TagChanges, TagView>(
        .patch, "/tags/{id}", "Change a tag",
        "Of a tag of the person's home space its copies in trips too, where they may write.")
    package let merge = Operation<MergeDraft, TagView>(
        .post, "/tags/{id}/merge", "Replace a tag by another one",
        "On all memories; the tag is deleted. Answers with the one that stays.")
    package let delete = Operation<ScopeFilter, TagView>(
        .delete, "/tags/{id}", "Delete a tag",
        "Takes it off all memories, for everybody. Answers with what it was.")
}

/// The bucket list of a trip or of the person.
package struct BucketOperations: Sendable {
    package let list = Operation<ListFilter, [BucketItemView]>(
        .get, "/bucket", "List the bucket list")
    package let add = Operation<BucketItemDraft, BucketItemView>(
        .post, "/bucket", "Add to the bucket list")
    package let show = Operation<ScopeFilter, BucketItemView>(
        .get, "/bucket/{id}", "Show an item of the bucket list")
    package let edit = Operation<BucketItemChanges, BucketItemView>(
        .patch, "/bucket/{id}", "Change an item of the bucket list",
        "Of an item of the person's home space its copies in trips too, where they may write.")
    package let merge = Operation<MergeDraft, BucketItemView>(
        .post, "/bucket/{id}/merge", "Replace an item of the bucket list by another one",
        "Of all memories; the item is deleted. Answers with the one that stays.")
    package let delete = Operation<ScopeFilter, BucketItemView>(
        .delete, "/bucket/{id}", "Delete an item of the bucket list",
        "For everybody. Answers with what it was.")
    package let finish = Operation<NoInput, BucketItemView>(
        .post, "/bucket/{id}/done", "Mark an item as done",
        "Marks an item of the bucket list as done.")
}
