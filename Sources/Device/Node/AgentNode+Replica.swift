internal import Identity
package import LocalAPI
internal import Logging
internal import Node
package import Records
package import SyncCore

/// What records need from this device besides the store.
extension AgentNode: Replica {
    package var local: LocalIdentity {
        let identity = identity
        return LocalIdentity(
            device: identity.deviceID, person: identity.person, deviceName: identity.deviceName,
            personName: identity.personName, card: identity.card, homeSpace: identity.homeSpace)
    }

    package var now: Milliseconds { clock.wall }
    package var nextTime: HybridTime { work.clock.next }

    /// Asks the connected devices that have said nothing for a moment whether they are there, and notes which of
    /// them owe an answer; the next look sees what came of it.
    package func lookAtConnections() async {
        loop.post(.connectionsLookedAt)
        await outputs.made?.noteSilences()
    }

    package var connectedDevices: Set<DeviceID> { loop.inspect { $0.connectedDevices } }

    package var silentDevices: Set<DeviceID> {
        peers.silent(for: Limits.silenceMilliseconds)
    }

    package var devicesInReach: Set<DeviceID> {
        connectedDevices.subtracting(silentDevices).union(reachedDevices)
    }

    package var reachedDevices: Set<DeviceID> { loop.inspect { $0.reachedDevices } }

    package var devicesWithFullDisk: Set<DeviceID> {
        let peers = peers
        return connectedDevices.filter { peers[$0].isDiskFull }
    }

    package var storageFault: APIError? { storage.fault }

    package func knownDevices() throws -> [KnownDevice] { try DeviceDirectory(self).known() }

    package func activity(
        in space: SpaceID
    ) -> (traffic: Traffic, outgoing: [DeviceID: Set<BlobID>]) {
        (loop.inspect { [clock] in $0.traffic(in: space, at: clock.now) }, files.outgoing)
    }

    package func idText(of device: DeviceID) -> (whole: String, short: String) {
        (DeviceIDText.text(of: device), DeviceIDText.short(of: device))
    }

    package func couldNotRead(_ what: String, _ error: any Error) {
        logger.note(.error, .store, "\(what)", details: ["why": .reason(error)])
    }

    package func sentence(for error: any Error) -> APIError {
        storage.noteFailure(error)
        return ErrorSentence.of(error)
    }
}
