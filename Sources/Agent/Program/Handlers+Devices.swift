import Device
import Files
import LocalAPI
import Networking
import Records
import Status

extension LocalAgent {
    mutating func addDeviceHandlers() {
        let people = runtime.status
        on(\.agent.info, needsPerson: false) { _, _ in people.info() }
        on(\.agent.status) { _, _ in try await people.status() }
        let settings = SettingsService(runtime)
        on(\.agent.settings) { _, _ in try await settings.list() }
        on(\.agent.setSetting) { try await settings.set($0, $1) }
        on(\.agent.why) { [runtime] in
            try WhyService(runtime.node, await people.facts()).why($0, $1)
        }
        on(\.agent.waiting) { [runtime] in
            try WaitingService(runtime.node, await people.facts()).waiting($1)
        }
        addSyncHandlers()
        on(\.devices.list) { _, _ in try await people.devices() }
        on(\.devices.forget) { device, _ in try await people.forget(device) }
        on(\.devices.addAddress) { try await people.addAddress($0, $1) }
        on(\.devices.lost) { [runtime] in
            let (view, lost) = try await LostDeviceService(runtime.node).lost($0, $1)
            guard view.done else { return view }
            // A report to everybody can be taken back; after any other one this device forgets it.
            if view.call != .everybody { try DeviceDirectory(runtime.node).forget(lost) }
            await runtime.network.trustChanged()
            return view
        }
        on(\.devices.found) { [runtime] in
            let view = try await LostDeviceService(runtime.node).found($0, $1)
            await runtime.network.trustChanged()
            return view
        }
        let keys = KeyExchangeService(runtime.node)
        on(\.devices.testKey) { try keys.test($1.recoveryKey) }
        on(\.devices.exchangeKey) { [runtime] in
            let view = try await keys.exchange($1)
            await runtime.network.trustChanged()
            return view
        }
        let recovery = RecoveryService(runtime: runtime)
        on(\.devices.useKey) { try await recovery.use($1.recoveryKey) }
        on(\.devices.rename) { [runtime] in try await NameService(runtime.node).renameDevice($1) }
        on(\.devices.renamePerson) { [runtime] in
            try await NameService(runtime.node).renamePerson($1)
        }
        on(\.devices.redate) { [runtime] in
            try await RedateService(runtime.node).redate($0, $1)
        }
        on(\.doctor.network) { _, _ in await people.doctorNetwork() }
    }

    private mutating func addSyncHandlers() {
        let sync = runtime.sync
        on(\.sync.now) { _, _ in try await sync.now() }
        on(\.sync.set) { [runtime] in try await runtime.setSync($1) }
        on(\.sync.runs) { try sync.runs($1) }
        on(\.sync.activity) { try await sync.activity($1) }
    }

    /// A device that joins an existing person has no person yet.
    mutating func addPairingHandlers() {
        let pairing = runtime.pairing
        on(\.devices.pairing.open) { try await pairing.open(asLink: $1.asLink) }
        on(\.devices.pairing.join, needsPerson: false) { try await pairing.join($1) }
        on(\.devices.pairing.poll, needsPerson: false) { try await pairing.poll($0, $1) }
        on(\.devices.pairing.decide, needsPerson: false) {
            try await pairing.decide($0, accept: $1.accept)
        }
        on(\.devices.pairing.cancel, needsPerson: false) { id, _ in try await pairing.cancel(id) }
    }
}
