package import SyncCore

/// Keeps and shares the knowledge of lost devices.
package protocol LossKeeping: Sendable {
    func lostDevices() throws -> Set<DeviceID>
    /// The person who reported a device lost; nil for none.
    func loss(of device: DeviceID) throws -> KnownLoss?
    /// Devices of this person that exchanged the recovery key for different ones, so that none of these is
    /// valid.
    func keyRivals() throws -> Set<DeviceID>
    /// Devices that were let in only by another one: they are lost with it.
    func letIn(by device: DeviceID, of person: PersonID) throws -> Set<DeviceID>
    /// Tells everybody that a device is lost, with those that it let in, unless they are kept; `isPreview`
    /// only checks whether the report would be valid. False if it is not, or the device belongs to another
    /// person.
    func call(
        lost card: Card, keeping: Set<DeviceID>, byKey text: String?, isPreview: Bool
    ) throws -> Bool
    /// Withdraws the report. False when somebody else has to.
    func call(found device: DeviceID, of person: PersonID, byKey text: String?) throws -> Bool
}
