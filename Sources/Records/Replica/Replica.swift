package import LocalAPI
package import Store
package import SyncCore

/// The spaces of this device for records: reading goes to the store, everything else through here. The
/// agent implements it; lower targets know nothing of connections.
package protocol Replica: ReplicaFiles {
    var store: SyncStore { get }
    var schemas: SchemaCache { get }
    var nameBook: NameBook { get }
    var sharing: any SpaceSharing { get }
    var losses: any LossKeeping { get }
    /// The identity of this device, as it is now.
    var local: LocalIdentity { get }
    /// The wall clock of this computer.
    var now: Milliseconds { get }
    /// The time that this device's next commit has, if it is written now.
    var nextTime: HybridTime { get }

    // MARK: Writing

    /// Writes each as a commit, and all as one group: they are shown together, here and on every device; durable
    /// on return. 1 to ``Limits/commitsOfGroup``. Throws ``APIError``, also for a space whose schema is
    /// unknown here, and what the store throws.
    func write(_ group: [ChangeSet], to space: SpaceID) async throws
    /// Pins another schema for a space, for everybody. Throws as ``write(_:to:)``.
    func pin(_ schema: SchemaPin, in space: SpaceID) async throws
    /// Rewrites an orphan; where it is sealed, with these files. Throws as ``write(_:to:)``.
    func recover(
        _ orphan: Orphan, of orphans: Orphans, naming files: SealedFiles?,
        in space: SpaceID
    ) async throws
    /// Undoes a recovery by its number; returns how many orphans it had. Throws as ``write(_:to:)``.
    func undoRecovery(_ number: Int64, in space: SpaceID) async throws -> Int
    /// Records for everybody that a device's clock was wrong. Throws as ``write(_:to:)``.
    func redate(_ redating: Redating, in space: SpaceID) async throws
    /// Creates a space with this device as founder and writes its first records; in an encrypted space
    /// everything is sealed from the first commit on.
    func createSpace(
        _ role: SpaceRole, following schema: SchemaPin?, isEncrypted: Bool,
        operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID

    // MARK: Others

    /// All other devices that this one has paired with, or met as members of a common space.
    func knownDevices() throws -> [KnownDevice]
    var connectedDevices: Set<DeviceID> { get }
    /// Devices that did not answer when somebody last looked, be they connected now or not: nothing comes from them or
    /// goes to them.
    var silentDevices: Set<DeviceID> { get }
    /// The connected devices that answer, and those connected to them.
    var devicesInReach: Set<DeviceID> { get }
    /// Connected devices that said that their disk is full.
    var devicesWithFullDisk: Set<DeviceID> { get }
    /// The traffic of a space, and the files that are being sent to other devices.
    func activity(in space: SpaceID) -> (traffic: Traffic, outgoing: [DeviceID: Set<BlobID>])
    /// A device's id in the form that people compare, and its beginning.
    func idText(of device: DeviceID) -> (whole: String, short: String)

    // MARK: Trouble

    /// Why nothing can be written until the agent is restarted; nil while all is well.
    var storageFault: APIError? { get }
    /// Logs that a part of a view could not be read, and is left out.
    func couldNotRead(_ what: String, _ error: any Error)
    /// Turns a failure into a sentence, and stops the work that must stop after it.
    func sentence(for error: any Error) -> APIError
}

extension Replica {
    /// Writes one commit alone.
    package func write(_ changes: ChangeSet, to space: SpaceID) async throws {
        try await write([changes], to: space)
    }
}

/// The identity of this device.
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
