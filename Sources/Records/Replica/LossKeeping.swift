package import SyncCore

/// What is known of lost devices, and saying it.
package protocol LossKeeping: Sendable {
    func lostDevices() throws -> Set<DeviceID>
    /// Who called a device lost; nil: nobody.
    func loss(of device: DeviceID) throws -> KnownLoss?
    /// Devices of this person that exchanged the recovery key for different ones, so that none of these counts.
    func keyRivals() throws -> Set<DeviceID>
    /// The devices that came in through another one alone: they are lost with it.
    func letIn(by device: DeviceID, of person: PersonID) throws -> Set<DeviceID>
    /// Says to everybody that a device is lost, but not those that it let in and that are kept; with `isPreview`
    /// only whether it would count. False: it would not, or who says it is of another person.
    func call(
        lost card: Card, keeping: Set<DeviceID>, byKey text: String?, isPreview: Bool
    ) throws -> Bool
    /// Takes back what was said. False when somebody else would have to.
    func call(found device: DeviceID, of person: PersonID, byKey text: String?) throws -> Bool
}
