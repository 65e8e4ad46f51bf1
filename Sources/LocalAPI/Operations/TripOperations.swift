internal import HTTPTypes

/// Trips and their members; operations on a trip as a space work for every space.
package struct TripOperations: Sendable {
    package let list = Operation<NoInput, [TripView]>(
        .get, "/trips", "List trips")
    package let create = Operation<TripDraft, TripView>(
        .post, "/trips", "Create a trip")
    package let show = Operation<NoInput, TripView>(
        .get, "/trips/{id}", "Show a trip")
    package let rename = Operation<TripRename, TripView>(
        .patch, "/trips/{id}", "Rename a trip")
    package let delete = Operation<NoInput, TripView>(
        .delete, "/trips/{id}", "Delete a trip for everybody",
        "Deletes the trip for everybody; it can be brought back. Answers with what it was.")
    package let restore = Operation<NoInput, TripView>(
        .post, "/trips/{id}/restore", "Bring back a deleted trip",
        "Brings a deleted trip or other space back for everybody, whole, also with what was "
            + "written to it while it was being deleted.")
    package let sharing = SharingOperations()
    package let encryption = EncryptionOperations()
    package let digest = Operation<NoInput, DigestView>(
        .get, "/trips/{id}/digest", reportsProgress: true, "Digest of a trip",
        "Hash over everything the trip shows, with blob ids: equal on hosts that show the same.")
    package let archive = Operation<ArchiveTarget, ArchiveReport>(
        .post, "/trips/{id}/archive", reportsProgress: true, "Write a trip to an archive",
        "A folder of JSON, GPX, files, hashes and a page, of a trip or another space; or a tar file of "
            + "it, encrypted with age. It appears whole or not at all, and replaces nothing.")
    package let importArchive = Operation<ArchiveImport, ImportReport>(
        .post, "/archives/import", reportsProgress: true, "Make a trip of an archive",
        "A new one, or another space, with all that the archive holds, once all of it was read and "
            + "compared with its hashes. Code `confirmationNeeded` when the same is here already, "
            + "unless `again` is true.")
    package let recovery = RecoveryOperations()
}

/// Who has a trip and may do what in it.
package struct SharingOperations: OperationGroup {
    package let members = Operation<NoInput, [MemberView]>(
        .get, "/trips/{id}/members", "List the people of a trip")
    package let grant = Operation<GrantDraft, MemberView>(
        .post, "/trips/{id}/members", "Share a trip",
        "Grants the trip to every device of a person, or to one device. A second grant changes what "
            + "they may do, also to less.")
    package let revoke = Operation<RevokeDraft, RevokeView>(
        .post, "/trips/{id}/revoke", "Take a trip from somebody",
        "From a person, or from one device: what they write from now on counts for nobody, and "
            + "nobody sends them anything of it any more.")
    package let may = Operation<RightQuery, RightView>(
        .get, "/trips/{id}/rights", "Say whether somebody may do something")
    package let request = Operation<RequestDraft, RequestView>(
        .post, "/trips/{id}/requests", "Ask for a right",
        "Admins see it; a grant answers it. Without a right takes it back, with `refuse` says no.")
    package let accept = Operation<NoInput, TripView>(
        .post, "/trips/{id}/accept", "Accept a granted trip",
        "Takes a trip that someone granted: from now on this device fetches and keeps it.")
    package let decline = Operation<NoInput, TripView>(
        .post, "/trips/{id}/decline", "Decline a granted trip",
        "Refuses a granted trip; nothing of it is kept. Answers with what it was.")
    package let leave = Operation<NoInput, TripView>(
        .post, "/trips/{id}/leave", "Leave a trip",
        "Gives up this person's own membership; the others keep the trip, and so do devices in `keptBy` "
            + "of the trip as it was shown. Answers with what it was.")
}

/// Encrypting a trip, and its keys.
package struct EncryptionOperations: OperationGroup {
    package let encrypt = Operation<NoInput, EncryptReport>(
        .post, "/trips/{id}/encrypt", reportsProgress: true, "Encrypt a trip from now on",
        "What is written from then on can be read by its members alone, and files that it has already "
            + "are encrypted. Says what could be read where until then. Of an encrypted trip it goes on "
            + "with files that are left; code `conflict` when none is.")
    package let rotateKey = Operation<NoInput, TripKeyView>(
        .post, "/trips/{id}/key", "Give an encrypted trip a new key",
        "It protects what is written from then on. Taking the trip from somebody does so by itself."
    )
    package let exportKey = Operation<NoInput, TripKeyExport>(
        .get, "/trips/{id}/key", "The keys of an encrypted trip",
        "As identities of age: secret.")
}

/// Changes that do not count, of a trip or of all.
package struct RecoveryOperations: OperationGroup {
    package let orphans = Operation<ScopeFilter, [OrphanView]>(
        .get, "/orphans", "List changes that do not count",
        "Of a trip or of all: who made them and when, why they do not count, and what they would "
            + "change."
    )
    package let dismissOrphans = Operation<ScopeFilter, [OrphanView]>(
        .post, "/orphans/dismiss", "Be told no more of changes that do not count",
        "On this device, of those that are here now. They stay listed.")
    package let recoverOrphans = Operation<RecoverRequest, RecoverReport>(
        .post, "/orphans/recover", "Bring back changes that do not count",
        "Writes them anew as changes of this person, so that they count for everybody. Those that were "
            + "dismissed stay as they are, unless their device is named.")
    package let undoRecovery = Operation<ScopeFilter, RecoverUndoView>(
        .post, "/orphans/undo", "Undo bringing back changes that do not count",
        "Takes back what was brought back last on this device, of a trip or of all.")
}
