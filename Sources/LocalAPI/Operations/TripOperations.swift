internal import HTTPTypes

/// Trips and who has them; what is done to one as a space works for every space.
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
    package let members = Operation<NoInput, [MemberView]>(
        .get, "/trips/{id}/members", "List the people of a trip")
    package let grant = Operation<GrantDraft, MemberView>(
        .post, "/trips/{id}/members", "Share a trip",
        "Grants the trip to every device of a person; a second grant changes the role.")
    package let accept = Operation<NoInput, TripView>(
        .post, "/trips/{id}/accept", "Accept a granted trip",
        "Takes a trip that someone granted: from now on this device fetches and keeps it.")
    package let decline = Operation<NoInput, TripView>(
        .post, "/trips/{id}/decline", "Decline a granted trip",
        "Refuses a granted trip; nothing of it is kept. Answers with what it was.")
    package let leave = Operation<NoInput, TripView>(
        .post, "/trips/{id}/leave", "Leave a trip",
        "Gives up this person's own membership; the others keep the trip. Answers with what it "
            + "was.")
    package let digest = Operation<NoInput, DigestView>(
        .get, "/trips/{id}/digest", reportsProgress: true, "Digest of a trip",
        "Hash over everything the trip shows, with blob ids: equal on hosts that show the same.")
    package let recover = Operation<RecoverRequest, RecoverReport>(
        .post, "/recover", "Bring back changes",
        "Writes changes anew that were quarantined, so that they count again for everybody.")
}
