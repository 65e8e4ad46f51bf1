import LocalAPI
import Node
import Records
import Store
import SyncCore

/// A simulated device as the services see it: they read its store, and write as an agent does.
// The services send it between threads, one of which works while all others wait.
final class ServedReplica: Records.Replica, @unchecked Sendable {
    /// An operation that no simulated service calls.
    struct NotSimulated: Error {}
    /// The device stopped in the middle.
    struct Stopped: Error {}

    let store: SyncStore
    let nameBook = NameBook()
    /// Why a commit could not be stored: services may replace the error by their own.
    private(set) var failure: (any Error)?
    private let world: World
    private let replica: Replica
    private let work: EngineWork
    private let boot: Int
    /// The number of writes before the device stops; nil if it continues.
    var writesLeft: Int?
    /// How many milliseconds later than now it is asked.
    var ahead: UInt64 = 0

    /// Nil if the device does not run.
    init?(_ world: World, _ replica: Replica) {
        guard let store = replica.store, let work = replica.work else { return nil }
        (self.store, self.work, self.world, self.replica) = (store, work, world, replica)
        boot = replica.boot
    }

    var isRunning: Bool { replica.isUp && replica.boot == boot }
    var schemas: SchemaCache { world.schemas }
    var now: Milliseconds { Milliseconds(replica.clock.wall.value + ahead) }
    var nextTime: HybridTime { work.clock.next }

    var local: LocalIdentity {
        LocalIdentity(
            device: replica.device, person: replica.member.person,
            deviceName: short(replica.device), personName: short(replica.member.person),
            card: replica.member.card, homeSpace: SpaceID(.zero))
    }

    func knownDevices() throws -> [KnownDevice] {
        let cards = world.replicas.filter { $0.index != replica.index }.map(\.member.card)
        return cards.map {
            KnownDevice(
                card: $0, name: short($0.device), personName: short($0.person), pairedAt: nil,
                addresses: [], lastSync: nil, clockSkewMilliseconds: nil)
        }
    }

    func idText(of device: DeviceID) -> (whole: String, short: String) {
        (device.description, short(device))
    }

    // MARK: Writing

    func write(_ group: [ChangeSet], to space: SpaceID) async throws {
        // Without a schema nobody could say what a value means.
        _ = try requireSchema(of: space)
        world.encrypting.readyEpoch(of: space, replica)
        let written = group.map { changes in
            var changes = changes
            if world.schedule.canary == .servesMore { addTitle(to: &changes, in: space) }
            if world.schedule.canary == .servesLess, changes.operations.count > 1 {
                changes.operations.removeFirst()
            }
            return changes
        }
        try carryOut {
            let isSealed = membership(of: space)?.isToBeSealed == true
            let parts = Array(written.flatMap { $0.parts() }.prefix(Limits.commitsOfGroup))
            return try work.write(parts, to: space, isSealed: isSealed)
        }
    }

    func redate(_ redating: Redating, in space: SpaceID) async throws {
        try carryOut { try work.redate(redating, in: space) }
    }

    private func carryOut(_ write: () throws -> EngineWork.Done) throws {
        stopInTime()
        guard isRunning else { throw Stopped() }
        do {
            let done = try write()
            world.report.counts.operations += 1
            world.engines.finish(done, replica, isLate: true)
        } catch {
            failure = error
            throw error
        }
        guard isRunning else { throw Stopped() }
    }

    private func stopInTime() {
        if writesLeft == 0 { world.machines.stop(replica, cutsPower: world.random.chance(50)) }
        writesLeft = writesLeft.map { $0 - 1 }
    }

    private func addTitle(to changes: inout ChangeSet, in space: SpaceID) {
        let own = schema(of: space)?.ownCollections.map(\.name) ?? []
        guard let index = changes.operations.lastIndex(where: { own.contains($0.collection) })
        else { return }
        let collection = schema(of: space)?.collection(changes.operations[index].collection)
        guard let field = collection?.titleField,
            let precedence = changes.operations[index].writes.last?.precedence
        else { return }
        changes.operations[index].writes.append(
            Write(field: field.name, value: .text("more"), precedence: precedence))
    }

    // MARK: Failures

    var storageFault: APIError? { nil }

    func couldNotRead(_ what: String, _ error: any Error) {
        failure = failure ?? error
    }

    func sentence(for error: any Error) -> APIError { error as? APIError ?? .diskFull }

    // MARK: Files

    func form(of blob: BlobID, in space: SpaceID) throws -> FileForm {
        try store.files.spaces(holding: blob).isEmpty ? .missing : .plain
    }

    func bytesReceived(of blob: BlobID) -> UInt64 { 0 }

