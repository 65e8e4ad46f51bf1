internal import Identity
import SyncCore

/// Who this device is. Before `init` or a first `join --mine` it has keys and no person.
struct OwnIdentity: Sendable {
    let keys: DeviceKeys
    var deviceName: String
    var personName: String
    /// Nil until the device belongs to a person.
    var card: Card?
    /// The chain as it is shown to others; nil like ``card``.
    var unverifiedCard: UnverifiedCard?
    /// The person's home space; zero until there is a person.
    var homeSpace: SpaceID

    var deviceID: DeviceID { keys.device }
    /// Zero until there is a person.
    var person: PersonID { card?.person ?? .zero }
}
