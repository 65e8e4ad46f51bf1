/// What can be set on this device, by its key in the store.
package enum DeviceSetting {
    /// Absent or "off".
    package static let sync = "sync"
    package static let port = "port"
    package static let logLevel = "log"
    /// Which earlier backups stay, as `7d,4w,12m`.
    package static let backupKeep = "backup.keep"
}
