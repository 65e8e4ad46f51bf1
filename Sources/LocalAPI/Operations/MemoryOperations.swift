internal import HTTPTypes

/// Memories of trips.
package struct MemoryOperations: Sendable {
    package let list = Operation<MemoryFilter, [MemorySummary]>(
        .get, "/memories", "Find memories")
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
}

/// Photos, tracks and other files of memories.
package struct MediaOperations: Sendable {
    package let list = Operation<MediaFilter, [MediaView]>(
        .get, "/media", "List media and tracks")
    package let export = Operation<ExportTarget, ExportedFile>(
        .post, "/media/{id}/export", reportsProgress: true, "Write an original to a file",
        "Writes one original to a path of this computer; never overwrites an existing file.")
}

/// Tags of a trip or of the person.
package struct TagOperations: Sendable {
    package let list = Operation<ScopeFilter, [TagView]>(
        .get, "/tags", "List tags",
        "Tags of a trip, or of the person's home space when the scope names no trip.")
    package let add = Operation<TagDraft, TagView>(
        .post, "/tags", "Add a tag")
}

/// The bucket list of a trip or of the person.
package struct BucketOperations: Sendable {
    package let list = Operation<ScopeFilter, [BucketItemView]>(
        .get, "/bucket", "List the bucket list")
    package let add = Operation<BucketItemDraft, BucketItemView>(
        .post, "/bucket", "Add to the bucket list")
    package let finish = Operation<NoInput, BucketItemView>(
        .post, "/bucket/{id}/done", "Mark an item as done",
        "Marks an item of the bucket list as done.")
}
