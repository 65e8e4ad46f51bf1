/// Why this device cannot start; the service turns it into a sentence.
package enum AgentError: Error, Equatable {
    case notInitialised
    /// The key file belongs to another device than this store.
    case keysOfAnother
    /// There is no key file, and the keys were in the service manager's credential store before.
    case keysWithService
    /// The store of a device that has a card is missing, or does not know the device.
    case storeGone
}
