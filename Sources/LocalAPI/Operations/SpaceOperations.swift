internal import HTTPTypes

/// Spaces of any schema.
package struct SpaceOperations: Sendable {
    package let list = Operation<NoInput, [TripView]>(
        .get, "/spaces", "List spaces",
        "Trips and all other spaces but the person's own.")
    package let deleted = Operation<NoInput, [TripView]>(
        .get, "/deleted", "List deleted trips and spaces",
        "Those that were deleted and can be brought back; with who deleted them, and what was "
            + "written to them that whoever did it had not seen.")
    package let bin = Operation<BinFilter, [BinItemView]>(
        .get, "/bin", "List what was deleted lately",
        "Trips, spaces and records of the last days, as many as the setting `bin-days` says, with who deleted "
            + "them and when.")
    package let restoreFromBin = Operation<BinFilter, BinItemView>(
        .post, "/bin/{id}/restore", "Bring back something that was deleted",
        "For everybody, with all that went with it. Answers with what it was.")
    package let emptyBin = Operation<BinEmptying, BinEmptied>(
        .post, "/bin/empty", "Free files of what was deleted, on this device alone",
        "Those that nothing shown names and whose deletion every member has acknowledged. What was deleted can "
            + "still be brought back, with files only as far as another device has them.")
    package let close = Operation<NoInput, TripView>(
        .post, "/trips/{id}/close", "Say that a trip is over",
        "For everybody: lists show it last. Everything in it stays, and can be changed.")
    package let reopen = Operation<NoInput, TripView>(
        .post, "/trips/{id}/reopen", "Say that a trip goes on")
    package let upgrade = Operation<NoInput, SchemaView>(
        .post, "/trips/{id}/upgrade", "Give a trip the newest fields of the journal",
        "For everybody; needs admin. Code `conflict` when it has them.")
    package let create = Operation<SpaceDraft, TripView>(
        .post, "/spaces", "Make a space",
        "A document is pinned in the first commit and travels with the space.")
    package let schema = Operation<NoInput, SchemaView>(
        .get, "/spaces/{id}/schema", "Show the schema of a space",
        "The one it follows; `home` is the person's own space.")
    package let changeSchema = Operation<SchemaChange, SchemaView>(
        .put, "/spaces/{id}/schema", "Change the schema of a space",
        "Another version, for everybody; needs admin, and a higher version than before.")
    package let migrateSchema = Operation<SchemaMigrationDraft, SchemaMigrationReport>(
        .post, "/spaces/{id}/schema/migrate", reportsProgress: true,
        "Change the schema of a space, and convert what is there",
        "For everybody, after a backup. What cannot be of a field's new type stays as it was, and is "
            + "listed. With `preview` only says what would change.")
    package let standing = Operation<StandingScope, StandingView>(
        .get, "/spaces/{id}/standing", "Say where records stand",
        "Of one record, deleted ones too; without it, how many have which status.")
    package let check = Operation<NoInput, SpaceCheckView>(
        .get, "/spaces/{id}/check", "Look whether the records of a space hang together",
        "References that lead nowhere, parts whose whole is gone, things that are there twice, "
            + "missing files and values. Changes nothing.")
}

/// Schemas that are known here.
package struct SchemaOperations: Sendable {
    package let list = Operation<NoInput, [SchemaView]>(
        .get, "/schemas", "List schemas",
        "The schemas that are known here.")
    package let show = Operation<NoInput, SchemaView>(
        .get, "/schemas/{id}", "Show a schema",
        "The latest version of that name, or else the one that a space of that name follows.")
    package let checkSet = Operation<DataSetSource, DataSetCheck>(
        .post, "/datasets/check", "Check a data set",
        "Reads a folder with a data set and names every mistake; changes nothing.")
    package let releaseSet = Operation<DataSetReleaseDraft, DataSetRelease>(
        .post, "/datasets/release", "Note what a data set ships",
        "Writes hashes of the rows in a folder to a file in it, before they are given away. The set of a later "
            + "version tells by them what is no person's word.")
    package let appliedSets = Operation<DataSetFilter, [AppliedSetView]>(
        .get, "/datasets", "Data sets that were applied",
        "In one space, or in all; with what people keep otherwise, and rows that left the set and are "
            + "still needed.")
    package let applySet = Operation<DataSetDraft, DataSetReport>(
        .post, "/datasets/apply", "Apply a data set",
        "Brings the rows of a space up to the versions in a folder; a version that is not higher than the "
            + "applied one changes nothing. What people wrote stays.")
    package let resetSet = Operation<DataSetResetDraft, DataSetResetReport>(
        .post, "/datasets/reset", reportsProgress: true,
        "Delete everything but history and load a data set again",
        "For everybody, after a backup; with `here` in a new space of this person, which gets the history. With "
            + "`preview` only says what would go and stay.")
    package let followSet = Operation<DataSetFollowDraft, [FollowedSetView]>(
        .post, "/datasets/followed", "Follow a folder with a data set, or no more",
        "What is raised is applied whenever the agent starts; a full reset is only offered.")
    package let followedSets = Operation<NoInput, [FollowedSetView]>(
        .get, "/datasets/followed", "List folders with data sets that are followed")
    package let takeVersion = Operation<DataSetVersionDraft, AppliedSetView>(
        .post, "/datasets/version", "Have a version applied again",
        "Sets what this device takes for the applied version; for everybody it stays as it is.")
}
