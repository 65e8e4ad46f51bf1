internal import CPlatform
package import Encryption
import Foundation
package import Identity
import LocalAPI
package import Store
package import SyncCore
internal import Wire

/// Keeps the device's identity: private keys in their own file, the rest in the store's settings,
/// and the public card beside the keys as the mark of an initialised device.
package enum IdentityStore {
    private enum Key {
        static let card = "card"
        static let deviceName = "device_name"
        static let personName = "person_name"
        static let homeSpace = "home_space"
    }

    /// The keys of this device, created when it has no card yet. The keys of a card are never
    /// replaced: nobody could verify signatures made with other keys.
    package static func keys(in home: AgentHome, of store: SyncStore) throws -> DeviceKeys {
        let card = try store.settings.value(of: Key.card)
        do {
            return try storedKeys(of: home)
        } catch KeyFileError.notFound where card == nil {
            let keys = DeviceKeys.generate()
            try KeyFile.write(keys, to: home.keyFile)
            return keys
        } catch KeyFileError.notFound {
            guard home.hasOfferMark else { throw KeyFileError.notFound }
            throw AgentError.keysWithService
        }
    }

    /// The keys from the service manager's credential store if it offers them, else from the file
    /// in the home. Both are read with the same checks. From then on this process writes no core
    /// file, and no other process of the user can inspect it.
    package static func storedKeys(of home: AgentHome) throws(KeyFileError) -> DeviceKeys {
        // Neither call can fail with these arguments.
        _ = peersync_limit_core(0)
        _ = peersync_hide_memory()
        return try KeyFile.read(from: home.offeredKeyFile ?? home.keyFile)
    }

    /// Notes where the keys of this device came from, for a command that finds none.
    package static func noteOffer(in home: AgentHome) throws {
        let isOffered = home.offeredKeyFile != nil
        guard home.hasOfferMark != isOffered else { return }
        if isOffered {
            try KeyFile.create(
                Array(
                    tr("This device's keys come from systemd, as the credential device.key.\n").utf8
                ), at: home.offerMark)
        } else {
            try FileManager.default.removeItem(atPath: home.offerMark)
        }
    }

    /// The keys that open the secrets wrapped to the device of a home; empty while it has no keys,
    /// or they cannot be read.
    package static func epochKeys(in home: AgentHome) -> EpochKeyRing {
        let epochKeys = EpochKeyRing()
        if let keys = try? storedKeys(of: home) {
            epochKeys.use(keys.device, agreementSecret: keys.agreementSecret)
        }
        return epochKeys
    }

    /// Whether a store has the identity of a device.
    package static func isKnown(in store: SyncStore) throws -> Bool {
        try store.settings.value(of: Key.card) != nil
    }

    /// Whether a store has the identity of a device. If the settings were damaged, the identity is
    /// restored from the card beside the keys.
    package static func isKnown(in store: SyncStore, or home: AgentHome) throws -> Bool {
        if try isKnown(in: store) { return true }
        let own = store.ledgers.filter { $0.value.role == .home }.keys.min()
        guard let own, let card = FileManager.default.contents(atPath: home.cardFile) else {
            return false
        }
        try store.settings.set([
            Key.card: hexadecimal(Array(card)), Key.homeSpace: hexadecimal(own.bytes),
        ])
        return true
    }

    /// The space of this person's own lists; nil on a device that has no person yet.
    package static func homeSpace(in store: SyncStore) throws -> SpaceID? {
        try store.settings.value(of: Key.homeSpace).flatMap { bytes(hexadecimal: $0) }
            .flatMap { SpaceID(bytes: $0) }
    }

    /// The identity of this device as it was last saved; without a person if it was never saved.
    package static func load(_ keys: DeviceKeys, from store: SyncStore) throws -> OwnIdentity {
        var identity = OwnIdentity(
            keys: keys,
            deviceName: try store.settings.value(of: Key.deviceName) ?? defaultDeviceName,
            personName: try store.settings.value(of: Key.personName) ?? "", card: nil,
            unverifiedCard: nil,
            homeSpace: .zero)
        guard let text = try store.settings.value(of: Key.card),
            let encoded = bytes(hexadecimal: text),
            let homeSpace = try homeSpace(in: store)
        else { return identity }
        let chain = try CardCodec().decode(encoded)
        let card = try CardVerifier().verify(chain)
        guard card.content.signingKey == keys.signingKey else { throw AgentError.keysOfAnother }
        identity.card = card
        identity.unverifiedCard = chain
        identity.homeSpace = homeSpace
        return identity
    }

    /// Saves everything but the keys, which have their own file.
    package static func save(
        _ identity: OwnIdentity, in store: SyncStore, _ home: AgentHome
    ) throws {
        guard let card = identity.unverifiedCard else { throw AgentError.notInitialised }
        // All or nothing: a partial write would combine the old card with the new person's home
        // space.
        try store.settings.set([
            Key.deviceName: identity.deviceName,
            Key.personName: identity.personName,
            Key.homeSpace: hexadecimal(identity.homeSpace.bytes),
            Key.card: hexadecimal(card.encoded),
        ])
        try mark(identity, home)
    }

    /// Writes the mark again if a crash came between store and mark, and notes where the keys came
    /// from.
    package static func mark(_ identity: OwnIdentity, _ home: AgentHome) throws {
        try noteOffer(in: home)
        guard let card = identity.unverifiedCard, !home.isInitialised else { return }
        try KeyFile.create(card.encoded, at: home.cardFile)
    }

    /// Writes a lost mark again: keys and a store that knows the person of this device are set up. A device that
    /// began to join a person, and got no further, is not. A store that cannot be read changes nothing.
    package static func restoreMark(of home: AgentHome) {
        let manager = FileManager.default
        let isOffered = home.offeredKeyFile != nil || home.hasOfferMark
        let hasKey = isOffered || manager.fileExists(atPath: home.keyFile)
        guard !home.isInitialised, hasKey else { return }
        let examination = StoreExamination(
            in: home.directory, decoder: CommitCodec(), verifier: CommitVerifier(),
            schemas: { _ in nil })
        do {
            guard try !StoreExamination.isMissing(below: home.directory),
                let text = try examination.setting(Key.card), let card = bytes(hexadecimal: text)
            else { return }
            try KeyFile.create(card, at: home.cardFile)
        } catch {
            return
        }
    }

    /// This computer's name, as a first guess.
    package static var defaultDeviceName: String {
        ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? "device"
    }
}
