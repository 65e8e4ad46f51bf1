/// What keeps this device from starting; the service turns it into a sentence.
package enum AgentError: Error, Equatable {
    case notInitialised
    /// The key file is not the one of this store's device.
    case keysOfAnother
    /// There is no key file, and the keys were in the service manager's credential store before.
    case keysWithService
    /// The store of a device that has a card is not there, or knows nothing of it.
    case storeGone
}