    func noteIfGone(_ blob: BlobID, bytes: UInt64) -> Bool { false }

    func findAgain(_ blob: BlobID) async throws -> Bool { false }

    // MARK: What is not simulated

    var connectedDevices: Set<DeviceID> { [] }
    var silentDevices: Set<DeviceID> { [] }
    var devicesInReach: Set<DeviceID> { [] }
    var devicesWithFullDisk: Set<DeviceID> { [] }
    /// A simulated service waits for lost devices, too.
    var losses: any LossKeeping { NoLosses() }
    var sharing: any SpaceSharing { NoSharing() }

    func activity(
        in space: SpaceID
    ) -> (traffic: Traffic, outgoing: [DeviceID: Set<BlobID>]) { (Traffic(), [:]) }

    func pin(_ schema: SchemaPin, in space: SpaceID) async throws { throw NotSimulated() }

    func recover(
        _ orphan: Orphan, of orphans: Orphans, naming files: SealedFiles?, in space: SpaceID
    ) async throws { throw NotSimulated() }

    func undoRecovery(_ number: Int64, in space: SpaceID) async throws -> Int {
        throw NotSimulated()
    }

    func createSpace(
        _ role: SpaceRole, following schema: SchemaPin?, isEncrypted: Bool,
        operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID { throw NotSimulated() }

    func importFiles(
        _ photos: [String], track: String?, into space: SpaceID
    ) async throws -> (photos: [ImportedFile], track: ImportedTrack?) {
        guard photos.isEmpty, track == nil else { throw NotSimulated() }
        return ([], nil)
    }

    func encryptFiles(
        _ files: [NamedBlob], in space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] { throw NotSimulated() }

    func copyFiles(
        _ files: [NamedBlob], to space: SpaceID, _ meter: ProgressMeter
    ) async throws -> [BlobID: NamedBlob] { throw NotSimulated() }

    func followFiles(
        _ files: Set<BlobID>, of source: SpaceID, in target: SpaceID
    ) async throws {
        do {
            try store.files.follow(files, of: source, in: target)
            for blob in files.sorted() {
                world.fileCheck.follow(blob, from: source, to: target)
                try world.files.finished(blob, replica)
            }
        } catch {
            failure = error
            throw error
        }
    }

    func requireRoom(for bytes: UInt64) throws { throw NotSimulated() }

    func identify(_ path: String, in space: SpaceID) async throws -> Set<BlobID> {
        throw NotSimulated()
    }

    func exportFile(
        _ blob: BlobID, suggestedName: String, to path: String
    ) async throws -> ExportedFile { throw NotSimulated() }

    func verifyFiles(of space: SpaceID) async throws -> Set<BlobID> { throw NotSimulated() }
}

/// Giving and taking spaces, which no simulated service does.
private struct NoSharing: SpaceSharing {
    func grant(
        _ space: SpaceID, to cards: [Card], flags: Permissions, authority: Bool, isFromNow: Bool
    ) async throws { throw ServedReplica.NotSimulated() }

    func makeEpoch(in space: SpaceID) async throws { throw ServedReplica.NotSimulated() }

    func epochIdentities(of space: SpaceID) -> [(epoch: CommitID, identity: String)] { [] }

    func revoke(_ taking: RightsTaking, in space: SpaceID) async throws {
        throw ServedReplica.NotSimulated()
    }

    func revoke(_ taking: RightsTaking, in space: SpaceID, byKey text: String) async throws {
        throw ServedReplica.NotSimulated()
    }

    func person(ofKey text: String) throws -> PersonID { throw ServedReplica.NotSimulated() }
    func ask(_ request: RightsRequest, in space: SpaceID) async throws {
        throw ServedReplica.NotSimulated()
    }
    func accept(_ space: SpaceID) async throws { throw ServedReplica.NotSimulated() }
    func decline(_ space: SpaceID) async throws { throw ServedReplica.NotSimulated() }
    func leave(_ space: SpaceID) async throws { throw ServedReplica.NotSimulated() }
}

/// Answers of a service that knows of no losses.
private struct NoLosses: LossKeeping {
    func lostDevices() throws -> Set<DeviceID> { [] }
    func loss(of device: DeviceID) throws -> KnownLoss? { nil }
    func keyRivals() throws -> Set<DeviceID> { [] }
    func letIn(by device: DeviceID, of person: PersonID) throws -> Set<DeviceID> { [] }
    func call(
        lost card: Card, keeping: Set<DeviceID>, byKey text: String?, isPreview: Bool
    ) throws -> Bool { throw ServedReplica.NotSimulated() }
    func call(found device: DeviceID, of person: PersonID, byKey text: String?) throws -> Bool {
        throw ServedReplica.NotSimulated()
    }
}
