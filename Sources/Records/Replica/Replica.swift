package import LocalAPI
package import Store
package import SyncCore

/// The spaces of this device, as records see them: reading goes to the store, everything else
/// through here. The agent implements it; nothing below knows of connections.
package protocol Replica: ReplicaFiles, SharingReplica {
    var store: SyncStore { get }
    var schemas: SchemaCache { get }
    var nameBook: NameBook { get }
    /// Whose device this is, as it is now.
    var local: LocalIdentity { get }
    /// The wall clock of this computer.
    var now: Milliseconds { get }

    // MARK: Writing

    /// Writes one atomic commit; durable when it returns. Throws ``APIError`` and what the store
    /// throws, ``APIError`` for a space whose schema is not known here.
    func write(_ changes: ChangeSet, to space: SpaceID) async throws
    /// Pins another schema for a space, for everybody. Throws as ``write(_:to:)``.
    func pin(_ schema: SchemaPin, in space: SpaceID) async throws
    /// Writes an orphan anew, if sealed with these files. Throws as ``write(_:to:)``.
    func recover(
        _ orphan: Orphan, of orphans: Orphans, naming files: SealedFiles?,
        in space: SpaceID
    ) async throws
    /// Takes back what was recovered here under a number; how many orphans that was. Throws as
    /// ``write(_:to:)``.
    func undoRecovery(_ number: Int64, in space: SpaceID) async throws -> Int
    /// Says for everybody that a device's clock was wrong. Throws as ``write(_:to:)``.
    func redate(_ redating: Redating, in space: SpaceID) async throws
    /// Makes a space with this device as founder and writes its first records; of an encrypted one
    /// nothing is ever readable to others.
    func createSpace(
        _ role: SpaceRole, following schema: SchemaPin?, isEncrypted: Bool,
        operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID

    // MARK: Others

    /// Every other device this one has paired with or met as a member of a common space.
    func knownDevices() throws -> [KnownDevice]
    var connectedDevices: Set<DeviceID> { get }
    /// Those, and the ones with which they are connected.
    var devicesInReach: Set<DeviceID> { get }
    /// What moves of a space, and which files other devices are being sent.
    func activity(in space: SpaceID) -> (traffic: Traffic, outgoing: [DeviceID: Set<BlobID>])
    /// A device's id as people compare it, and its beginning.
    func idText(of device: DeviceID) -> (whole: String, short: String)

    // MARK: Trouble

    /// Why nothing is written any more until the agent starts anew; nil while all is well.
    var storageFault: APIError? { get }
    /// Something about what is shown could not be read: it is left out, and the log says so.
    func couldNotRead(_ what: String, _ error: any Error)
    /// Puts a failure into words, and stops what must stop after it.
    func sentence(for error: any Error) -> APIError
}

/// Whose device this is.
package struct LocalIdentity: Sendable {
    package let device: DeviceID
    /// Zero until the device belongs to a person.
    package let person: PersonID
    package let deviceName: String
    package let personName: String
    /// Nil until the device belongs to a person.
    package let card: Card?
    /// The person's own space; zero until there is a person.
    package let homeSpace: SpaceID

    package init(
        device: DeviceID, person: PersonID, deviceName: String, personName: String, card: Card?,
        homeSpace: SpaceID
    ) {
        (self.device, self.person, self.deviceName) = (device, person, deviceName)
        (self.personName, self.card, self.homeSpace) = (personName, card, homeSpace)
    }
}
