internal import Store
package import SyncCore

/// Devices that were probably set up again, by what people see: one of the same name, of a person of the same
/// name, was paired since they were last seen. Names prove nothing: this decides what lists show, and no right.
package struct Replacements {
    /// By the former device the one of today.
    package let successors: [DeviceID: DeviceID]

    package init(among devices: [KnownDevice], connected: Set<DeviceID>) {
        let paired = devices.compactMap { device in device.pairedAt.map { (device, at: $0.value) } }
            .sorted { ($0.at, $0.0.card.device) < ($1.at, $1.0.card.device) }
        var successors: [DeviceID: DeviceID] = [:]
        for former in devices where !connected.contains(former.card.device) {
            let last = max(former.lastSeen?.value ?? 0, former.pairedAt?.value ?? 0)
            guard last > 0 else { continue }
            let successor = paired.last { device, at in
                device.card.device != former.card.device && at > last
                    && !former.name.isEmpty && NameFolding.areEqual(device.name, former.name)
                    && NameFolding.areEqual(device.personName, former.personName)
            }
            if let successor { successors[former.card.device] = successor.0.card.device }
        }
        self.successors = successors
    }
}
