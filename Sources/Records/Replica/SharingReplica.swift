package import SyncCore

/// Who has the spaces of this device: giving, taking and leaving them.
package protocol SharingReplica: Sendable {
    /// Grants a space to devices that do not stand in it with at least these flags. With `isFromNow` they
    /// get no key of what was encrypted before.
    func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool, isFromNow: Bool
    ) async throws
    /// Begins a new epoch, or encrypts a space from now on. Throws as ``Replica/write(_:to:)``.
    func makeEpoch(in space: SpaceID) async throws
    /// The secrets of a space's epochs that are here, as age writes identities, with their epochs.
    func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)]
    /// Takes rights from grants, which has to be this device's right. Throws as ``Replica/write(_:to:)``.
    func revoke(_ taking: RightsTaking, in space: SpaceID) async throws
    /// The same by a person's recovery key, whatever rights this device has.
    func revoke(_ taking: RightsTaking, in space: SpaceID, byKey text: String) async throws
    /// Whose recovery key a text is. Throws ``APIError`` for what is none.
    func person(ofKey text: String) throws -> PersonID
    var losses: any LossKeeping { get }
    /// Asks for rights, or answers who asked. Throws as ``Replica/write(_:to:)``.
    func ask(_ request: RightsRequest, in space: SpaceID) async throws
    func accept(_ space: SpaceID) async throws
    func decline(_ space: SpaceID) async throws
    func leave(_ space: SpaceID) async throws
}
