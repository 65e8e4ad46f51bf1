internal import HTTPTypes

/// The device itself.
package struct AgentOperations: Sendable {
    package let info = Operation<NoInput, InfoView>(
        .get, "/info", "Who answers",
        "Who this is: device, person, versions, home directory.")
    package let status = Operation<NoInput, StatusView>(
        .get, "/status", "Status of everything",
        "Everything `peersync status` shows, as one consistent picture.")
    package let backUp = Operation<BackupDraft, BackupReport>(
        .post, "/backup", reportsProgress: true, "Back up everything on this device",
        "To a folder of backups, in which each file stands once. The backup appears whole or not at "
            + "all, and was read back.")
    package let settings = Operation<NoInput, [SettingView]>(
        .get, "/settings", "List the settings of this device",
        "Each with the value in use and where it comes from.")
    package let setSetting = Operation<SettingDraft, SettingView>(
        .put, "/settings/{id}", "Change a setting of this device",
        "Without `value` back to the default. A value that cannot be is refused: code `badInput`.")
    package let why = Operation<WhyScope, WhyView>(
        .get, "/why/{id}", "Say where a record or file is",
        "For each device that may have it: what it lacks, why, and what would help, by what "
            + "each device said last. Finds records, memories and files by name or by the beginning "
            + "of an id.")
    package let waiting = Operation<WhyScope, WaitingView>(
        .get, "/waiting", "List all that waits",
        "For each device and space what it lacks, since when and why, with the first changes; and what "
            + "waits for this person.")
}

/// The history of spaces.
package struct ChangeOperations: Sendable {
    package let list = Operation<ChangeFilter, ChangeLog>(
        .get, "/changes", reportsProgress: true, "Tell what happened",
        "Who added, changed and deleted what, who joined and left: a line for each commit, newest "
            + "last. Without `since` what came from other devices since this person last looked.")
    package let undo = Operation<UndoDraft, UndoView>(
        .post, "/changes/undo", "Undo what was written",
        "The last thing that this person did on this device, one commit, or all that a device wrote or "
            + "deleted since a time. What others changed since stays. It is an ordinary write.")
    package let redo = Operation<UndoDraft, UndoView>(
        .post, "/changes/redo", "Take the last undo back",
        "Unless something else was done on this device since. Only `preview` and `over` are looked at."
    )
    package let marks = Operation<NoInput, [MarkView]>(
        .get, "/changes/marks", "List moments that have a name", "Of this device, the latest last.")
    package let mark = Operation<NameDraft, MarkView>(
        .post, "/changes/marks", "Give this moment a name",
        "`log`, `history` and `undo` take it for a time.")
    package let moment = Operation<NoInput, MarkView>(
        .get, "/changes/marks/{id}", "Find a moment by its name", "Or by any part of it.")
    package let unmark = Operation<NoInput, MarkView>(
        .delete, "/changes/marks/{id}", "Take the name of a moment away")
    package let look = Operation<ChangeLook, ChangeLook>(
        .post, "/changes/look", "Note that somebody looked",
        "What is here up to a place is not new any more. Answers with what it was given.")
}

/// Sync with the other devices.
package struct SyncOperations: Sendable {
    package let now = Operation<NoInput, SyncReport>(
        .post, "/sync", reportsProgress: true, "Sync now",
        "Calls every known device and answers when this one and those reached have all that they "
            + "can give each other, or nothing has moved for a while.")
    package let activity = Operation<RevisionPoll, ActivityView>(
        .get, "/sync/activity", "Wait for news of what is being synced",
        "What moves between this device and those connected. Long poll: answers as soon as the "
            + "revision is no longer `knownRevision`, or with the unchanged view after "
            + "`waitSeconds`.")
    package let runs = Operation<SyncRunFilter, [SyncRunView]>(
        .get, "/sync/runs", "List what syncs came to",
        "The latest first: of each sync with one device what moved, how long it took, and what the "
            + "records look like that it touched.")
    package let set = Operation<SyncSetting, SyncSwitched>(
        .put, "/sync", "Switch sync on or off",
        "Switches sync on or off; off means no listening, no advertising and no traffic.")
}

/// The operations of `peersync doctor`: on a running agent, or on the folder alone.
package struct DoctorOperations: Sendable {
    package let start = Operation<DoctorRequest, DoctorView>(
        .post, "/doctor", "Check everything",
        "Begins to look at everything, unless that is going on: code `busy` then.")
    package let poll = Operation<RevisionPoll, DoctorView>(
        .get, "/doctor", "Wait for news of an examination",
        "Long poll: answers as soon as the revision is no longer `knownRevision`, or with the "
            + "unchanged view after `waitSeconds`. Code `notFound` before the first examination.")
    package let cancel = Operation<NoInput, DoctorView>(
        .delete, "/doctor", "End an examination",
        "Ends the examination; what was repaired stays repaired.")
    package let diagnostics = Operation<NoInput, DiagnosticsView>(
        .get, "/doctor/diagnostics", "What a bug report needs to know",
        "Versions, numbers and the latest lines of the log, but no titles, no names, no keys, "
            + "and of addresses only private ones.")
    package let network = Operation<NoInput, NetworkReport>(
        .get, "/doctor/network", "Find out why devices do not find each other",
        "Tells apart the reasons why devices do not find each other. Takes a few seconds.")
    package let damage = Operation<NoInput, [DamageView]>(
        .get, "/doctor/damage", "List data lost to damage",
        "What was here before the database was damaged or lost, and has not come back.")
    package let dismissDamage = Operation<DamageDismissal, [DamageView]>(
        .put, "/doctor/damage", "Dismiss data lost to damage, or report it again",
        "Dismisses all that is missing now, except own lists of which nothing is left. Later losses are "
            + "reported. Answers with the list.")
}
