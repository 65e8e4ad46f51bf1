package import Identity
package import SyncCore

/// The identity of this device. Before `init` or a first `join --mine` it has keys and no person.
package struct OwnIdentity: Sendable {
    package let keys: DeviceKeys
    package var deviceName: String
    package var personName: String
    /// Nil until the device belongs to a person.
    package var card: Card?
    /// The chain that is shown to others; nil if ``card`` is.
    package var unverifiedCard: UnverifiedCard?
    /// The person's home space; zero until there is a person.
    package var homeSpace: SpaceID

    package var deviceID: DeviceID { keys.device }
    /// Zero until there is a person.
    package var person: PersonID { card?.person ?? .zero }
}
