import Identity
package import SyncCore
package import Transport

extension PeerErrorLog {
    /// An error of a device; nil when nobody knows whose.
    package func note(_ device: DeviceID?, _ why: String, as event: String = "peer error") {
        note(device.map(DeviceIDText.short) ?? "unknown", why, as: event)
    }
}
