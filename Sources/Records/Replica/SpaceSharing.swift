package import SyncCore

/// Granting, accepting and leaving the spaces of this device.
package protocol SpaceSharing: Sendable {
    /// Grants a space to devices that lack any of these flags. A device of this person gets this device's rights,
    /// as its sibling; with `authority`, this device itself does, too. With `isFromNow` they get no earlier keys.
    func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool, isFromNow: Bool
    ) async throws
    /// Begins a new epoch, or encrypts a space from now on. Throws as ``Replica/write(_:to:)``.
    func makeEpoch(in space: SpaceID) async throws
    /// The secrets of a space's epochs that are here, in age's format for identities, with their epochs.
    func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)]
    /// Revokes rights from grants, as far as this device may. Throws as ``Replica/write(_:to:)``.
    func revoke(_ taking: RightsTaking, in space: SpaceID) async throws
    /// The same with a person's recovery key, independent of this device's rights.
    func revoke(_ taking: RightsTaking, in space: SpaceID, byKey text: String) async throws
    /// The person whose recovery key a text is. Throws ``APIError`` for other texts.
    func person(ofKey text: String) throws -> PersonID
    /// Asks for rights, or answers a request. Throws as ``Replica/write(_:to:)``.
    func ask(_ request: RightsRequest, in space: SpaceID) async throws
    /// Accepts an offered space: from now on its commits are fetched.
    func accept(_ space: SpaceID) async throws
    func decline(_ space: SpaceID) async throws
    /// Gives up this person's membership with the grants of all its devices, and forgets the space here once the
    /// others have received that.
    func leave(_ space: SpaceID) async throws
}
