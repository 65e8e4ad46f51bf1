internal import HTTPTypes

/// Records of any schema.
package struct RecordOperations: Sendable {
    package let list = Operation<RecordFilter, RecordList>(
        .get, "/records", reportsProgress: true, "List records",
        "Records that match, in their order. With `limit` they come in parts: ask for the next with `after`, "
            + "the `next` of the answer, until there is none.")
    package let add = Operation<RecordDraft, RecordView>(
        .post, "/records", "Add a record",
        "Adds one record; every required field must have a value.")
    package let addBatch = Operation<RecordBatchDraft, RecordBatchReport>(
        .post, "/records/batch", upTo: LocalLimits.batchBytes, "Add many records",
        "All of them are checked before the first is written; when one does not fit, none is "
            + "added, and the sentence names its line. Many take several commits, each of them "
            + "durable before the next; when a later one fails, the sentence says how many records "
            + "were added.")
    package let show = Operation<RecordScope, RecordView>(
        .get, "/records/{id}", "Show a record",
        "One record with everything in it.")
    package let change = Operation<RecordChanges, RecordView>(
        .patch, "/records/{id}", "Change a record",
        "What is absent stays as it is.")
    package let delete = Operation<RecordScope, RecordView>(
        .delete, "/records/{id}", "Delete a record",
        "Deletes a record for everybody; answers with what it was.")
    package let restore = Operation<RecordScope, RecordView>(
        .post, "/records/{id}/restore", "Restore a record",
        "Takes a deletion back.")
    package let history = Operation<WhyScope, RecordHistoryView>(
        .get, "/records/{id}/history", "Everything ever written to a record",
        "Every value with who wrote it, when, on which device and in which commit, and what became of "
            + "it. Finds deleted records too, of any space.")
    package let search = Operation<SearchQuery, SearchReport>(
        .get, "/search", "Search everything",
        "Records of every kind and space in which words begin like these, best matches first.")
    package let export = Operation<RecordExport, ExportedFile>(
        .post, "/records/{id}/export", reportsProgress: true, "Write a file of a record",
        "To a path of this computer; never overwrites an existing file.")
}

/// Simultaneous changes that somebody should decide about.
package struct ConflictOperations: Sendable {
    package let list = Operation<ScopeFilter, [ConflictView]>(
        .get, "/conflicts", "What somebody should decide",
        "Fields that people wrote to at once and that could not be put together, and records "
            + "that one deleted while another changed them; in one trip, or everywhere.")
    package let resolve = Operation<ConflictDecision, ResolvedConflict>(
        .put, "/conflicts/{id}/decision", "Decide a conflict",
        "An ordinary write, which ends the conflict for everybody. A conflict that changed "
            + "meanwhile has another id.")
}
